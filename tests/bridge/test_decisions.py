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
    "the leader, where nobody doubts a transfer": (board(TRANSFER, "1NT P 2H P 2S P P P", 35), "W", 8),
    "a close decision before a clear opening": (board(CONTESTED, "P P 1H 1S 2D 2S 4D 4S X P P P", 21), "N", 4),
    "who is nearest to an opening where all passed": (board(PASSED, "P P P P", 25), "N", 0),
    "the raise, not the opening that nobody doubts": (board(STRONG, "P 2NT P 3NT P P P", 18), "N", 3),
    "the leader, where nothing is close but the opening was bid": (board(FLAT, "P 1NT P P P", 18), "W", 5),
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
    for others, points in (
        ({"Pass": 17, "3S": 4}, 0),
        ({"Pass": 16, "3S": 4}, 1),
        ({"Pass": 5, "3S": 2}, 1),
        ({"Pass": 2, "3S": 1}, 2),
    ):
        decision = decisions_of(record, {2: others})[2]
        assert (decision.score, decision.acts) == (points, points > 0), others
    assert decisions_of(record, {2: {"Pass": 1}})[2].score == 0, "a table is not a field"
    for opened, points in (({"1C": 9, "2NT": 9}, 2), ({"Pass": 9, "2NT": 9}, 4)):
        assert decisions_of(record, {1: opened})[1].score == points, "which bid opens a hand is a matter of system"
    for opening, points in (("1C", 2), ("1S", 4)):
        answer = board_of("A9.KQ97.KJ63.865", [opening, "P", "2D"])
        assert decisions_of(answer, {2: {"2D": 9, "2H": 9}})[2].score == points, "so is which one answers a minor"


CLOSE = {
    "": ("QT92.Q3.Q854.AJ6", "9.K9872.A95.AT96", "J3.974.8.KQJT872"),
    "1NT P": ("4.QT83.K86.KT975", "A98.QT83.K86.T97"),
    "2NT P": ("952.K83.Q86.T975",),
    "1C P": ("KT8.A96.A95.7542", "5.8753.852.AT863"),
    "1H P": ("AK8.953.QJ82.532",),
    "1S P 2S P": ("AT9432.A98.A5.Q6",),
    "1D P 1H P": ("82.KQ4.AJ842.AK5",),
    "1C P 1D P": ("K94.J85.A.AQJ942",),
    "1NT P 2H P 2S P 2NT P": ("A943.JT5.AT7.AJ5",),
    "1D P 1H P 1NT P": ("AJ5.KJ75.Q763.53",),
    "1S P 2C P 2S P": ("K96.AJ7.965.AQJ6",),
    "1NT P 2C P 2D P": ("K985.Q832.K5.T97",),
    "1S 2C": ("A97.9832.K73.KT2",),
    "1D 3C": ("AJ87.QT65.74.K64",),
    "1H 2D X": ("T98.972.J765.AK2",),
}
PLAIN = {
    "": ("A987.K3.KT52.K73", "42.AT2.KT94.AJ86", "KQJ62.K74.QJ5.T6", "65.A7.AQT.QT9642", "652.87.943.KJT86"),
    "1NT P": ("Q75.K654.K7.K743", "K9854.Q83.K8.T97"),
    "2NT P": ("952.K83.QJ6.QT97", "QT975.K83.952.86"),
    "1C P": ("K94.KQ97.K63.865", "874.KQ64.982.Q98"),
    "1H P": ("AK82.95.QJ82.532", "AT9.2.J432.A9863"),
    "1S P 2S P": ("AT943.A98.K5.Q86", "AKT943.A98.A5.A6"),
    "1D P 1H P": ("AQ8.J4.AJ842.K85", "AK.T5.KQJ842.A85"),
    "1D P 1S P": ("T6.AQ93.KQT3.AK8",),
    "1NT P 2S P": ("A943.JT5.AT7.AJ5",),
    "1NT P 2H P 2S P 3NT P": ("A943.JT5.AT7.AJ5",),
    "1D P 1H P 1NT P": ("J85.KJ75.Q763.53",),
    "1D 1S": ("K4.AJ87.QJ42.T72", "K4.J987.A2.T7432"),
}


def test_a_call_is_close_where_players_begin_to_call_otherwise() -> None:
    """The reader's hand, by the calls before. A pass after them shows that nothing else counts."""
    for expected, cases in ((1, CLOSE), (0, PLAIN)):
        for calls, hands in cases.items():
            for hand in hands:
                turn = decisions_of(board_of(hand, f"{calls} P".split()))[-1]
                assert turn.score == expected, (hand, calls)


def board_of(hand: str, calls: list[str]) -> BoardRecord:
    """Return a board whose last call is that of this hand. The others have what is left, in any order."""
    suits = dict(zip("SHDC", hand.split("."), strict=True))
    left = [suit + rank for suit in suits for rank in "AKQJT98765432" if rank not in suits[suit]]
    order = Seat.NORTH.clockwise()
    own = order[(len(calls) - 1) % 4]
    hands = {own: suits}
    for number, seat in enumerate(each for each in order if each is not own):
        held = left[number::3]
        hands[seat] = {suit: "".join(card[1] for card in held if card[0] == suit) for suit in suits}
    said = " ".join(calls).replace("P", "Pass")
    return BoardRecord(
        Layout.from_hands(hands), Seat.NORTH, Vulnerability.NONE, auction=factories.auction(Seat.NORTH, said)
    )


def test_the_answer_to_stayman_is_forced_though_it_is_doubled() -> None:
    scores = {
        call: decisions_of(board_of("K982.KJ8.AQ8.KJ9", ["1NT", "P", "2C", "X", call]))[-1].score
        for call in ("P", "2D", "2S", "3C")
    }
    assert scores["P"] == scores["2D"] == scores["2S"] == scores["3C"] - 2


def test_readers_tell_how_hard_a_close_decision_is_and_make_none() -> None:
    passed, strong = board(PASSED, "P P P P", 25), board(STRONG, "P 2NT P 3NT P P P", 18)
    for answers, points in (({"Pass": 2, "1D": 2}, 1), ({"Pass": 8, "1D": 2}, 2), ({"Pass": 3, "1D": 2}, 3)):
        decision = decisions_of(passed, readers={0: answers})[0]
        assert (decision.score, decision.acts) == (points, points > 1), answers
    divided = {step: {"Pass": 50, "X": 50} for step in range(4)}
    assert [each.score for each in decisions_of(strong, readers=divided)[:3]] == [0, 2, 0], "nobody doubts these"
    for others, points in (({"Pass": 16, "3S": 4}, 2), ({"Pass": 2, "3S": 1}, 2), ({"Pass": 20, "3S": 1}, 0)):
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
        assert answers_at(TABLES, before, "NS") == [], "a table is not a field"


def test_calls_are_counted_along_an_auction() -> None:
    counts = count_calls(TABLES, TABLES[0].calls)
    assert [dict(counts[step]) for step in range(4)] == [
        {"1C": 5, "Pass": 1},
        {"Pass": 4},
        {"1S": 3, "1NT": 1},
        {"Pass": 3},
    ]
