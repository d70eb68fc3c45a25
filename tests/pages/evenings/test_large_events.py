"""Events with many results: what reads many tables takes a permit, and beyond a bound a sentence stands for them."""

from typing import Any
from unittest.mock import Mock

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Account
from boards.collections.services import CollectionEntry, Texts, create_collection
from boards.events import counting, reading
from boards.models import Board
from config.edge.limits import exports
from tests import factories
from tests.boards.events.evenings import SLUG, table
from tests.members import signed_in
from tests.pages.evenings.test_event_pages import PAGE
from tests.pages.opening import open_page
from tests.pages.sharing.test_embed import may_be_framed
from tests.service_client import ServiceClient

pytestmark = pytest.mark.django_db

BUSY = "Many boards are being counted or compared. Try again in a few seconds."
MATCH = f"{PAGE}/match?home=Lions&visit=Bears&stage=Teams"
SHEETS = ("/our", "/our?pair=1", "/ranking", "/results", "/print")
OF_EVENT = (PAGE, f"{PAGE}?pair=1", f"{PAGE}/embed", f"{PAGE}/picture.png", MATCH, *(PAGE + sheet for sheet in SHEETS))


@pytest.fixture
def boards(monkeypatch: pytest.MonkeyPatch) -> list[Board]:
    """Store an evening of eleven tables, which are many, with a match. Board 2 was played at one table fewer."""
    monkeypatch.setattr("config.edge.limits.dear_reads.DEAR_ROWS", 3)
    monkeypatch.setattr("config.edge.limits.dear_reads.give_memory_back", int)  # what all tests have loaded is much
    monkeypatch.setattr(exports, "WAIT_SECONDS", 0)
    return store_evening()


def store_evening(tables: int = 4) -> list[Board]:
    stored = [
        table(deal, deal, "4S", "S", 8 + number % 4, table=str(number), pair_ns=str(number), pair_ew=f"{100 + number}")
        for deal in (1, 2)
        for number in range(1, tables + 2 - deal)
    ]
    teams = {"home_team": "Lions", "visit_team": "Bears", "stage": "Teams"}
    return stored + [
        table(2 + deal, 3, "4S", "S", 9 + (room == "Open"), room=room, **teams)
        for deal in range(1, tables - 1)
        for room in ("Open", "Closed")
    ]


def read(path: str) -> Any:
    return ServiceClient(REMOTE_ADDR="192.0.2.7").get(path)


def paths_of(boards: list[Board]) -> tuple[str, ...]:
    """Return the addresses at which many tables of the evening are read."""
    second = f"/boards/{boards[4].pk}"
    lists = f"/boards?event={SLUG}", f"/boards?start={len(boards)}"
    return (*OF_EVENT, f"/api{PAGE}", f"/api{PAGE}/ranking", second, f"{second}/traveller/embed", *lists)


def test_many_tables_are_read_with_a_permit_and_a_refusal_says_so(boards: list[Board]) -> None:
    other = factories.board(event="Another evening")
    exports.dear_reads.take("192.0.2.0")
    for path in paths_of(boards):
        refused, is_page = read(path), not ("/api/" in path or "/embed" in path)
        text = refused.content.decode()
        assert (refused.status_code, refused["Retry-After"], refused["Cache-Control"]) == (503, "5", "no-store"), path
        assert (BUSY in text, "<h1>Too much is running at once</h1>" in text) == (True, is_page), path
        assert may_be_framed(refused) == ("/embed" in path), path
    others = ("/", "/events", f"/boards?event={other.event_slug}", "/api/boards", f"/boards/{boards[0].pk}", "/themes")
    assert {path: read(path).status_code for path in others} == dict.fromkeys(others, 200)
    exports.dear_reads.free("192.0.2.0")


def test_each_takes_one_permit_and_gives_it_back(boards: list[Board], monkeypatch: pytest.MonkeyPatch) -> None:
    take = Mock(wraps=exports.dear_reads.take)
    monkeypatch.setattr(exports.dear_reads, "take", take)
    for path in paths_of(boards):
        take.reset_mock()
        assert (read(path).status_code, take.call_count) == (200, 1), path
        assert not exports.dear_reads.running, path


def test_the_hand_out_of_a_lesson_reads_many_tables_with_a_permit(boards: list[Board]) -> None:
    texts = Texts("Lesson", visibility="public")
    lesson, _ = create_collection(owner=factories.account(), texts=texts, places=[CollectionEntry(boards[0].pk)])
    exports.dear_reads.take("192.0.2.0")
    assert read(f"/lessons/{lesson.pk}/hand-out").status_code == 503
    exports.dear_reads.free("192.0.2.0")
    assert read(f"/lessons/{lesson.pk}/hand-out").status_code == 200


def test_a_member_s_many_boards_are_counted_with_a_permit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.edge.limits.dear_reads.DEAR_ROWS", 3)
    monkeypatch.setattr(exports, "WAIT_SECONDS", 0)
    exports.dear_reads.take("192.0.2.0")
    statuses = {}
    for name, own in (("few", 3), ("many", 4)):
        account = Account.objects.create(pk=name)
        for _ in range(own):
            factories.board(owner=account, event="Friday pairs")
        statuses[name] = signed_in(account).get("/account/boards").status_code
    exports.dear_reads.free("192.0.2.0")
    assert statuses == {"few": 200, "many": 503}


def test_an_event_that_is_too_large_is_one_sentence_and_a_link_and_no_table_is_read(
    client: Client, boards: list[Board], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "MAX_EVENT_TABLES", 10)
    sentence = "This event has more than 10,000 results, too many to compare on a page."
    shown = (PAGE, f"{PAGE}?pair=1", f"{PAGE}/embed")
    with CaptureQueriesContext(connection) as captured:
        for path in OF_EVENT:
            page = client.get(path)
            if path.endswith(".png"):
                assert (page.status_code, page["Content-Type"]) == (200, "image/png")
                continue
            text = page.content.decode()
            assert page.status_code == (200 if path in shown else 404), path
            assert sentence in text, path
            assert f'<a href="/boards?event={SLUG}">Its boards as a list</a>' in text, path
        assert client.get(f"/api{PAGE}/ranking").status_code == 404
    assert [each["sql"] for each in captured if "pair_ns" in each["sql"]] == []
    assert may_be_framed(client.get(f"{PAGE}/embed"))
    assert client.get(f"/boards?event={SLUG}").status_code == 200
    assert not exports.dear_reads.running


def test_a_board_of_an_event_that_is_too_large_is_compared_with_its_own_tables(
    client: Client, boards: list[Board], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/boards/{boards[4].pk}"
    assert "a top is 6; fewer scores count by Neuberg’s formula" in client.get(path).content.decode()
    monkeypatch.setattr(counting, "MAX_EVENT_TABLES", 10)
    assert "a top is 4." in client.get(path).content.decode()


def test_twice_the_tables_are_twice_the_rows(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    rows: dict[str, list[int]] = {path: [] for path in OF_EVENT}
    for tables in (6, 12):
        Board.objects.all().delete()
        store_evening(tables)
        for path, counts in rows.items():
            with monkeypatch.context() as patched:
                found: list[int] = []
                patched.setattr(reading, "fetch_rows", lambda *sql: counted(found, *sql))  # noqa: B023
                open_page(client, path) if not path.endswith(".png") else client.get(path)
                counts.append(sum(found))
    assert {path: counts for path, counts in rows.items() if counts[1] > 2.5 * counts[0]} == {}
    assert all(counts[0] for counts in rows.values())


def counted(found: list[int], *sql: Any) -> Any:
    rows = counting.fetch_rows(*sql)
    found.append(len(rows))
    return rows
