"""What is answered in front of Django breaks no rule of the request checks and the middleware behind it.

The table has a line for each of them, with requests that its rule refuses or answers otherwise.
"""

from io import BytesIO
from typing import Any, NamedTuple

import pytest
import time_machine
from django.conf import settings as configured
from django.http.request import HttpHeaders
from django.test import RequestFactory
from django.utils.module_loading import import_string
from pytest import MonkeyPatch

from boards.identity import slug_of
from config.database.waits import Bulkhead
from config.edge.limits import dear_reads, exports, read_limit
from config.edge.request_checks import MAX_URI_LENGTH, RequestCheck
from config.edge.serving.wsgi import Handler
from tests import factories
from tests.service_client import ServiceClient

pytestmark = pytest.mark.django_db

SPENT = "192.0.2.9"
"""The address of a client that has no reads left."""


class Case(NamedTuple):
    """A request, and the status that it gets. `environ` has what no header says."""

    status: int
    path: str = "/api/boards"
    headers: dict[str, str] = {}
    environ: dict[str, Any] = {}
    method: str = "GET"


NO_JSON = {"content-type": "application/json; charset=punycode", "content-length": "1"}
FROM_OURS = {"origin": "https://app.example"}

MANY_PARAMETERS = "&".join(f"x{number}=1" for number in range(1001))


def of_length(length: int) -> str:
    return "/api/boards?_=".ljust(length, "x")


RULES: dict[str, tuple[Case, ...]] = {
    # Request checks
    "forms.request_checks.FormLimitHeaders": (Case(200, "/api/forms"),),
    "deals.authentication.ApiKeyGate": (Case(401, "/api/deals"), Case(401, "/api/deals/boards")),
    "config.edge.request_checks.ReadableRequest": (
        *(Case(414, of_length(MAX_URI_LENGTH + 1)), Case(414, of_length(8050)), Case(200, of_length(MAX_URI_LENGTH))),
        Case(414, environ={"QUERY_STRING": "_=" + 1500 * "\xe9"}),  # six characters each, once escaped
        Case(200, environ={"QUERY_STRING": "_=" + 990 * "\xe9"}),
        Case(414, environ={"QUERY_STRING": "_=" + 3000 * "<"}),
        *(Case(200, "/api/boards?_=%00"), Case(400, "/api/boards?event=%00")),
        *(Case(411, headers={"transfer-encoding": "chunked"}), Case(413, headers={"content-length": "999999999"})),
        *(Case(400, headers={"content-length": "-1"}), Case(415, headers={"content-encoding": "gzip"})),
        *(Case(415, headers={"content-encoding": encoding}) for encoding in ("br", "identity, gzip")),
        *(
            Case(415, headers=NO_JSON, environ={"wsgi.input": BytesIO(b"1")}),
            Case(200, headers={"cookie": "sessionid=\x01"}),
        ),
    ),
    "config.edge.limits.read_limit.ReadLimit": (Case(429, environ={"REMOTE_ADDR": SPENT}),),
    "config.edge.limits.dear_reads.DearReads": (Case(503, f"/api/events/{slug_of('Friday pairs', '', '')}/ranking"),),
    "config.edge.request_checks.Writers": (Case(503, method="POST"), Case(200)),
    # Middleware. The API knows no session.
    "impersonation.middleware.ImpersonationMiddleware": (
        Case(401, headers={"x-impersonation-id": factories.NOBODYS_ID}),
        Case(401, "/api/boards/", headers={"x-impersonation-id": "nonsense"}),
        Case(200, headers={"cookie": f"sessionid={'a' * 32}"}),
    ),
    "config.edge.observability.metrics.ObservabilityMiddleware": (Case(200, headers={"x-request-id": "mine"}),),
    "config.edge.middleware.CrossOriginMiddleware": (
        *(Case(200, headers=FROM_OURS), Case(200, headers={"origin": "https://stranger.example"})),
        Case(204, method="OPTIONS", headers={**FROM_OURS, "access-control-request-method": "GET"}),
    ),
    "django.middleware.security.SecurityMiddleware": (Case(200, headers={"x-forwarded-proto": "https"}),),
    "django.middleware.clickjacking.XFrameOptionsMiddleware": (Case(200),),
    "config.edge.middleware.ContentSecurityPolicyMiddleware": (Case(200),),
    "config.edge.middleware.EdgeMiddleware": (
        *(Case(200, "/api/boards/"), Case(302, f"/admin/?q={'x' * 1000}"), Case(404, "/api/boards//")),
        *(Case(200, headers={"content-length": "0"}), Case(412, headers={"if-match": '"another"'})),
        *(Case(400, f"/api/boards?{query}") for query in ("page=0", "dealer=no value", MANY_PARAMETERS)),
        *(Case(401, "/api/boards?userId=me"), Case(401, "/api/boards?published=false")),
        *(Case(400, "/api/themes?types=a/b"), Case(200, headers={"authorization": ""})),
    ),
    "django.middleware.common.CommonMiddleware": (Case(400, headers={"host": "stranger.example"}),),
    "whitenoise.middleware.WhiteNoiseMiddleware": (Case(404, "/static/nothing.css"),),
    "django.contrib.sessions.middleware.SessionMiddleware": (Case(200, headers={"cookie": f"sessionid={'b' * 32}"}),),
    # It replaces a malformed cookie, which no plain read needs: that stays until a page is read.
    "django.middleware.csrf.CsrfViewMiddleware": (Case(200, headers={"cookie": f"csrftoken={'a' * 32}"}),),
    "django.contrib.auth.middleware.AuthenticationMiddleware": (Case(401, headers={"authorization": "Bearer none"}),),
    "django.contrib.messages.middleware.MessageMiddleware": (Case(200, headers={"cookie": "messages=x"}),),
    "config.edge.middleware.ReplicaMiddleware": (Case(404, f"/api/boards/{factories.NOBODYS_ID}"),),
    # What stands before the middleware
    "config.edge.serving.wsgi.Request": (
        Case(406, headers={"accept": "a/b; a*=x; a*0=y"}),
        Case(415, headers={"content-type": "a/b; a*=x; a*0=y", "content-length": "0"}),
        Case(200, method="HEAD"),
    ),
}


def test_each_guard_and_middleware_has_a_line() -> None:
    """Say with a new one how a plain read keeps to its rule: by a request that it would answer otherwise."""
    assert RULES.keys() == {*configured.REQUEST_CHECKS, *configured.MIDDLEWARE, "config.edge.serving.wsgi.Request"}
    checking = [name for name in configured.REQUEST_CHECKS if import_string(name).check is not RequestCheck.check]
    assert all(RULES[name] for name in checking)
    assert len(configured.REQUEST_CHECKS) == len(set(configured.REQUEST_CHECKS))


@time_machine.travel("2026-11-21T12:00:20Z", tick=False)
def test_a_request_that_breaks_a_rule_gets_django_s_answer(settings: Any, monkeypatch: MonkeyPatch) -> None:
    """Send each to a client whose reads are answered in front of Django, and to one that enters behind that."""
    settings.READ_RATE = "10000/d"
    settings.CORS_ALLOWED_ORIGINS = ["https://app.example"]
    monkeypatch.setattr(Bulkhead, "enter", lambda bulkhead: False)
    monkeypatch.setattr(dear_reads, "DEAR_ROWS", 0)
    monkeypatch.setattr(exports, "WAIT_SECONDS", 0)
    exports.dear_reads.take("192.0.2.0")
    board = factories.board(event="Friday pairs")
    in_front, behind = (ServiceClient(raise_request_exception=False) for _ in range(2))
    behind.application = Handler()  # type: ignore[assignment]  # it is called the same way
    for path in ("/api/boards", "/api/themes", f"/api/boards/{board.pk}", "/api/forms") * 3:
        in_front.get(path)
    read_limit.charge(SPENT, 86_400)
    for name, cases in RULES.items():
        for status, path, headers, environ, method in cases:
            named = HttpHeaders.to_wsgi_names({"x-request-id": "same", **headers})
            request = RequestFactory().generic(method, path).environ | named | environ
            answers = [client.call_application(dict(request)) for client in (in_front, behind)]
            heads = [(answer.status_code, dict(answer.items()), answer.content) for answer in answers]
            assert heads[0] == heads[1], (name, path[:80])
            assert heads[0][0] == status, (name, path[:80], heads[0][2][:200])
