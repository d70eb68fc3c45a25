"""Whatever stands in an address after its question mark, no answer is a 5xx. On SQLite and PostgreSQL alike.

The routes are those of the URLconf. The parameters of a route are the names that its view looks up, and those in links
of its page to itself, so that a new route or parameter is tested without a line here.
"""

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from django.apps import apps
from django.contrib.admin.utils import quote as quote_key
from django.http import QueryDict
from django.urls import get_resolver
from rest_framework.test import APIClient

from accounts.mail_of_the_week import stop_link
from boards.collections.services import CollectionEntry, Texts, create_collection
from tests import factories
from tests.config.admin.conftest import one_of_everything
from tests.conftest import token_of
from tests.routes import walk
from themes.models import Theme

SCRIPT = "'\"><script>x"
VALUES = ("", "%20%09", "nothing", "x" * 2000, "%00", "%ff", "1&{name}=1", quote(SCRIPT))
IN_ROUTE = re.compile(r"\(\?P<(\w+)>[^)]*\)|<(?:\w+:)?(\w+)>")
LINK = re.compile(r"href=\"(\?[^\"]+)\"")
IN_LINK = re.compile(r"[?;](\w+)=")
IN_FORM = re.compile(r"<(?:input|select|textarea)[^>]* name=\"(\w+)\"")


def paths() -> list[str]:
    """Return every route. Of the admin's pages about one row, which differ by their view alone, return one of each."""
    found = {}
    for path, pattern in sorted(walk(get_resolver()), key=lambda route: "/boards/" in route[0]):
        found[pattern.callback.__qualname__ if "object_id" in path else path] = path
    return sorted(set(found.values()))


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return the set of the names that views look up among the query parameters."""
    names: set[str] = set()

    class Recorded(QueryDict):
        def get(self, name: Any, default: Any = None) -> Any:
            """Look up all but None, which REST framework asks for where no parameter names a format."""
            return default if name is None else super().get(name, default)

        def __contains__(self, name: Any) -> bool:
            names.add(name)
            return super().__contains__(name)

        def __getitem__(self, name: str) -> Any:
            names.add(name)
            return super().__getitem__(name)

        def getlist(self, name: str, default: Any = None) -> Any:
            names.add(name)
            return super().getlist(name, default)

        def dict(self) -> Any:
            return self  # so that what is looked up there is noted too

    monkeypatch.setattr("django.core.handlers.wsgi.QueryDict", Recorded)
    return names


def address(path: str) -> str:
    """Store one of everything. Return an address of the route at which there is something to see."""
    one_of_everything()
    board, theme = factories.board(event="Friday pairs", calls="1NT Pass Pass Pass"), Theme.objects.all()[0]
    ids: dict[str, Any] = {"account_id": "boss", "board_id": board.pk, "deal_id": board.deal_id}
    ids |= {"identifier": theme.identifier, "theme_type": theme.type, "slug": board.event_slug}
    ids |= {"name": "tokens", "number": 1, "app_label": "boards", "url": "nothing", "content_type_id": 1}
    ids |= {"size": 192, "kind": "svg", "token": stop_link("boss").rpartition("/")[2], "code": "BCDFGHJK"}
    ids |= {"pk": theme.pk if "themes" in path else board.pk, "upload_id": factories.NOBODYS_ID, "object_id": 1}
    if "collections/" in path:
        texts = Texts("Lesson", visibility="public")
        ids["pk"] = create_collection(owner=factories.account(), texts=texts, places=[CollectionEntry(board.pk)])[0].pk
    if path.startswith("api/deals/<any_uuid:pk>"):
        ids["pk"] = board.deal_id
    elif "object_id" in path and not path.startswith("admin/r/"):
        model = apps.get_model(*path.split("/")[1:3])
        ids["object_id"] = quote_key(model._default_manager.all()[0].pk)
    return "/" + IN_ROUTE.sub(lambda part: str(ids[part[1] or part[2]]), path).replace("^", "").rstrip("$")


def queries(names: set[str], fields: list[str]) -> Iterator[str]:
    """Yield each name with each value, and the names of a form's fields all at once. `names` may grow meanwhile."""
    tried: set[str] = set()
    while untried := sorted(names - tried):
        tried.update(untried)
        yield from (f"{name}={value.format(name=name)}" for name in untried for value in VALUES)
    for value in VALUES:
        yield "&".join(f"{name}={value.format(name=name)}" for name in fields)


@pytest.mark.django_db
@pytest.mark.parametrize("path", paths())
def test_no_value_of_any_parameter_crashes_a_page(path: str, names: set[str]) -> None:
    boss = factories.account("boss", role="admin")
    key = {"authorization": f"Bearer {token_of(boss)}", "x-api-key": "an-api-key-for-tests-0123456789abcdef"}
    stranger, known = (APIClient(raise_request_exception=False, headers=headers) for headers in ({}, key))
    known.force_login(boss)
    url, failed = address(path), []
    for client in (stranger, known):
        names.clear()
        page = client.get(url).getvalue().decode("utf-8", "replace")
        names |= {"unknown", *IN_LINK.findall("".join(LINK.findall(page)))}
        for query in queries(names, IN_FORM.findall(page)):
            answer = client.get(f"{url}?{query}")
            body = answer.getvalue()  # of a stream too
            assert SCRIPT.encode() not in body
            if answer.status_code >= 500:
                failed.append((query[:80], answer.status_code))
            elif answer.status_code >= 400 and path.startswith("api/"):
                assert json.loads(body).keys() == {"code", "message", "meta"}
    assert failed == []
