"""GET /api/events, the files of an event, and the filters event, dateFrom and dateTo of lists and the gallery."""

import io
import json
import re
from collections.abc import Iterable
from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from boards.models import Board
from boards.services.bulk import unpublish_boards
from bridge.formats.files import FileFormat, read_boards
from bridge.formats.outcomes import ReadBoard
from bridge.formats.pbn.writer import HEADER
from tests import factories
from tests.answers import field_errors
from tests.boards.catalogue.comparing import assert_readers_get_what_the_boards_say
from tests.boards.events.evenings import SLUG, board, table
from tests.pages.documents import Document
from tests.pages.opening import open_page

pytestmark = pytest.mark.django_db


def events(client: APIClient) -> list[dict[str, Any]]:
    return client.get("/api/events").json()["events"]


def test_an_event_has_its_name_date_site_counts_and_addresses(anonymous: APIClient) -> None:
    table(1, 1, "1NT", "S", 7), table(1, 1, "1NT", "S", 8), board(2), board(3, published=False)
    links = {
        "event": f"http://testserver/api/events/{SLUG}",
        "ranking": f"http://testserver/api/events/{SLUG}/ranking",
        "boards": f"http://testserver/api/boards?event={SLUG}",
        "pbn": f"http://testserver/api/boards.pbn?event={SLUG}",
        "lin": f"http://testserver/api/boards.lin?event={SLUG}",
        "html": f"http://testserver/events/{SLUG}",
    }
    texts = {"slug": SLUG, "name": "Friday pairs", "date": "2026.11.20", "site": "The club"}
    assert events(anonymous) == [{**texts, "boards": 3, "deals": 2, "links": links}]
    for address in links.values():
        response = anonymous.get(address)
        assert response.status_code == 200 and response.getvalue()
    assert anonymous.get("/api/boards").json()["boards"][0]["eventSlug"] == SLUG


def test_an_event_is_listed_as_long_as_a_board_of_it_is_published(anonymous: APIClient) -> None:
    first, second = board(1), board(2)
    assert [event["boards"] for event in events(anonymous)] == [2]
    unpublish_boards([first.pk])
    assert [event["boards"] for event in events(anonymous)] == [1]
    second.delete()
    answer = anonymous.get("/api/events").json()
    assert (answer["events"], answer["pagination"]["totalCount"]) == ([], 0)


def test_the_list_is_read_in_pages_by_one_query_and_the_latest_come_first(anonymous: APIClient) -> None:
    dates = ("2026.11.21", "2026.11.20", "2026.11.??", "2026.??.??", "2025.12.31", "????.??.??")
    for date in reversed(dates):
        board(1, date=date)
    board(1, event="A match", date="2026.11.20")
    found = [(event["name"], event["date"]) for event in events(anonymous)]
    expected = [("Friday pairs", date) for date in dates]
    assert found == [expected[0], ("A match", "2026.11.20"), *expected[1:]]
    with CaptureQueriesContext(connection) as queries:
        response = anonymous.get("/api/events?page=2&pageSize=2&utm_source=red")
    assert len(queries) == 1
    page = response.json()
    assert [event["date"] for event in page["events"]] == ["2026.11.20", "2026.11.??"]
    counts = {"page": 2, "pageSize": 2, "totalCount": 7, "totalPages": 4}
    assert page["pagination"] == {**counts, "hasMore": True}
    assert '<http://testserver/api/events?page=3&pageSize=2>; rel="next"' in response["Link"]
    past = anonymous.get("/api/events?page=9").json()
    assert (past["events"], past["pagination"]["totalCount"]) == ([], 7)
    assert field_errors(anonymous.get("/api/events?pageSize=101")) == {"pageSize": ["max_value"]}
    etag = anonymous.get("/api/events")["ETag"]
    assert anonymous.get("/api/events", headers={"if-none-match": etag}).status_code == 304


def numbers(file: bytes, file_format: FileFormat) -> list[int | None]:
    """Return the board numbers of a file that our own reader takes without a word."""
    outcomes = list(read_boards(io.BytesIO(file), lambda record: None, file_format))
    assert all(isinstance(outcome, ReadBoard) and not outcome.warnings for outcome in outcomes)
    return [outcome.content.board_number for outcome in outcomes]


def test_the_file_of_an_event_goes_by_number_and_room(anonymous: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boards.files.exporting.CHUNK_SIZE", 2)
    for number, room in ((3, ""), (10, ""), (1, "Closed"), (2, ""), (1, "Open")):
        board(number, number, calls="1NT Pass Pass Pass", tricks=7, room=room)
    board(4, published=False), factories.board(number=5)
    for kind in (FileFormat.PBN, FileFormat.LIN):
        response = anonymous.get(f"/api/boards.{kind}?event={SLUG}")
        assert response["Content-Disposition"] == f'attachment; filename="{SLUG}.{kind}"'
        assert response["Content-Type"] == f"application/x-{kind}; charset=utf-8"
        file = response.getvalue()
        assert numbers(file, kind) == [1, 1, 2, 3, 10]
        dealt_by_east = anonymous.get(f"/api/boards.{kind}?event={SLUG}&dealer=E").getvalue()
        assert numbers(dealt_by_east, kind) == [2, 10]
        if kind is FileFormat.PBN:
            assert re.findall(rb'\[Room "(.+)"\]', file) == [b"Open", b"Closed"]
        others = anonymous.get(f"/api/boards.{kind}")
        assert others["Content-Disposition"] == f'attachment; filename="boards.{kind}"'
        assert numbers(others.getvalue(), kind) == [5, 1, 2, 1, 10, 3]


# --- Filters -------------------------------------------------------------------------------------------------


def found(client: APIClient, **query: Any) -> set[str]:
    """Return the boards of the list, which both orders, cursors and the stream agree on."""
    answer = client.get("/api/boards", {"pageSize": 100, **query}).json()
    pks = {each["id"] for each in answer["boards"]}
    assert answer["pagination"]["totalCount"] == len(pks)
    top = client.get("/api/boards", {"pageSize": 100, "sort": "top", **query}).json()
    assert {each["id"] for each in top["boards"]} == pks
    stream = client.get("/api/boards", query, headers={"accept": "application/x-ndjson"})
    assert {json.loads(line)["id"] for line in b"".join(stream.streaming_content).splitlines()} == pks
    by_cursor: set[str] = set()
    after: str | None = ""
    while after is not None:
        page = client.get("/api/boards", {"pageSize": 3, "after": after, **query}).json()
        by_cursor |= {each["id"] for each in page["boards"]}
        after = page["pagination"]["nextCursor"]
    assert by_cursor == pks
    return pks


def ids(boards: Iterable[Board]) -> set[str]:
    return {str(each.pk) for each in boards}


def test_event_and_dates_find_published_boards_in_every_list_beside_other_filters(anonymous: APIClient) -> None:
    wanted = [board(number) for number in (1, 2, 3, 4)]
    board(2, published=False), factories.board(number=2)
    for date in ("2026.11.27", "2026.11.19", "2026.11.??", ""):
        board(2, site="Another club", date=date)
    played: dict[str, Any] = {"dateFrom": "2026-11-20", "dateTo": "2026-11-26"}
    for query in ({"event": SLUG}, played):
        assert found(anonymous, **query) == ids(wanted), query
        assert found(anonymous, **query, dealer="E", vulnerability="NS") == ids(wanted[1:2]), query
        assert found(anonymous, **query, updatedSince="2999-01-01T00:00:00Z") == set(), query
    page = anonymous.get("/api/boards", {**played, "pageSize": 3, "page": 2}).json()
    assert [each["boardNumber"] for each in page["boards"]] == [1]
    assert_readers_get_what_the_boards_say()


def test_drafts_are_found_by_their_event_and_date_and_their_event_is_unknown_to_readers(support: APIClient) -> None:
    draft, _ = board(1, published=False), board(2, published=False, event="Saturday pairs", date="2026.11.21")
    board(3, event="Sunday pairs", date="2026.11.22")
    for query in ({"event": SLUG}, {"dateTo": "2026-11-20"}):
        assert found(support, published="false", **query) == ids([draft])
        assert found(support, **query) == set()


NO_DAYS = ("2026-11-31", "2026-11", "20.11.2026", "2026-11-20T00:00:00Z", "٢٠٢٦-١١-٢٠", "a")


def test_another_text_than_a_day_and_a_period_that_ends_before_it_begins_are_refused(anonymous: APIClient) -> None:
    for name, value in product(("dateFrom", "dateTo"), NO_DAYS):
        assert field_errors(anonymous.get("/api/boards", {name: value})) == {name: ["invalid"]}, value
    response = anonymous.get("/api/boards?dateFrom=2026-11-20&dateTo=2026-11-19")
    assert field_errors(response) == {"dateTo": ["invalid"]}


def test_an_unknown_name_finds_nothing(anonymous: APIClient) -> None:
    board(1)
    for name in ("theme", "themeType", "auctionSystem", "event", "userId"):
        assert found(anonymous, **{name: "nothing"}) == set(), name
    for ending, empty in ((".pbn", HEADER.encode()), (".lin", b"")):
        response = anonymous.get(f"/api/boards{ending}?event=nothing")
        assert (response.status_code, response.getvalue()) == (200, empty)


def test_the_gallery_selects_an_event_and_the_dates_of_play(client: Client) -> None:
    board(1, title="Wanted"), board(1, title="Other", date="2026.11.27")
    page = open_page(client, f"/boards?event={SLUG}")
    assert page.texts("h1") == ["Boards: Friday pairs, 20 November 2026, The club"]
    assert page.links()["Download as one PBN file"] == f"/api/boards.pbn?event={SLUG}"
    assert not page.is_indexed()
    dated = open_page(client, "/boards?dateFrom=2026-11-20&dateTo=2026-11-26&filters=open")
    assert page.texts("h2") == ["Wanted"], "the heading names the event"
    assert dated.texts("h2") == ["WantedBoard 1 of Friday pairs, 20 November 2026, The club"]
    inputs = dated.all("input", type="date")
    assert [(found["name"], found["value"]) for found, _ in inputs] == [
        ("dateFrom", "2026-11-20"),
        ("dateTo", "2026-11-26"),
    ]


def test_the_form_has_the_latest_events_and_the_selected_one(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.search.filter_form.MAX_EVENTS", 1)
    board(1), board(1, event="Later", date="2026.12.01", site="")
    later, earlier = "Later, 1 December 2026", "Friday pairs, 20 November 2026, The club"
    for query, expected in (("", [later]), (f"&event={SLUG}", [later, earlier])):
        page = open_page(client, f"/boards?filters=open{query}")
        assert [text for text in page.texts("option") if "2026" in text] == expected


def test_wrong_filters_are_answered_beside_their_fields(client: Client) -> None:
    board(1)
    dated, named = (client.get(f"/boards?event=nothing&dateFrom={day}") for day in ("tomorrow", "2026-01-01"))
    assert (dated.status_code, named.status_code) == (400, 400)
    assert Document(dated).texts("p", id="dateFrom-error") == ["Give a day as in 2026-11-20: year, month and day."]
    page, reason = Document(named), "Choose one of these: Friday pairs, 20 November 2026, The club."
    assert page.texts("p", id="event-error") == [reason]
    assert page.links()[f"Event: {reason}"] == "#event"
