"""A board that becomes a draft without the service is shown to nobody, though what is stored for its readers stays."""

from datetime import date
from itertools import product
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from boards.models import Board, BoardOfTheDay, PublishedBoard
from deals.models import FeedEvent
from tests import factories
from tests.boards.catalogue.comparing import assert_readers_get_what_the_boards_say
from tests.service_client import ServiceClient
from tests.test_access import ACCESS

pytestmark = pytest.mark.django_db

TITLE, EVENT = "Kept under seal", "Sealed evening"
FILTERS = (
    *("dealer=N", "event={slug}", "theme={theme}", "theme={theme}&dealer=N", "theme={theme}&event={slug}"),
    "updatedSince=2000-01-01T00:00:00Z",
)
QUERIES = {
    "/api/boards": ("after=", "sort=top", "pageSize=1", *FILTERS, "sort=top&theme={theme}"),
    "/boards": FILTERS,
    "/boards/print": FILTERS[:3],
    "/practice": FILTERS[:3],
}
"""What is asked of the lists beside nothing at all."""


def make_drafts(boards: list[Board]) -> None:
    """Take the date of publication from one board by the ORM and from the others by SQL."""
    Board.objects.filter(pk=boards[0].pk).update(published_at=None)
    with connection.cursor() as cursor:
        for board in boards[1:]:
            key = Board._meta.pk.get_db_prep_value(board.pk, connection)
            cursor.execute("UPDATE boards_board SET published_at = NULL WHERE id = %s", [key])


class World:
    """Two boards that become drafts, one of them alone in its event, and between them one that stays."""

    def __init__(self) -> None:
        theme = factories.theme()
        board = {"number": 1, "themes": (theme,), "date": "2026.11.21"}
        self.sealed = [factories.board(title=TITLE, event=EVENT, **board)]
        self.shown = factories.board(title="For everybody", event="Friday pairs", **board)
        self.sealed.append(factories.board(title=TITLE, event="Friday pairs", **(board | {"number": 2})))
        self.boards = [*self.sealed, self.shown]
        BoardOfTheDay.objects.create(day=date(2026, 11, 24), board=self.sealed[0])
        of_theme = {"<slug:identifier>": theme.identifier, "<slug:theme_type>": theme.type}
        self.values = of_theme | {"<int:number>": "1", "<slug:name>": "errors", "<account_id:pk>": "system"}
        self.theme = str(theme.pk)
        self.marks = [TITLE, EVENT, *(str(board.pk) for board in self.sealed)]

    def requests(self) -> list[tuple[str, str]]:
        """Return each address that anybody may read, in each way to ask, and the media type to ask for."""
        public = [path for method, path in ACCESS if method == "GET" and ACCESS[method, path][0] != 401]
        asked = [(path, each) for path, board in product(public, self.boards) for each in self.addresses(path, board)]
        streams = {(address, "application/x-ndjson") for path, address in asked if path == "/api/boards"}
        return sorted(streams | {(address, "*/*") for _, address in asked})

    def addresses(self, path: str, board: Board) -> list[str]:
        address = path.replace("<any_uuid:pk>", str(board.pk)).replace("<slug:slug>", board.event_slug)
        for name, value in self.values.items():
            address = address.replace(name, value)
        queries = [query.format(slug=board.event_slug, theme=self.theme) for query in QUERIES.get(path, ())]
        queries += [f"{query}&after={self.shown.pk}" for query in queries if path == "/practice"]
        return [address, *(f"{address}?{query}" for query in queries)]

    def shows(self, client: ServiceClient, address: str, accept: str) -> bool:
        """Tell whether the answer has a mark that is not in the request."""
        response: Any = client.get(address, headers={"accept": accept})
        answer = f"{response.get('Location', '')} {response.content.decode(errors='replace')}".replace(address, "")
        return any(mark in answer for mark in self.marks if mark not in address)


def test_no_public_address_shows_a_draft_that_was_made_without_the_service() -> None:
    world, client = World(), ServiceClient()
    requests = world.requests()
    before = [request for request in requests if world.shows(client, *request)]
    assert {address.partition("?")[0] for address, _ in before} >= {
        *("/", "/boards", "/boards/print", "/events", "/practice", "/sitemap-1.xml", "/api/boards", "/api/events"),
        *("/today", "/today.atom", "/today/embed"),
        *("/api/boards.pbn", f"/boards/{world.shown.pk}", f"/events/{world.shown.event_slug}"),
        *(f"/api/boards/{board.pk}" for board in world.sealed),
        *(f"/themes/{world.values['<slug:identifier>']}", f"/events/{world.sealed[0].event_slug}"),
    }
    make_drafts(world.sealed)
    assert [request for request in requests if world.shows(client, *request)] == []
    for address in (f"/api/boards/{world.sealed[0].pk}", f"/events/{world.sealed[0].event_slug}"):
        assert client.get(address).status_code == 404
    assert client.get("/api/boards?after=").json()["boards"][0]["title"] == "For everybody"


def test_a_walk_by_cursors_goes_past_drafts_that_were_made_without_the_service_until_they_are_refreshed() -> None:
    boards = [factories.board() for _ in range(8)]
    make_drafts(boards[2:6])
    ids: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        body = ServiceClient().get("/api/boards", {"after": cursor, "pageSize": 2}).json()
        ids += [board["id"] for board in body["boards"]]
        cursor = body["pagination"]["nextCursor"]
    assert ids == [str(board.pk) for board in reversed(boards[:2] + boards[6:])]
    call_command("refresh_boards", missing=True)
    assert_readers_get_what_the_boards_say()
    assert set(PublishedBoard.objects.values_list("pk", flat=True)) == {board.pk for board in boards[:2] + boards[6:]}
    assert FeedEvent.objects.filter(board_id=boards[2].pk).latest("pk").type == "board.unpublished"
