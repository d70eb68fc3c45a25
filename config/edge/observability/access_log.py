"""The access log: a line for each request that failed, and for as many others as ACCESS_LOG_SUCCESSES says."""

import logging
import random
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, NamedTuple

from django.conf import settings

from config.edge.security.client_address import client_network
from config.values.redaction import clean_path, name_in_logs

logger = logging.getLogger("access")

LEFT_OUT = "bridge_boards.left_out"
"""The name in META that marks a request without a line: its client has had one of the same kind just now."""

MIN_FAILURE = int(HTTPStatus.BAD_REQUEST)  # as a number: an enumeration takes half a microsecond to compare


class Line(NamedTuple):
    """What a line says of a request and its answer, whoever answered it."""

    method: str
    route: str
    status: int
    seconds: float
    request_id: str


def wants(status: int) -> bool:
    """Tell whether a request with this answer gets a line. A success costs a random number at most."""
    if status >= MIN_FAILURE:
        return True
    share = settings.ACCESS_LOG_SUCCESSES
    return share > 0 and (share >= 1 or random.random() < share)  # noqa: S311  (a sample, no secret)


def write(line: Line, meta: Mapping[str, Any], *, account: str | None = None, subject: str | None = None) -> None:
    """Write the line of a request. `account` made it, as the impersonated `subject` where that is another one.

    The path is logged without its query and without segments that may be secrets.
    """
    fields = {
        "requestId": line.request_id,
        "method": line.method,
        "route": line.route,
        "path": clean_path(meta.get("PATH_INFO", "")),
        "status": line.status,
        "milliseconds": round(line.seconds * 1000, 1),
        "account": name_in_logs(account),
        "client": client_network(meta),
    }
    if subject not in (None, account):
        fields["impersonated"] = name_in_logs(subject)
    said = {"fields": fields, "clean": True}
    logger.info("%s /%s %s", line.method, line.route, line.status, extra=said)
