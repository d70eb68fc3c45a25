"""No answer's headers exceed 3 kB, whatever was requested: nginx answers 502 for long ones, and leaves the server out.

Each route is asked with addresses of 8,000 characters, the longest that the service reads.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.messages import constants
from django.contrib.messages.storage import default_storage
from django.test import Client, RequestFactory
from django.urls import get_resolver

from accounts.models import Account
from config.api.pagination import RELATIONS
from config.api.serializers import QuerySerializer
from config.edge.middleware import MAX_LOCATION_LENGTH
from config.edge.request_checks import MAX_URI_LENGTH
from tests import factories
from tests.config.admin.conftest import one_of_everything
from tests.conftest import token_of
from tests.routes import walk
from tests.service_client import ServiceClient

pytestmark = pytest.mark.django_db

MAX_HEADER_BYTES = 3000
TEXTS = {"slug": "tokens", "account_id": "owner", **dict.fromkeys(("int", "path", "str"), "1")}
PARAMETER = re.compile(r"<(?:(\w+):)?\w+>")


def subclasses(base: type[QuerySerializer]) -> Iterator[type[QuerySerializer]]:
    for each in base.__subclasses__():
        yield each
        yield from subclasses(each)


NAMES = sorted({name for each in subclasses(QuerySerializer) for name in each.names()} | {"next", "q", "_popup"})


def fill(start: str, piece: str) -> str:
    """Return an address that begins so, with as much of the piece as the service reads."""
    return start + piece * ((MAX_URI_LENGTH - len(start)) // len(piece))


def filled(pattern: str) -> str:
    return "/" + PARAMETER.sub(lambda found: TEXTS.get(found[1] or "str", factories.NOBODYS_ID), pattern)


def paths() -> Iterator[str]:
    """Yield a path of each route, and a long one of each that takes text in its path."""
    for pattern, _ in walk(get_resolver()):
        if pattern.startswith("^") or "(?P" in pattern:
            continue  # the admin's pattern of any path: /admin/nothing stands for it
        yield filled(pattern)
        if "<" in pattern:
            start, _, end = ("/" + pattern).partition("<")
            yield fill(start, "1")[: MAX_URI_LENGTH - 60] + PARAMETER.sub("1", "<" + end)
    yield from ("/static/nothing", "/nothing", "/api/nothing", "/admin/nothing", fill("/", "a"), fill("/admin/", "a"))


def addresses(path: str) -> Iterator[str]:
    """Yield the path with queries that fill the address: unknown parameters, known ones alone, and all of them."""
    yield fill(f"{path}?junk=", "a")
    yield fill(f"{path}?", "a=1&")
    yield fill(f"{path}?next=/", "%C3%A9")


def long_queries(path: str) -> Iterator[str]:
    for name in NAMES:
        for piece in ("a", "|", "%C3%A9"):
            yield fill(f"{path}?{name}=", piece)
    yield f"{path}?ids={','.join([factories.NOBODYS_ID] * 100)}"
    share = "a" * ((MAX_URI_LENGTH - len(path)) // len(NAMES) - 20)
    yield f"{path}?" + "&".join(f"{name}={share}" for name in NAMES)
    names = "&".join(f"{name}={'a' * 64}" for name in ("theme", "themeType", "auctionSystem"))
    yield f"{path}?page=2&userId={'|' * 255}&{names}&updatedSince=2026-11-22T12:00:00Z&sort=top"


def header_bytes(headers: Any) -> int:
    return sum(len(f"{name}: {value}\r\n".encode()) for name, value in headers)


def test_neither_a_route_nor_a_list_answers_an_address_of_8000_characters_with_long_headers() -> None:
    token = {"authorization": f"Bearer {token_of(factories.account('member'))}"}
    stranger, member = ServiceClient(), ServiceClient(headers={**token, "origin": "https://app.example"})
    service = ServiceClient(headers={"x-api-key": "an-api-key-for-tests-0123456789abcdef"})
    for path in paths():
        for address in addresses(path) if len(path) < MAX_URI_LENGTH / 2 else [path[:MAX_URI_LENGTH]]:
            for client in (stranger, member, service):
                for method in ("get", "head", "options", "post") if "junk" in address else ("get",):
                    answer = getattr(client, method)(address)
                    assert header_bytes(answer.sent_headers) <= MAX_HEADER_BYTES, (method, address[:60])
    for _ in range(5):
        factories.board()
    for path, client in {"/api/boards": stranger, "/api/deals": service, "/boards": member}.items():
        for address in long_queries(path):
            answer = client.get(f"{address}&pageSize=2")
            assert header_bytes(answer.sent_headers) <= MAX_HEADER_BYTES, address[:60]


def test_the_links_that_a_reader_needs_most_stay() -> None:
    def relations(user_id: str) -> list[str]:
        answer = ServiceClient().get("/api/boards", {"userId": user_id, "theme": "a" * 50, "page": "2"})
        return re.findall(r'rel="(\w+)"', answer["Link"])

    assert relations("a") == relations("a" * 250 + "|") == ["first", "prev", "last"]
    assert relations("|" * 180) == ["first", "prev"]
    assert relations("|" * 255) == ["prev"]
    assert set(relations("a")) < set(RELATIONS)


def test_no_page_of_the_admin_redirects_to_a_long_address_and_a_short_one_keeps_its_way_back() -> None:
    one_of_everything()
    boss, stranger = Client(), Client()
    boss.force_login(factories.account("boss", role="admin"))
    for path, _ in walk(get_resolver()):
        if not path.startswith("admin/") or "(?P" in path:
            continue
        for address in (*addresses(filled(path)), fill("/" + PARAMETER.split(path)[0], "1")[: MAX_URI_LENGTH - 10]):
            for client, method in ((stranger, "get"), (boss, "get"), (boss, "post")):
                answer = getattr(client, method)(address)
                sent = [*answer.items(), *(("Set-Cookie", each.OutputString()) for each in answer.cookies.values())]
                assert header_bytes(sent) <= MAX_HEADER_BYTES, (method, address[:80])
    answers = [stranger.get(fill("/admin/boards/board/?q=", "a")), stranger.get("/admin/boards/board/?q=a")]
    ways_back = [answer["Location"] for answer in answers]
    assert ways_back == ["/admin/login/", "/admin/login/?next=/admin/boards/board/%3Fq%3Da"]
    assert len(fill("/admin/", "a")) > MAX_LOCATION_LENGTH


def test_messages_of_the_admin_are_in_the_session_and_not_in_a_cookie() -> None:
    request = RequestFactory().get("/admin/")
    request.session, request.user = Client().session, Account()
    storage = default_storage(request)
    storage.add(constants.INFO, "a" * 1500)
    response = Client().get("/livez")
    storage.update(response)
    assert not response.cookies
