"""The id of the request that this thread is answering, which every log line, error body and answer has."""

import random
import re
import uuid
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

MAX_REQUEST_ID_LENGTH = 128
WELL_FORMED = re.compile(rf"[A-Za-z0-9._-]{{1,{MAX_REQUEST_ID_LENGTH}}}")

request_id: ContextVar[str] = ContextVar("request_id", default="")


def choose_request_id(meta: Mapping[str, Any]) -> str:
    """Return the request's own X-Request-Id where it is well-formed, else a new one.

    An id is not a secret. uuid4() would ask the kernel for each, and let another thread in meanwhile.
    """
    offered: str = meta.get("HTTP_X_REQUEST_ID", "")
    if WELL_FORMED.fullmatch(offered):
        return offered
    return str(uuid.UUID(int=random.getrandbits(128), version=4))


CREDENTIALS = frozenset({"HTTP_AUTHORIZATION", "HTTP_X_IMPERSONATION_ID"})
"""Their names in META. `request.headers` would first make an object of all headers."""
