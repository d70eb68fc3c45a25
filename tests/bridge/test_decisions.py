"""Whom a board asks for a decision and from where on, and what other tables did there."""

from dataclasses import replace

from hypothesis import given

from bridge.auction import Auction
from bridge.board import BoardRecord, complete_record
from bridge.contract import Contract
from bridge.decisions import decisions_of, first_question, turns_of
from bridge.field import FieldTable, answers_at, count_calls
from bridge.layout import Layout
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability
from tests.bridge import factories, strategies

STAYMAN = "W:AJ5.AK42.A42.843 97632.7.J753.AJ6 4.QT83.K86.KT975 KQT8.J965.QT9.Q2"
TRANSFER = "S:Q6.A984.KQJT.QJ3 AT2.QT752.82.K94 KJ8543.3.654.T87 97.KJ6.A973.A652"
CONTESTED = "N:A82.42.A6543.Q52 Q73.QT987.K9.JT8 .AK653.QJ72.A764 KJT9654.J.T8.K93"
PASSED = "N:KT9.A8.QT976.Q72 A874.J765.K53.J6 652.KT32.A82.AT3 QJ3.Q94.J4.K9854"
STRONG = "E:76.8752.J43.KJ86 QT32.AQ9.AK2.AQ5 AK98.T43.Q987.43 J54.KJ6.T65.T972"
FLAT = "E:98.8752.J43.KJ86 KQ32.AQ9.A92.Q75 A654.T43.T876.43 JT7.KJ6.KQ5.AT92"


def board(deal: str, calls: str, number: int) -> BoardRecord:
    return factories.record(number=number, calls=calls.replace("P", "Pass"), cards=Layout.parse(deal))


BOARDS = {
    "the responder, not the opener whose answer is forced": (board(STAYMAN, "1NT P 2C P 2H P 4H P P P", 12), "E", 2),
    "the hand that chooses to transfer": (board(TRANSFER, "1NT P 2H P 2S P P P", 35), "N", 2),
    "a close decision before a clear opening": (board(CONTESTED, "P P 1H 1S 2D 2S 4D 4S X P P P", 21), "N", 4),
    "who is nearest to an opening where all passed": (board(PASSED, "P P P P", 25), "N", 0),
    "the raise, not the opening that nobody doubts": (board(STRONG, "P 2NT P 3NT P P P", 18), "N", 3),
    "an opening where nothing else was decided": (board(FLAT, "P 1NT P P P", 18), "S", 1),
}


def test_the_seat_with_a_decision_is_asked_from_there_on() -> None:
    for words, (record, seat, step) in BOARDS.items():
        asked = first_question(record)
        assert asked and (asked.seat, asked.step) == (seat, step), words
        assert step in turns_of(record, Seat(seat))


def test_a_seat_that_is_named_is_asked_and_leads_where_it_had_nothing_to_decide() -> None:
    record = board(FLAT, "P 1NT P P P", 18)
    found = {seat.value: first_question(record, seat=seat) for seat in Seat}
    assert {seat: (each.step, each.reason) for seat, each in found.items() if each} == {
        "N": (3, "response"),
        "E": (0, "opening"),
        "S": (1, "opening"),
        "W": (5, "lead"),
    }
    unknown = replace(record, auction=None)
    assert first_question(unknown) is None and first_question(unknown, seat=Seat.WEST) is None


def test_other_tables_make_a_decision_where_points_tell_none() -> None:
    record = board(STRONG, "P 2NT P 3NT P P P", 18)
    quiet = decisions_of(record)[2]
    assert (quiet.seat, quiet.score, quiet.acts) == ("W", 0, False)
    for others, points in (({"Pass": 20, "3S": 1}, 0), ({"Pass": 18, "3S": 2}, 1), ({"Pass": 3, "3S": 1}, 2)):
        decision = decisions_of(record, {2: others})[2]
        assert (decision.score, decision.acts) == (points, points > 0), others
    assert decisions_of(record, {2: {"Pass": 1}})[2].score == 0, "a table is no field"


def test_readers_tell_how_hard_a_close_decision_is_and_make_none() -> None:
    passed, strong = board(PASSED, "P P P P", 25), board(STRONG, "P 2NT P 3NT P P P", 18)
    for answers, points in (({"Pass": 2, "1D": 2}, 1), ({"Pass": 9, "1D": 1}, 2), ({"Pass": 3, "1D": 2}, 3)):
        decision = decisions_of(passed, readers={0: answers})[0]
        assert (decision.score, decision.acts) == (points, points > 1), answers
    divided = {step: {"Pass": 50, "X": 50} for step in range(4)}
    assert [each.score for each in decisions_of(strong, readers=divided)[:3]] == [0, 2, 0], "nobody doubts these"
    for others, points in (({"Pass": 18, "3S": 2}, 2), ({"Pass": 3, "3S": 1}, 2), ({"Pass": 20, "3S": 1}, 0)):
        assert decisions_of(strong, {2: others}, divided)[2].score == points, others
    assert first_question(passed, readers={3: {"Pass": 50, "1C": 50}}) == first_question(passed)


@strategies.moderate
@given(strategies.layouts(), strategies.auctions())
def test_whoever_is_asked_has_a_turn_there(layout: Layout, auction: Auction) -> None:
    record = complete_record(BoardRecord(layout, auction.dealer, Vulnerability.NONE, auction=auction))
    for seat in (None, *Seat):
        asked = first_question(record, seat=seat)
        assert asked is None or asked.step in turns_of(record, asked.seat)
        assert seat is None or asked is None or asked.seat is seat


def table(calls: str, lead: str = "", contract: str = "", score: int | None = None) -> FieldTable:
    parsed = Contract.parse(contract[:-1], Seat(contract[-1])) if contract else None
    return FieldTable(tuple(calls.replace("P", "Pass").split()), lead, parsed, score)


TABLES = [
    *[table("1C P 1S P P P", "H2", "1SN", 110)] * 2,
    table("1C P 1NT P P P", "S2", "1NTN", -50),
    table("1C P 1S P P P", "D2", "1SN", None),
    table("P 1H P P P", "S2", "1HE", -80),
    table("1C"),
    table(""),
]


def test_the_field_after_the_same_calls_is_counted_with_what_became_of_it() -> None:
    first = answers_at(TABLES, (), "NS")
    assert [(each.answer, each.tables, each.mean_score) for each in first] == [("1C", 5, 170 / 3), ("Pass", 1, -80)]
    assert [(str(contract), tables) for contract, tables in first[0].contracts] == [
        ("1S by North", 3),
        ("1NT by North", 1),
    ]
    answers = answers_at(TABLES, ("1C", "Pass"), "EW")
    assert [(each.answer, each.tables, each.mean_score) for each in answers] == [("1S", 3, -110), ("1NT", 1, 50)]
    leads = answers_at(TABLES, TABLES[0].calls, "EW")
    assert [(each.answer, each.tables) for each in leads] == [("H2", 2), ("D2", 1)]
    for before in (("1D",), ("Pass",), ("1C", "Pass", "1NT")):
        assert answers_at(TABLES, before, "NS") == [], "a table is no field"


def test_calls_are_counted_along_an_auction() -> None:
    counts = count_calls(TABLES, TABLES[0].calls)
    assert [dict(counts[step]) for step in range(4)] == [
        {"1C": 5, "Pass": 1},
        {"Pass": 4},
        {"1S": 3, "1NT": 1},
        {"Pass": 3},
    ]
