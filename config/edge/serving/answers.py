"""Whole public answers, as a process sends them again without Django, and who may get them (RFC 9111)."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import NamedTuple

from django.utils.http import parse_etags

from config.api.views import PUBLIC, PUBLIC_PAGE

Headers = Sequence[tuple[str, str]]

OF_ONE_REQUEST = frozenset({"x-request-id"})
# A cookie, and what one client has left at this moment.
OF_ONE_READER = frozenset({"set-cookie", "ratelimit"})
OF_ONE_ANSWER = frozenset({"etag", "content-length", "link"})
# They describe the body or the resource, which a reader of a 304 has.
NOT_IN_304 = frozenset({"allow", "content-disposition", "content-language", "content-security-policy", "content-type"})

# Requests with credentials get no answer from here.
VARY_IGNORED = frozenset({"authorization", "x-impersonation-id"})
# REST framework answers 406 by Accept without naming it in Vary, where a view has only one renderer.
VARY_ALWAYS = ("HTTP_ACCEPT",)


class Template(NamedTuple):
    """What all answers of a route to requests of one kind share. `vary` has the names in META that Vary names."""

    route: str
    headers: Headers
    vary: tuple[str, ...]


class PublicResponse(NamedTuple):
    """A whole 200. Its own headers are those that no other answer has, ETag and Content-Length included."""

    template: Template
    own_headers: Headers
    etag: str
    body: bytes

    def head(self, condition: str | None) -> tuple[HTTPStatus, list[tuple[str, str]]]:
        """Return the status and the headers for a reader with this If-None-Match.

        Tags are compared weakly (RFC 9110 §13.1.2). A 304 has none of the headers that the reader has (§15.4.5).
        """
        tags = [tag.removeprefix("W/") for tag in parse_etags(condition)] if condition else []
        if self.etag not in tags and tags != ["*"]:
            return HTTPStatus.OK, [*self.template.headers, *self.own_headers]
        headers = [each for each in self.template.headers if each[0].lower() not in NOT_IN_304]
        return HTTPStatus.NOT_MODIFIED, [*headers, ("ETag", self.etag)]


def vary_of(status: str, headers: Headers) -> tuple[str, ...] | None:
    """Return the names in META of the headers that chose an answer, or None for one that is not everybody's."""
    sent = {name.lower(): value for name, value in headers}
    names = {name.strip().lower() for name in sent.get("vary", "").split(",")} - VARY_IGNORED - {""}
    if (
        status[:3] not in ("200", "304")
        or sent.get("cache-control") not in (PUBLIC, PUBLIC_PAGE)
        or "etag" not in sent
        or not OF_ONE_READER.isdisjoint(sent)
        or "deprecation" in sent  # its 304 says so too, in headers and a Link that no other 304 has
        or names & {"*", "cookie"}
    ):
        return None
    return (*VARY_ALWAYS, *(f"HTTP_{name.upper().replace('-', '_')}" for name in sorted(names)))


def answer_of(route: str, vary: tuple[str, ...], headers: Headers, body: bytes) -> PublicResponse:
    """Return a whole answer of Django's in parts: what others of its kind share, and what is its own."""
    shared = [each for each in headers if each[0].lower() not in OF_ONE_ANSWER | OF_ONE_REQUEST]
    own = [each for each in headers if each[0].lower() in OF_ONE_ANSWER]
    return PublicResponse(Template(route, shared, vary), own, dict(own)["ETag"], body)
