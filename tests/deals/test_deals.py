import re
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from config.api.pagination import Cursor
from deals.models import Deal
from tests import factories
from tests.answers import assert_error, field_errors
from tests.bridge.formats.pbn.files import READING

pytestmark = pytest.mark.django_db

CARDS = "N:AKQJ.T98.765.432 T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65"
HANDS = {
    "north": {"spades": "AKQJ", "hearts": "T98", "diamonds": "765", "clubs": "432"},
    "east": {"spades": "T987", "hearts": "765", "diamonds": "432", "clubs": "AKQ"},
    "south": {"spades": "654", "hearts": "32", "diamonds": "AKQJ", "clubs": "T987"},
    "west": {"spades": "32", "hearts": "AKQJ4", "diamonds": "T98", "clubs": "J65"},
}
SOURCE = {"name": "A dealing machine", "url": "https://deals.example/1", "licence": "CC0-1.0"}
MOMENT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture
def deal() -> Deal:
    return Deal.objects.create(cards=CARDS, **{f"source_{name}": text for name, text in SOURCE.items()})


def test_a_deal_has_all_its_fields(service: APIClient, deal: Deal) -> None:
    Deal.objects.update(
        created_at=MOMENT, updated_at=MOMENT, double_dummy_status="done", double_dummy="01234567899876543210", par={}
    )
    response = service.get(f"/api/deals/{deal.pk}")
    assert response.json() == {
        "id": str(deal.pk),
        "cards": CARDS,
        "dealKey": deal.layout.key,
        "hands": HANDS,
        "hcp": {"north": 10, "east": 9, "south": 10, "west": 11},
        "doubleDummyStatus": "done",
        "doubleDummy": {
            "N": {"C": 0, "D": 1, "H": 2, "S": 3, "NT": 4},
            "E": {"C": 5, "D": 6, "H": 7, "S": 8, "NT": 9},
            "S": {"C": 9, "D": 8, "H": 7, "S": 6, "NT": 5},
            "W": {"C": 4, "D": 3, "H": 2, "S": 1, "NT": 0},
        },
        "source": SOURCE,
        "createdAt": "2026-01-02T03:04:05.000000Z",
        "updatedAt": "2026-01-02T03:04:05.000000Z",
    }
    assert response["Cache-Control"] == "private, no-store" and "X-API-Key" in response["Vary"]


def test_the_list_is_paged_and_ordered_by_newest_then_id(service: APIClient) -> None:
    same_moment = sorted((factories.deal() for _ in range(3)), key=lambda deal: deal.pk)
    Deal.objects.update(created_at=MOMENT)
    newest, oldest = factories.deal(), factories.deal()
    Deal.objects.filter(pk=oldest.pk).update(created_at=MOMENT - timedelta(1))
    pages = [service.get(f"/api/deals?pageSize=2&page={page}").json() for page in (1, 2, 3, 4)]
    ids = [deal["id"] for page in pages for deal in page["deals"]]
    assert ids == [str(deal.pk) for deal in (newest, *same_moment, oldest)]
    assert pages[0]["deals"][0] == service.get(f"/api/deals/{newest.pk}").json()
    common, cursor = {"pageSize": 2, "totalCount": 5, "totalPages": 3}, Cursor("c", MOMENT, same_moment[2].pk).encode()
    assert pages[1]["pagination"] == {**common, "page": 2, "hasMore": True, "nextCursor": cursor}
    assert pages[3]["pagination"] == {**common, "page": 4, "hasMore": False, "nextCursor": None}


def test_following_the_link_by_cursor_reads_the_whole_list_once(service: APIClient) -> None:
    stored = sorted((factories.deal(source_name="a") for _ in range(8)), key=lambda deal: deal.pk)
    for deal, age in zip(stored, (0, 0, 1, 1, 1, 2, 2, 2), strict=True):
        Deal.objects.filter(pk=deal.pk).update(created_at=MOMENT - timedelta(age))
    factories.deal()
    for size in (1, 2, 3, 4, 8):
        seen, link = [], f"/api/deals?after=&pageSize={size}&source=a"
        while link:
            response = service.get(link)
            pagination = response.json()["pagination"]
            seen += [deal["id"] for deal in response.json()["deals"]]
            assert (pagination["page"], pagination["totalCount"]) == (None, 8)
            link = "".join(re.findall(r'<([^>]*)>; rel="next"', response["Link"]))
            assert bool(link) is pagination["hasMore"] is (pagination["nextCursor"] is not None)
        assert seen == [str(deal.pk) for deal in stored], size


def test_the_list_can_be_filtered_by_the_name_of_the_source_and_other_queries_are_refused(
    service: APIClient, deal: Deal
) -> None:
    factories.deal()
    for query, count in (("A%20dealing%20machine", 1), ("a%20dealing%20machine", 0), ("nobody", 0), ("", 2)):
        assert service.get(f"/api/deals?source={query}").json()["pagination"]["totalCount"] == count
    for query, name, code in (
        *(("after=x", "after", "invalid"), ("after=&page=1", "after", "invalid")),
        (f"after={Cursor('p', MOMENT, UUID(int=1)).encode()}", "after", "invalid"),
        *(("source=a&source=b", "source", "repeated"), ("pageSize=101", "pageSize", "max_value")),
        ("source=%00", "source", "null_characters_not_allowed"),
    ):
        assert field_errors(service.get(f"/api/deals?{query}")) == {name: [code]}


def test_a_longer_page_needs_no_more_queries(service: APIClient) -> None:
    for _ in range(30):
        factories.deal(source_name="a")
    counts = []
    for size in (3, 30):
        with CaptureQueriesContext(connection) as queries:
            assert len(service.get(f"/api/deals?source=a&pageSize={size}").json()["deals"]) == size
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_a_new_deal_is_created_and_can_be_read_at_its_location(service: APIClient) -> None:
    response = service.post("/api/deals", {"cards": CARDS, "source": SOURCE})
    created = response.json()
    assert (response.status_code, response["Location"]) == (201, f"http://testserver/api/deals/{created['id']}")
    assert service.get(response["Location"]).json() == created
    assert (created["cards"], created["source"]) == (CARDS, SOURCE)
    assert (created["doubleDummyStatus"], created["doubleDummy"]) == ("pending", None)


def test_the_same_cards_however_written_are_the_same_deal_and_a_void_may_be_left_out(
    service: APIClient, deal: Deal
) -> None:
    written: list[dict[str, Any]] = [
        {"cards": "E:T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65 AKQJ.T98.765.432"},
        {"cards": "s:456.23.jqka.789t 23.4jqka.89t.56j jqka.89t.567.234 789t.567.234.akq"},
        {"cards": "N:AKQJ.1098.765.432  10987.765.432.AKQ 654.32.AKQJ.10987 32.AKQJ4.1098.J65"},
        {"hands": HANDS},
    ]
    for body in written:
        response = service.post("/api/deals", {**body, "source": {"name": "Somebody else"}})
        assert (response.status_code, response["Location"]) == (200, f"http://testserver/api/deals/{deal.pk}"), body
        assert response.json() == service.get(f"/api/deals/{deal.pk}").json()
        assert Deal.objects.get().source_name == SOURCE["name"]
    one_suit_each = {seat: {suit: "AKQJT98765432"} for seat, suit in zip(HANDS, HANDS["north"], strict=True)}
    with_voids = service.post("/api/deals", {"hands": one_suit_each})
    assert with_voids.json()["cards"] == "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


def test_an_invalid_deal_is_refused_with_the_field_named_and_not_stored(service: APIClient) -> None:
    three_hands = {name: HANDS[name] for name in ("north", "east", "south")}
    for body, field, code in (
        *(({}, "cards", "one_of"), ({"cards": CARDS, "hands": HANDS}, "cards", "one_of")),
        *(({"cards": None}, "cards", "null"), ({"cards": 5}, "cards", "invalid"), ({"cards": ""}, "cards", "blank")),
        *(({"cards": "x" * 401}, "cards", "max_length"), ({"cards": "garbage"}, "cards", "malformed_deal")),
        ({"cards": CARDS.replace("J65", "J6")}, "cards", "wrong_card_count"),
        ({"cards": "N:AKQJ.T98.765.432 - - -"}, "cards", "unknown_hand"),
        ({"cards": CARDS.replace("32.AKQJ4", "AK.AKQJ4")}, "cards", "duplicate_card"),
        ({"hands": HANDS | {"west": HANDS["north"]}}, "hands", "duplicate_card"),
        *(({"hands": three_hands}, "hands.west", "required"), ({"hands": []}, "hands.nonFieldErrors", "invalid")),
        ({"hands": HANDS | {"middle": {}}}, "hands.middle", "unknown_field"),
        ({"cards": CARDS, "dealKey": "0"}, "dealKey", "unknown_field"),
        ({"cards": CARDS, "source": {}}, "source.name", "required"),
        ({"cards": CARDS, "source": {"name": ""}}, "source.name", "blank"),
        ({"cards": CARDS, "source": {"name": "a", "url": "javascript:alert(1)"}}, "source.url", "invalid"),
        ({"cards": CARDS, "source": {"name": "a", "colour": "red"}}, "source.colour", "unknown_field"),
        ({"cards": CARDS, "source": "a"}, "source.nonFieldErrors", "invalid"),
        ([], "nonFieldErrors", "invalid"),
    ):
        assert field_errors(service.post("/api/deals", body)) == {field: [code]}, body
        assert not Deal.objects.exists()


def test_the_source_can_be_replaced_and_removed_but_not_with_a_stale_etag(service: APIClient, deal: Deal) -> None:
    path = f"/api/deals/{deal.pk}"
    changed = service.patch(path, {"source": {"name": "A club"}})
    assert (changed.status_code, changed.json()["source"]) == (200, {"name": "A club", "url": "", "licence": ""})
    etag = changed["ETag"]
    assert etag == service.get(path)["ETag"]
    assert service.patch(path, {"source": None}, headers={"if-match": etag}).json()["source"] is None
    stale = service.patch(path, {"source": {"name": "Another"}}, headers={"if-match": etag})
    assert_error(stale, 412, "precondition_failed")
    deal.refresh_from_db()
    assert (deal.source_name, deal.source_url, deal.source_licence, deal.cards) == ("", "", "", CARDS)


def test_an_invalid_or_an_empty_patch_changes_nothing(service: APIClient, deal: Deal) -> None:
    before = Deal.objects.values().get()
    for body, field, code in (
        ({"source": {}}, "source.name", "required"),
        ({"source": {"url": "https://other.example"}}, "source.name", "required"),
        ({"source": {"name": "x" * 201}}, "source.name", "max_length"),
        ({"cards": CARDS}, "cards", "unknown_field"),
        ({"id": factories.NOBODYS_ID}, "id", "unknown_field"),
    ):
        assert field_errors(service.patch(f"/api/deals/{deal.pk}", body)) == {field: [code]}
    assert service.patch(f"/api/deals/{deal.pk}", {}).status_code == 200
    assert Deal.objects.values().get() == before


def test_a_deal_can_be_deleted_unless_a_board_shows_it(service: APIClient, deal: Deal) -> None:
    response = service.delete(f"/api/deals/{deal.pk}")
    assert (response.status_code, response.content) == (204, b"")
    for published in (True, False):
        board = factories.board(published=published, event="Friday pairs")
        response = service.delete(f"/api/deals/{board.deal_id}")
        assert assert_error(response, 409, "deal_in_use")["meta"]["boards"] == 1
        assert Deal.objects.get().pk == board.deal_id
        board.delete()
        Deal.objects.all().delete()


def test_the_pbn_file_of_a_deal_has_the_cards_and_nothing_of_its_boards_whatever_accept_says(
    service: APIClient,
) -> None:
    board = factories.board(calls="1NT Pass Pass Pass", event="Secret event")
    for accept in ("application/json", "text/html", "nonsense"):
        response = service.get(f"/api/deals/{board.deal_id}.pbn", headers={"accept": accept})
        record = READING.strictly.record(response.content)
        assert (record.layout, record.auction, record.event) == (board.deal.layout, None, "")
        assert response["Content-Type"] == "application/x-pbn; charset=utf-8"
        assert response["Content-Disposition"] == f'attachment; filename="deal-{board.deal_id}.pbn"'


def test_a_request_for_double_dummy_makes_an_unsolved_deal_pending(service: APIClient) -> None:
    for status, attempts, then in (
        *(("pending", 3, ("pending", 0)), ("failed", 3, ("pending", 0)), ("unavailable", 3, ("pending", 0))),
        ("done", 1, ("done", 1)),
    ):
        solution = {"double_dummy": "7" * 20, "par": {}} if status == "done" else {}
        deal = factories.deal(double_dummy_status=status, solver_attempts=attempts, **solution)
        response = service.post(f"/api/deals/{deal.pk}/double-dummy")
        assert (response.status_code, response.json()["doubleDummyStatus"]) == (202, then[0])
        assert response.json() == service.get(f"/api/deals/{deal.pk}").json()
        deal.refresh_from_db()
        assert (deal.double_dummy_status, deal.solver_attempts) == then
    deal = factories.deal(double_dummy_status="failed", solver_attempts=3)
    before = Deal.objects.filter(pk=deal.pk).values().get()
    for body, fields in (
        *(({"force": True, "seconds": 1}, {"force", "seconds"}), ({"cards": CARDS}, {"cards"})),
        *(([], {"nonFieldErrors"}), ("now", {"nonFieldErrors"})),
    ):
        assert field_errors(service.post(f"/api/deals/{deal.pk}/double-dummy", body)).keys() == fields
        assert Deal.objects.filter(pk=deal.pk).values().get() == before
    assert service.post(f"/api/deals/{deal.pk}/double-dummy", {}).status_code == 202


def test_an_unknown_deal_is_a_404_and_a_deal_cannot_be_put(service: APIClient, deal: Deal) -> None:
    for method, suffix in (("get", ""), ("patch", ""), ("delete", ""), ("get", ".pbn"), ("post", "/double-dummy")):
        response = getattr(service, method)(f"/api/deals/{factories.NOBODYS_ID}{suffix}")
        assert_error(response, 404, "not_found")
    response = service.put(f"/api/deals/{deal.pk}", {"cards": CARDS})
    assert response.status_code == 405
    assert {*response["Allow"].split(", ")} == {"GET", "PATCH", "DELETE", "HEAD", "OPTIONS"}
