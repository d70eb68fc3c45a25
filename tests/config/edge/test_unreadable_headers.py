"""Headers that Python or Django cannot parse are refused in words, and crash nothing."""

import io
import json
from typing import Any

import pytest
from django.conf import settings as dj_settings
from hypothesis import given, settings
from hypothesis import strategies as st

from config.edge.serving.wsgi import Handler

pytestmark = pytest.mark.django_db


def wsgi(
    method: str = "GET", path: str = "/livez", body: bytes = b"", **environ: str
) -> tuple[int, dict[str, str], bytes]:
    """Call the application as gunicorn does: the request object is made inside, from the environ."""
    answer: dict[str, Any] = {}
    full_environ = {
        "REQUEST_METHOD": method, "PATH_INFO": path, "CONTENT_LENGTH": str(len(body)), "REMOTE_ADDR": "127.0.0.1",
        "SERVER_NAME": "testserver", "SERVER_PORT": "80", "wsgi.input": io.BytesIO(body), "wsgi.url_scheme": "http",
        **environ,
    }  # fmt: skip

    def start_response(status: str, headers: list[tuple[str, str]], error: Any = None) -> None:
        answer.update(status=int(status.split(maxsplit=1)[0]), headers=dict(headers))

    response = Handler()(full_environ, start_response)
    return answer["status"], answer["headers"], b"".join(response)


UNPARSABLE = [
    "charset*=nosuch''x", "charset*=é''x", "x*=nosuch''x", "charset*=idna''%ff", "charset*=undefined''x",
    "charset=a\x00b", "charset*=utf-8''a; charset*0=b", "x*=utf-8''a; x*0=b",
]  # fmt: skip
RFC_2231 = "text/plain; a*=utf-8''a; a*0=b"


def test_a_content_type_django_cannot_parse_is_a_415_and_not_the_servers_500() -> None:
    for parameter in UNPARSABLE:
        for path in ("/livez", "/api/deals/import"):
            kind, key = f"multipart/form-data; boundary=x; {parameter}", dj_settings.API_KEY
            status, headers, body = wsgi("POST", path, CONTENT_TYPE=kind, CONTENT_LENGTH="0", HTTP_X_API_KEY=key)
            error = json.loads(body)
            assert (status, error["code"]) == (415, "unsupported_media_type"), (path, parameter)
            assert headers["X-Request-Id"] == error["meta"]["requestId"]


def test_nothing_is_decoded_by_a_charset_that_a_request_names(rf: Any) -> None:
    """Python decodes punycode in quadratic time, and raises where the text is none."""
    for kind in ("application/x-pbn", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"):
        for charset in ("punycode", "iso-8859-1", "utf-16"):
            request = Handler.request_class(
                {**rf.get("/?a=%C3%A9").environ, "CONTENT_TYPE": f"{kind}; charset={charset}"}
            )
            assert (request.encoding, request.GET["a"]) == (None, "é"), (kind, charset)


def test_a_path_that_has_one_type_ignores_the_accept_header() -> None:
    for path in ("/livez", "/api/openapi.json"):
        for accept in (RFC_2231, "text/plain", "text/html", ""):
            status, headers, _ = wsgi(path=path, HTTP_ACCEPT=accept, CONTENT_TYPE="application/json; charset=utf-8")
            assert (status, headers["Content-Type"]) == (200, "application/json"), (path, accept)


def test_a_part_of_a_form_python_cannot_parse_is_a_400() -> None:
    part = b"Content-Disposition: form-data; name=a; filename*=utf-8''a; filename*0=b"
    body = b"--X\r\n" + part + b"\r\n\r\nhello\r\n--X--\r\n"
    token = {"HTTP_COOKIE": f"csrftoken={'a' * 32}", "HTTP_X_CSRFTOKEN": "a" * 32}
    sent = {"CONTENT_TYPE": "multipart/form-data; boundary=X", "HTTP_X_API_KEY": dj_settings.API_KEY, **token}
    for path in ("/forms/contact", "/admin/login/", "/api/deals/import"):
        status, _, answer = wsgi("POST", path, body, **sent)
        assert status == 400, (path, answer)
        assert b"A part of the form has a header that cannot be read." in answer or path == "/admin/login/"


PARTS = ("x", "charset", "*", "*0", "*1*", "=", ";", ", ", "''", "'", "utf-8", "idna", "%ff", "a", '"', "9" * 5000)
awkward = st.text(
    st.sampled_from("aé;=*'\"%0 ,/\\()<>[]?x1\t{}~|") | st.characters(max_codepoint=255), max_size=40
) | st.lists(st.sampled_from(PARTS), max_size=12).map("".join)
HEADERS = (
    *("ACCEPT", "ACCEPT_LANGUAGE", "AUTHORIZATION", "COOKIE", "HOST", "IF_MATCH", "IF_MODIFIED_SINCE"),
    *("IF_NONE_MATCH", "ORIGIN", "RANGE", "X_FORWARDED_FOR", "X_FORWARDED_PROTO", "X_IMPERSONATION_ID", "X_REQUEST_ID"),
)


def test_a_replaced_header_is_read_the_same_by_all(rf: Any) -> None:
    environ = {**rf.get("/").environ, "CONTENT_TYPE": RFC_2231, "HTTP_ACCEPT": f"application/json, {RFC_2231}"}
    request = Handler.request_class(environ)
    read = (request.content_type, request.content_params)
    assert read == ("application/x-www-form-urlencoded", {"charset": "unreadable"})
    assert request.META["CONTENT_TYPE"] == request.headers["Content-Type"]
    assert [str(media_type) for media_type in request.accepted_types] == ["unreadable/unreadable"]


@given(st.dictionaries(st.sampled_from(HEADERS), awkward, max_size=3), awkward)
@settings(deadline=None, max_examples=40)
def test_no_header_crashes_the_service(headers: dict[str, str], kind: str) -> None:
    environ = {f"HTTP_{name}": value for name, value in headers.items()}
    for path in ("/livez", "/api/openapi.json"):
        assert wsgi(path=path, CONTENT_TYPE=f"application/json;{kind}", **environ)[0] < 500
        assert wsgi(path=path, HTTP_ACCEPT=f"text/plain;{kind}")[0] < 500
