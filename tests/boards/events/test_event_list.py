"""GET /api/events, and the files of an event."""

import io
import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from boards.bulk import unpublish_boards
from deals.bridge.formats.files import FileFormat, read_boards
from deals.bridge.formats.outcomes import ReadBoard
from tests import factories
from tests.answers import field_errors
from tests.boards.events.evenings import SLUG, board, table

pytestmark = pytest.mark.django_db


def events(client: APIClient) -> list[dict[str, Any]]:
    return client.get("/api/events").json()["events"]


def test_an_event_has_its_name_date_site_counts_and_addresses(anonymous: APIClient) -> None:
    table(1, 1, "1NT", "S", 7), table(1, 1, "1NT", "S", 8), board(2), board(3, published=False)
    links = {
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
