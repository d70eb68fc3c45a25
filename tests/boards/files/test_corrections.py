"""The tables of an evening: each is a board of its own, and a later file corrects the one that is stored."""

from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from boards.files.options import ImportOptions
from boards.files.previews import dry_run_import
from boards.models import Board, Event
from boards.records import record_of
from bridge.board import BoardRecord
from bridge.contract import Contract
from bridge.seats import Seat
from deals.models import FeedEvent
from tests import factories
from tests.boards.admin.pages import pbn
from tests.boards.files.test_import import imported
from tests.bridge.factories import auction

pytestmark = pytest.mark.django_db

EVENING = {"event": "Friday pairs", "site": "Delft", "date": "2026.11.20"}


def table(number: int = 1, pair: int = 0, seed: int = 0, **values: Any) -> BoardRecord:
    """Return a table of an evening: the same contract and result at all of them. Without a pair nothing names it."""
    pairs = {"pair_ns": str(pair), "pair_ew": str(pair + 10)} if pair else {}
    contract = Contract.parse("1NT", Seat.NORTH)
    return factories.record(seed or number, number, **EVENING | {"contract": contract, "tricks": 7} | pairs | values)


def evening(**values: Any) -> list[BoardRecord]:
    """Return four boards at three tables each."""
    return [table(number, pair, **values) for number in (1, 2, 3, 4) for pair in (1, 2, 3)]


def stored() -> list[BoardRecord]:
    """Return what is stored, in the order of the files."""
    boards = Board.objects.select_related("deal", "auction_system").order_by("-created_at")
    return [record_of(board) for board in boards]


def preview(*records: BoardRecord) -> tuple[int, int, int]:
    """Return how many boards would be corrected, be new and stay the same."""
    report = dry_run_import(BytesIO(pbn(*records)), ImportOptions(owner_id="system"))
    new = sum(report.boards.values())
    return report.corrected_count, new, len(report.boards) - new - report.corrected_count


def test_each_table_of_each_evening_is_a_board_and_the_same_file_twice_stays_one(service: APIClient) -> None:
    records = [*evening(), *evening(event="Club B")]
    assert imported(service, pbn(*records))["boards"] == 24
    again = imported(service, pbn(*records))
    assert (again["boards"], again["corrected"], again["merged"]) == (0, [], [])
    assert imported(service, pbn(*records, table(4, 4)))["boards"] == 1
    assert stored() == [table(4, 4), *records]


def test_pairs_are_read_where_a_program_writes_them_in_the_place_of_names(service: APIClient) -> None:
    games = pbn(*(table(pair=pair) for pair in (1, 2))).decode()
    for pair in (1, 2):
        games = games.replace(f'[PairNS "{pair}"]', "").replace(f'[PairEW "{pair + 10}"]', "")
        games = games.replace('[North "?"]', f'[North "Para-{pair}"]', 1).replace('[East "?"]', '[East "A. Person"]')
    assert imported(service, games.encode())["boards"] == 2
    assert {(board.pair_ns, board.pair_ew) for board in stored()} == {("1", ""), ("2", "")}


def test_tables_that_nothing_tells_apart_are_counted_in_an_event_and_nowhere_else(service: APIClient) -> None:
    for record, boards in ((table(), 3), (table(event=""), 1), (replace(table(), contract=None, tricks=None), 1)):
        assert imported(service, pbn(*[record] * 3))["boards"] == boards, record
        assert imported(service, pbn(*[record] * 3))["boards"] == 0, record
    assert imported(service, pbn(*[table()] * 5))["boards"] == 2


def test_a_later_file_corrects_a_table_which_keeps_its_votes_and_the_former_file_undoes_it(service: APIClient) -> None:
    before = evening()
    ids = imported(service, pbn(*before), "?publish=true")["boardIds"]
    Board.objects.filter(pk=ids[4]).update(up_votes=3)
    for change, old, new in (
        ({"tricks": 9}, "result 7 tricks", "result 9 tricks"),
        ({"contract": Contract.parse("2SX", Seat.EAST)}, "contract 1NT by North", "contract 2SX by East"),
        ({"pair_ew": "9"}, "table 2 v 12", "table 2 v 9"),
        ({"pair_ns": "12", "pair_ew": "2"}, "table 2 v 12", "table 12 v 2"),
        (
            {"contract": None, "tricks": None, "adjustment": "A60-40"},
            "contract 1NT by North, result 7 tricks, adjusted score not given",
            "contract not given, result not given, adjusted score A60-40",
        ),
    ):
        after = [*before[:4], replace(before[4], **change), *before[5:]]
        assert preview(*after, table(1, 4)) == (1, 1, 11), change
        report = imported(service, pbn(*after))
        assert [(each["boardId"], each["old"], each["new"]) for each in report["corrected"]] == [(ids[4], old, new)]
        assert (report["boards"], report["boardIds"], stored()) == (0, ids, after)
        assert FeedEvent.objects.latest("id").type == FeedEvent.Type.BOARD_CHANGED
        assert len(imported(service, pbn(*before))["corrected"]) == 1 and stored() == before
    assert Board.objects.get(up_votes=3).published_at
    call_command("refresh_boards", "--check")


def test_the_report_lists_the_first_corrections_and_additions_and_counts_all(
    service: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    imported(service, pbn(*evening()))
    monkeypatch.setattr("boards.files.reports.MAX_CHANGES", 2)
    monkeypatch.setattr("boards.files.previews.MAX_REMARKS", 2)
    monkeypatch.setattr("boards.files.reports.BATCH_SIZE", 5)
    changed = [replace(each, tricks=8) if each.pair_ns == "1" else replace(each, scoring="MP") for each in evening()]
    assert preview(*changed) == (4, 0, 8)
    report = imported(service, pbn(*changed))
    assert (len(report["corrected"]), report["correctedCount"]) == (2, 4)
    assert (len(report["merged"]), report["mergedCount"]) == (2, 8)
    assert [each.tricks for each in stored()].count(8) == 4 and {each.scoring for each in stored()} == {"", "MP"}


def test_a_record_that_says_less_takes_nothing_from_a_table(service: APIClient) -> None:
    calls = auction(table(1, 2).dealer, "1NT Pass Pass Pass")
    full = replace(table(1, 2), auction=calls, opening_lead="", room="Open")
    before = [full, *evening()[3:]]
    ids = imported(service, pbn(*before), "?publish=true")["boardIds"]
    unplayed = replace(full, auction=None, contract=None, tricks=None)
    bare = replace(full, auction=None, room="")
    spoilt = pbn(table(1, 2, tricks=9)).replace(b'[Result "9"]', b'[Result "99"]')
    for file in (pbn(unplayed), pbn(bare), spoilt, pbn(full)):
        assert preview(*before) == (0, 0, len(before))
        report = imported(service, file)
        assert (report["boards"], report["corrected"], stored()) == (0, [], before), file
    assert imported(service, pbn(*before))["boardIds"] == ids
    call_command("refresh_boards", "--check")


def test_a_file_longer_than_a_batch_corrects_none_of_its_own_tables(
    service: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boards.files.reports.BATCH_SIZE", 4)
    sections = [*evening(), *evening(tricks=8)]
    assert preview(*sections) == (0, 24, 0)
    for boards in (24, 0):
        report = imported(service, pbn(*sections))
        assert (report["boards"], report["corrected"], stored()) == (boards, [], sections)
    moved = [replace(each, layout=factories.layout(9)) if each.board_number == 4 else each for each in evening()]
    Board.objects.all().delete()
    imported(service, pbn(*evening()))
    assert (preview(*moved), len(imported(service, pbn(*moved))["corrected"])) == ((3, 0, 9), 3)


def test_another_section_and_another_session_of_the_day_are_tables_of_their_own(service: APIClient) -> None:
    imported(service, pbn(*evening()))
    other_section = [replace(each, tricks=(each.tricks or 0) + 1) for each in evening()]
    report = imported(service, pbn(*other_section))
    assert (report["boards"], report["corrected"]) == (12, [])
    session = [replace(each, layout=factories.layout((each.board_number or 0) + 50)) for each in evening()]
    assert imported(service, pbn(*session[:-1]))["boards"] == 11
    late = imported(service, pbn(*session))
    assert (late["boards"], late["corrected"]) == (1, [])
    changed = [replace(session[0], tricks=9), *session[1:]]
    assert len(imported(service, pbn(*changed))["corrected"]) == 1
    assert len(stored()) == 36


def test_an_event_in_other_letters_is_the_same_evening_which_keeps_its_spelling(service: APIClient) -> None:
    for query in ("?publish=true", ""):
        names = {"event": f"Friday Pairs{query}", "site": "Delft Hall"}
        imported(service, pbn(*evening(**names)), query)
        names = {"event": f"FRIDAY  PAIRS{query}", "site": "DELFT HALL"}
        for tricks in (8, 7):  # corrected, and undone
            changed = [replace(each, tricks=tricks) if each.pair_ns == "2" else each for each in evening(**names)]
            assert preview(*changed) == (4, 0, 8), (query, tricks)
            report = imported(service, pbn(*changed), query)
            assert (report["boards"], report["correctedCount"]) == (0, 4), (query, tricks)
    assert {(each.event, each.site) for each in stored()} == {
        (f"Friday Pairs{query}", "Delft Hall") for query in ("", "?publish=true")
    }
    assert len(stored()) == 24


def test_an_evening_in_other_letters_is_ranked_once(service: APIClient, anonymous: APIClient) -> None:
    imported(service, pbn(*evening()), "?publish=true")
    changed = [replace(each, tricks=8) if each.pair_ns == "2" else each for each in evening(event="FRIDAY PAIRS")]
    imported(service, pbn(*changed), "?publish=true")
    (event,) = Event.objects.all()
    rankings = anonymous.get(f"/api/events/{event.slug}/ranking").json()["rankings"]
    assert {(each["side"], *sorted(pair["pair"] for pair in each["pairs"])) for each in rankings} == {
        ("NS", "1", "2", "3"),
        ("EW", "11", "12", "13"),
    }


def test_corrected_hands_of_a_board_move_its_tables(service: APIClient) -> None:
    deals = [replace(table(number), contract=None, tricks=None) for number in (1, 2, 3, 4)]
    before = [*deals, *evening()]
    ids = imported(service, pbn(*before), "?publish=true")["boardIds"]
    after = [replace(each, layout=factories.layout(9)) if each.board_number == 2 else each for each in before]
    report = imported(service, pbn(*after))
    assert ([each["boardId"] for each in report["corrected"]], report["boards"]) == ([ids[1], *ids[7:10]], 0)
    assert stored() == after
    call_command("refresh_boards", "--check")


def test_nothing_is_corrected_where_it_may_be_another_table(service: APIClient) -> None:
    imported(service, pbn(*evening(), *evening(date="")))
    factories.account("bob")
    better = table(2, 2, tricks=9)
    for other, query in (
        (better, "?userId=bob"),
        (replace(better, event="Monday pairs"), ""),
        (replace(better, pair_ns="4", pair_ew="14"), ""),
        (replace(better, pair_ns="", pair_ew=""), ""),
        (replace(better, board_number=6), ""),
        (replace(better, layout=factories.layout(9), date=""), ""),  # perhaps the evening of another week
        (replace(better, layout=factories.layout(8)), ""),  # alone, and perhaps of another session of that day
    ):
        report = imported(service, pbn(other), query)
        assert (report["boards"], report["corrected"]) == (1, []), other
    twice = imported(service, pbn(replace(better, tricks=8), replace(better, tricks=10)))
    assert (twice["boards"], twice["corrected"]) == (2, [])
    assert {*stored()} >= {*evening(), *evening(date="")}
