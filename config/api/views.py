"""What all API views have in common, how each of them changes a row, and how a deprecated operation says so."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeVar, cast

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.http import http_date
from rest_framework import exceptions
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config import paths
from config.api.conditional import check_if_match, make_conditional, refuse_conditions
from config.api.errors import BadRequest, UnsupportedMediaType
from config.api.negotiation import AcceptNegotiation, MergePatchParser, django_request_of
from config.api.unknown_parameters import Queries, refuse_unknown
from config.database.transactions import retried_transaction
from config.values.request_id import CREDENTIALS

if TYPE_CHECKING:
    from rest_framework.generics import GenericAPIView as MixedInto
else:
    MixedInto = object

MIN_NOTICE = timedelta(days=180)
"""How long an operation is deprecated before it may go: at least this. The guide to versions promises it."""

GUIDE = f"{paths.API}/docs/versions#deprecation"

HEADERS: dict[str, dict[str, Any]] = {
    "Deprecation": {
        "description": "The moment from which this operation is deprecated (RFC 9745).",
        "schema": {"type": "string", "pattern": "^@[0-9]+$"},
    },
    "Sunset": {
        "description": "The moment from which this operation may be gone (RFC 8594).",
        "schema": {"type": "string"},
    },
    "Link": {
        "description": 'With rel="deprecation": what to read about it. Other relations may stand beside it.',
        "schema": {"type": "string"},
    },
}
"""The headers as the OpenAPI document describes them, by name."""

Handler = TypeVar("Handler", bound=Callable[..., Any])


@dataclass(frozen=True)
class Deprecation:
    """From when an operation is deprecated, from when it may be gone, and the address of what to read about it."""

    on: date
    sunset: date
    link: str

    def announce(self, response: HttpResponseBase) -> HttpResponseBase:
        """Return the answer with the headers. A Link that it has already keeps its relations."""
        response["Deprecation"] = f"@{timestamp(self.on)}"
        response["Sunset"] = http_date(timestamp(self.sunset))
        link = f'<{self.link}>; rel="deprecation"; type="text/html"'
        response["Link"] = f"{response['Link']}, {link}" if "Link" in response else link
        return response


def deprecated(*, on: date, sunset: date, link: str = "") -> Callable[[Handler], Handler]:
    """Mark a method of an API view as deprecated, from the beginnings of these days in UTC.

    `link` says what replaces the operation; by default it is the guide to versions. Raise ValueError for a sunset that
    comes too soon.
    """
    if sunset - on < MIN_NOTICE:
        raise ValueError(f"{sunset} is less than {MIN_NOTICE.days} days after {on}: give clients that time.")

    def mark(handler: Handler) -> Handler:
        handler.deprecation = Deprecation(on, sunset, link or settings.PUBLIC_BASE_URL + GUIDE)  # type: ignore[attr-defined]  # read by deprecation_of
        return handler

    return mark


def deprecation_of(handler: Any) -> Deprecation | None:
    """Return what `deprecated` has left at a method of a view. Return None for any other method."""
    return getattr(handler, "deprecation", None)


def compares_if_match(handler: Handler) -> Handler:
    """Mark a method of an API view that calls `check_if_match`. At any other unsafe one If-Match is refused."""
    handler.compares_if_match = True  # type: ignore[attr-defined]  # read by `has_comparison`
    return handler


def has_comparison(handler: Any) -> bool:
    return getattr(handler, "compares_if_match", False)


def timestamp(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())


PUBLIC = f"public, max-age={settings.PUBLIC_MAX_AGE}, must-revalidate"
PUBLIC_PAGE = PUBLIC.replace("max-age=", "max-age=0, s-maxage=") if settings.PUBLIC_MAX_AGE else PUBLIC
"""Only for caches in front. A browser asks each time, or a member would still see the page from before signing in."""

PRIVATE = "private, no-store"

WITH_ETAG = (HTTPStatus.OK, HTTPStatus.CREATED, HTTPStatus.ACCEPTED)
"""The statuses of answers that are a representation."""

ACCEPTS_OF = {"POST": "Accept-Post", "PATCH": "Accept-Patch"}
"""The header in which a refusal names the types of bodies. There is none for PUT."""


class ApiView(APIView):
    """The base of all API views: 405 before 401; OPTIONS without credentials; an ETag on every representation.

    Shared caches may store an anonymous answer of a `public_read` view; every other answer is the caller's alone.
    `queries` are the query parameters that each action, or each method of a view without actions, reads. The document
    has them from here, and any other is refused.
    `vary` names the request headers that choose between answers, also where one of them was not sent.
    `etag_methods` are those whose answer is what GET answers this caller, POST only where the view says so.
    `media_types` are the types of bodies that a refusal names, where they are not those of the parsers.
    """

    public_read: ClassVar[bool] = False
    queries: ClassVar[Mapping[str, Queries]] = {}
    etag_methods: ClassVar[frozenset[str]] = frozenset({"GET", "HEAD", "PATCH"})
    vary: ClassVar[Sequence[str]] = ("Authorization", "X-Impersonation-Id")
    media_types: ClassVar[Sequence[str]] = ()
    content_negotiation_class: type[BaseContentNegotiation] = AcceptNegotiation

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        method = (request.method or "").lower()
        if method not in self.http_method_names or not hasattr(self, method):
            self.http_method_not_allowed(request)
        if method == "options":
            return
        super().initial(request, *args, **kwargs)
        self.check_parameters(request)
        if method.upper() not in SAFE_METHODS:
            is_compared = has_comparison(getattr(self, method))
            refuse_conditions(request, compares_if_match=is_compared, is_readable=hasattr(self, "get"))

    def check_parameters(self, request: Request) -> None:
        """Refuse the query parameters that an operation of the API does not read, but not those that monitors add.

        Callers without permission have been refused before.
        """
        query = request.query_params
        if query and paths.is_under(request.path, paths.API):
            refuse_unknown(query, self.queries_of(request.method or ""))

    def queries_of(self, method: str) -> Queries:
        name = getattr(self, "action", None) or method.lower()
        return self.queries.get("get" if name == "head" else name, ())

    def permission_denied(self, request: Request, message: str | None = None, code: str | None = None) -> NoReturn:
        """Let the authentication say what a request without credentials lacks, where it has an error of its own."""
        for authenticator in request.authenticators or ():
            if not request.successful_authenticator and hasattr(authenticator, "missing_credentials"):
                raise authenticator.missing_credentials()
        super().permission_denied(request, message, code)

    def handle_exception(self, exc: Exception) -> Response:
        """Name the types of bodies that the address takes, in words and for programs, where it refuses one."""
        if isinstance(exc, exceptions.UnsupportedMediaType):
            types = ", ".join(self.media_types or [parser.media_type for parser in self.get_parsers()])
            accept = ACCEPTS_OF.get(self.request.method or "")
            headers = {accept: types} if accept else {}
            exc = UnsupportedMediaType(f"Name the type of the body in Content-Type: {types}.", headers=headers)
        return super().handle_exception(exc)

    def options(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return Response(status=HTTPStatus.NO_CONTENT)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = super().finalize_response(request, response, *args, **kwargs)
        django_request = django_request_of(request)  # REST framework looks up each attribute there, after its own
        method = django_request.method or ""
        patch_vary_headers(response, self.vary)
        is_of_all = self.public_read and method in SAFE_METHODS and CREDENTIALS.isdisjoint(django_request.META)
        response.setdefault("Cache-Control", PUBLIC if is_of_all else PRIVATE)
        if method in self.etag_methods and isinstance(response, Response) and response.status_code in WITH_ETAG:
            response.add_post_render_callback(partial(make_conditional, django_request))
        if deprecation := deprecation_of(getattr(self, method.lower(), None)):
            # After the above, so that a 304 says it too: a client that asks for changes may get nothing else.
            if not isinstance(response, Response):
                return deprecation.announce(response)
            response.add_post_render_callback(deprecation.announce)
        return response


def stored_response(body: Any, *, created: bool, route: str, key: object) -> Response:
    """Answer a POST with a row and its address: 201 when it is new, else 200."""
    location = settings.PUBLIC_BASE_URL + reverse(route, args=[key])
    status = HTTPStatus.CREATED if created else HTTPStatus.OK
    return Response(body, status=status, headers={"Location": location})


def require_body(request: Request) -> None:
    """Raise BadRequest for a request without a body, which REST framework takes for an empty object."""
    if not request.META.get("CONTENT_LENGTH", "").strip("0"):
        raise BadRequest("Send a JSON object with the fields, an empty one for none.")


class PatchMixin(MixedInto):
    """PATCH without PUT: read the body, lock the row, check If-Match, validate, save, answer with what is then stored.

    The body comes first, because a slow connection must hold no lock: on SQLite all writers would wait for it. The
    queryset decides what is locked: give `get_queryset` a `select_for_update(of=("self",))` for `partial_update`.
    """

    def get_parsers(self) -> list[Any]:
        """Read a merge patch (RFC 7396) as the JSON that it is. Other methods take plain JSON alone."""
        parsers: list[Any] = super().get_parsers()
        # drf-spectacular makes the request of an operation with the view's parsers, before the view has a request.
        request = cast("HttpRequest | None", self.request)
        return [*parsers, MergePatchParser()] if request and request.method == "PATCH" else parsers

    @compares_if_match
    def partial_update(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.change(request, request.data)

    @retried_transaction
    def change(self, request: Request, data: Any) -> Response:
        instance = self.get_object()
        require_body(request)
        check_if_match(request, *self.versions_of(instance))
        serializer = self.get_serializer(instance, data=data, partial=True)
        serializer.is_valid(raise_exception=True)
        self.perform_update(serializer)
        return Response(self.represent(self.get_queryset().get(pk=instance.pk)))

    def perform_update(self, serializer: Any) -> None:
        serializer.save()

    def represent(self, instance: Any) -> Any:
        """Return what GET answers this caller for the same row, so that both have the same ETag."""
        return self.get_serializer(instance).data

    def versions_of(self, instance: Any) -> list[Any]:
        """Return the representations of the row whose ETag If-Match may name. The first is that of `represent`."""
        return [self.represent(instance)]


class DeleteMixin(MixedInto):
    """DELETE: lock the row, check If-Match, delete. `represent` says what GET answers, as for PatchMixin.

    The queryset decides what is locked: give `get_queryset` a `select_for_update(of=("self",))` for `destroy`.
    """

    @compares_if_match
    @retried_transaction
    def destroy(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        instance = self.get_object()
        check_if_match(request, self.represent(instance))
        self.perform_destroy(instance)
        return Response(status=HTTPStatus.NO_CONTENT)

    def perform_destroy(self, instance: Any) -> None:
        instance.delete()

    def represent(self, instance: Any) -> Any:
        """Return what GET answers this caller for the row."""
        raise NotImplementedError  # each view has its own serializer, and a guess would compare a wrong ETag
