"""Errors of all layers have one shape."""

import pytest
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import DataError, IntegrityError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.urls import include, path
from rest_framework import exceptions as drf
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIClient

from config.api import errors
from config.api.errors import every_error, field_errors, to_api_error
from config.api.views import ApiView
from search.language.parsing import QueryError
from tests.answers import assert_error

RAISED: dict[str, Exception] = {}
"""What the views below raise, under the key "now"."""


class FailingView(ApiView):
    authentication_classes = ()
    permission_classes = (AllowAny,)
    public_read = True

    def get(self, request: Request) -> Response:
        raise RAISED["now"]

    post = get


class EchoView(FailingView):
    def post(self, request: Request) -> Response:
        return Response(request.data)


def plain(request: HttpRequest) -> HttpResponse:
    raise RAISED["now"]


handler400 = "config.edge.error_page.bad_request"
handler403 = "config.edge.error_page.permission_denied"
handler404 = "config.edge.error_page.not_found"
handler500 = "config.edge.error_page.server_error"
urlpatterns = [
    path("api/failing", FailingView.as_view()), path("api/echo", EchoView.as_view()),
    path("api/plain", plain), path("plain", plain), path("", include("config.urls")),
]  # fmt: skip
pytestmark = pytest.mark.urls(__name__)


EXCEPTIONS: list[tuple[Exception, int, str]] = [
    *[(error(), error.status_code, error.default_code) for error in every_error() if error is not QueryError],
    (QueryError("syntax", "This ) was never opened."), 400, "validation_error"),
    *((drf.NotAuthenticated(), 401, "not_authenticated"), (drf.AuthenticationFailed(), 401, "invalid_token")),
    *((drf.PermissionDenied(), 403, "permission_denied"), (drf.NotFound(), 404, "not_found")),
    *((drf.MethodNotAllowed("GET"), 405, "method_not_allowed"), (drf.NotAcceptable(), 406, "not_acceptable")),
    *((drf.UnsupportedMediaType("a/b"), 415, "unsupported_media_type"), (drf.ParseError(), 400, "bad_request")),
    *((drf.ValidationError({"a": ["wrong"]}), 400, "validation_error"), (Http404("a secret"), 404, "not_found")),
    *((PermissionDenied("a secret"), 403, "permission_denied"), (SuspiciousOperation("a secret"), 400, "bad_request")),
    *((RequestDataTooBig("a secret"), 413, "payload_too_large"), (UnreadablePostError("a secret"), 400, "bad_request")),
    *((IntegrityError("a secret"), 409, "conflict"), (DataError("a secret"), 400, "bad_request")),
    *((error("a secret"), 503, "service_unavailable") for error in (OperationalError, InterfaceError)),
    *((error("a secret"), 500, "internal_error") for error in (ValueError, RecursionError, MemoryError)),
    (UnicodeEncodeError("utf-8", "a secret", 0, 1, "a secret"), 500, "internal_error"),
]


# Nothing outside DRF raises its exceptions, and Django calls RequestDataTooBig a plain 400.
OUTSIDE_DRF = [case for case in EXCEPTIONS if not isinstance(case[0], drf.APIException | RequestDataTooBig)]
EVERYWHERE = [*[("/api/failing", *case) for case in EXCEPTIONS], *[("/api/plain", *case) for case in OUTSIDE_DRF]]


def test_whatever_a_view_raises_is_answered_in_one_shape(subtests: pytest.Subtests, client: APIClient) -> None:
    for where, raised, status, code in EVERYWHERE:
        with subtests.test(where=where, raised=raised):
            RAISED["now"] = raised
            response = client.get(where)
            body = assert_error(response, status, code)
            assert b"secret" not in response.content
            assert ("WWW-Authenticate" in response) is (status == 401)
            assert int(response.headers.get("Retry-After", "0")) >= (status == 503)
            assert status != 500 or body["meta"].keys() == {"requestId"}


def test_outside_the_api_an_error_is_a_page_for_people(client: APIClient) -> None:
    RAISED["now"] = ValueError("a secret")
    for url, status in (("/plain", 500), ("/nothing", 404)):
        response = client.get(url)
        assert (response.status_code, response["Content-Type"]) == (status, "text/html; charset=utf-8")
        assert b"secret" not in response.content
        assert response["X-Request-Id"].encode() in response.content


def test_an_unknown_path_is_a_404(client: APIClient) -> None:
    for url in (
        *("/api", "/api/", "/api/nothing", "/api/boards/not-a-uuid", "/api/accounts/a/b", "/api/%00", "/api/%ff%fe"),
        *("/api/boards/7E57AB1E-0000-4000-8000-00000000000G", "/api/themes/%00", "/api/boards//"),
        *("/api/..%2f..%2fetc%2fpasswd", "/api/boards/7e57ab1e00004000800000000000000", "/api/boards/1"),
        "/api/boards/{7e57ab1e-0000-4000-8000-000000000000}",
    ):
        for method in ("GET", "POST", "DELETE", "OPTIONS"):
            assert_error(client.generic(method, url), 404, "not_found")


def test_a_bad_host_is_a_400(client: APIClient) -> None:
    for host in ("evil.example", "a b", "", "[::1", "testserver\x00", "é"):
        for url in ("/api/themes", "/api/nothing", "/livez"):
            assert_error(client.get(url, headers={"host": host}), 400, "bad_request")


def test_a_body_of_another_kind_is_a_415(client: APIClient) -> None:
    for kind in ("text/plain", "application/xml", "multipart/form-data; boundary=x", "nonsense", "a/b/c"):
        response = client.generic("POST", "/api/echo", b"{}", content_type=kind)
        assert "application/json" in assert_error(response, 415, "unsupported_media_type")["message"]
        assert response["Accept-Post"] == "application/json"


def test_json_is_read_however_it_is_called_and_what_is_none_is_a_400(client: APIClient) -> None:
    for kind in ("application/json", "APPLICATION/JSON", "application/json; charset=UTF-8"):
        for body, read in (('{"a": "é"}', {"a": "é"}), ("", {})):
            assert client.generic("POST", "/api/echo", body, content_type=kind).json() == read
        assert_error(client.generic("POST", "/api/echo", "{", content_type=kind), 400, "bad_request")


def test_a_method_that_is_not_there_is_a_405_that_names_those_that_are(client: APIClient) -> None:
    for method in ("PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "INITIAL", "DISPATCH", "FOO"):
        response = client.generic(method, "/api/echo")
        assert_error(response, 405, "method_not_allowed")
        assert set(response["Allow"].split(", ")) == {"GET", "POST", "HEAD", "OPTIONS"}, method
    for url in ("/api/voting", "/api/impersonation/current", "/api/accounts/me"):  # nobody is asked who is calling
        assert_error(client.delete(url), 405, "method_not_allowed")


def test_an_accept_header_without_a_type_of_ours_is_a_406(client: APIClient) -> None:
    types = ("text/html", "image/png", "application/xml;q=0.9", "nonsense", "application/pdf, a/b", "*/*; x*=no''y")
    for accept in types:
        assert_error(client.get("/api/forms", headers={"accept": accept}), 406, "not_acceptable")


def test_field_errors_are_named_by_their_paths_and_those_of_the_whole_body_non_field_errors() -> None:
    detail = drf.ValidationError(
        {"source": {"url": ["no", "bad"]}, "calls": [{}, {"call": ["illegal"]}], "a": "one", "list": [["deep"]]}
    ).detail
    named = {"source.url": ["no", "bad"], "calls.1.call": ["illegal"], "a": ["one"], "list.0": ["deep"]}
    found = field_errors(detail)
    assert {name: [reason["message"] for reason in reasons] for name, reasons in found.items()} == named
    whole = drf.ValidationError(["all of it"], code="whole").detail
    assert field_errors(whole) == {"nonFieldErrors": [{"code": "whole", "message": "all of it"}]}


def test_an_error_has_the_sentence_meta_and_headers_it_was_raised_with() -> None:
    error = errors.Conflict("Another sentence.", meta={"id": 1}, headers={"X-More": "yes"})
    assert (error.detail, error.meta, error.headers["X-More"]) == ("Another sentence.", {"id": 1}, "yes")
    assert errors.Conflict().detail != error.detail
    assert errors.InvalidToken(headers={"X-More": "yes"}).headers["WWW-Authenticate"]


def test_a_subclass_is_translated_before_its_base() -> None:
    assert isinstance(to_api_error(drf.AuthenticationFailed()), errors.InvalidToken)
    assert to_api_error(ValueError()) is to_api_error(None) is None
