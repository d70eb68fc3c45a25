"""The service, with an address that holds its thread until a file exists. A file for each such request."""

import os
import time
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from config.wsgi import application as service

FOLDER = Path(os.environ["HELD_FOLDER"])
RELEASED = "released"


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    if environ["PATH_INFO"] == "/hold":
        (FOLDER / str(uuid.uuid4())).touch()
        while not (FOLDER / RELEASED).exists():
            time.sleep(0.02)
        environ["PATH_INFO"] = "/livez"
    return service(environ, start_response)
