"""The filters event, dateFrom and dateTo of the lists and the gallery, and what an unknown name is answered."""

import json
from collections.abc import Iterable
from itertools import product
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from boards.models import Board
from deals.bridge.formats.pbn.writer import HEADER
from tests import factories
from tests.answers import field_errors
from tests.boards.catalogue.comparing import assert_readers_get_what_the_boards_say
from tests.boards.events.evenings import SLUG, board
from tests.boards.pages.opening import open_page
from tests.config.site.documents import Document

pytestmark = pytest.mark.django_db


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
    dated = open_page(client, "/boards?dateFrom=2026-11-20&dateTo=2026-11-26")
    assert page.texts("h2") == dated.texts("h2") == ["Wanted Board 1 of Friday pairs, 20 November 2026, The club"]
    inputs = dated.all("input", type="date")
    assert [(found["name"], found["value"]) for found, _ in inputs] == [
        ("dateFrom", "2026-11-20"),
        ("dateTo", "2026-11-26"),
    ]


def test_the_form_has_the_latest_events_and_the_selected_one(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boards.pages.finding.gallery.MAX_EVENTS", 1)
    board(1), board(1, event="Later", date="2026.12.01", site="")
    later, earlier = "Later, 1 December 2026", "Friday pairs, 20 November 2026, The club"
    for query, expected in (("", [later]), (f"?event={SLUG}", [later, earlier])):
        page = open_page(client, f"/boards{query}")
        assert [text for text in page.texts("option") if "2026" in text] == expected


def test_wrong_filters_are_answered_beside_their_fields(client: Client) -> None:
    board(1)
    dated, named = (client.get(f"/boards?event=nothing&dateFrom={day}") for day in ("tomorrow", "2026-01-01"))
    assert (dated.status_code, named.status_code) == (400, 400)
    assert Document(dated).texts("p", id="dateFrom-error") == ["Give a day as in 2026-11-20: year, month and day."]
    page, reason = Document(named), "Choose one of these: Friday pairs, 20 November 2026, The club."
    assert page.texts("p", id="event-error") == [reason]
    assert page.links()[f"Event: {reason}"] == "#event"
