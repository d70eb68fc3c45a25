"""The service, with an address that holds its thread until a file exists, and one that answers with its body."""

import os
import time
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from config.edge import gunicorn_worker
from config.wsgi import application as service

FOLDER = Path(os.environ["HELD_FOLDER"])
RELEASED = "released"

# Seconds of waiting are seconds of the test.
gunicorn_worker.REQUEST_SECONDS = int(os.environ["REQUEST_SECONDS"])
gunicorn_worker.QUEUE_SECONDS = int(os.environ["QUEUE_SECONDS"])
# Longer than any test: a thread that waits for a client to read its answer is one that is lost.
gunicorn_worker.SOCKET_SECONDS = int(os.environ.get("SOCKET_SECONDS", "30"))


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    if environ["PATH_INFO"] == "/echo":
        body = environ["wsgi.input"].read()
        start_response("200 OK", [("Content-Length", str(len(body)))])
        return [body]
    if environ["PATH_INFO"] == "/hold":
        (FOLDER / str(uuid.uuid4())).touch()
        while not (FOLDER / RELEASED).exists():
            time.sleep(0.02)
        environ["PATH_INFO"] = "/livez"
    return service(environ, start_response)
