"""Richard Pavlicek's notation: what a record says, what holds on, and where errors are."""

from dataclasses import replace

from hypothesis import given
from pytest import Subtests

from deals.bridge.auction import Auction, Call
from deals.bridge.board import BoardRecord
from deals.bridge.contract import Contract
from deals.bridge.formats.outcomes import ReadBoard, RecordError
from deals.bridge.formats.raw_records import MAX_RECORD_SIZE
from deals.bridge.layout import Layout
from deals.bridge.seats import Seat
from deals.bridge.vulnerability import Vulnerability
from tests.bridge_strategies import records
from tests.deals.bridge.formats.rbn_files import BOARD, CALLS, CARDS, HANDS, HEADER, PLAY, READING, rbn
from tests.deals.bridge.moderate import moderate

WHOLE = HEADER + BOARD


def test_it_reads_a_whole_record() -> None:
    tricks = (("ST", "S4", "S2", "SA"), ("H8", "H5", "H2", "HA"), ("H4", "H9", "H6", "H3"), ("HT", "H7", "C7", "HJ"))
    calls = (Call("1NT", True), Call("Pass", True, "he had slept"), Call("Pass"), Call("Pass"))
    assert READING.record(WHOLE) == BoardRecord(
        layout=Layout.parse(CARDS),
        dealer=Seat.NORTH,
        vulnerability=Vulnerability.ALL,
        board_number=7,
        auction=Auction(Seat.NORTH, calls),
        contract=Contract.parse("1NT", Seat.NORTH),
        opening_lead="ST",
        play=tuple(card for trick in tricks for card in trick),
        tricks=9,
        title="Watch: the spots",
        event="Winter cup, Final",
        site="Delft NL, The club",
        date="1998.01.31",
        scoring="IMP",
        stage="Semifinal, 3",
        room="Open",
        home_team="Reds",
        visit_team="Blues",
    )


@moderate
@given(record=records())
def test_any_board_is_read_from_rbn(record: BoardRecord) -> None:
    auction = record.auction
    calls = tuple(Call(call.call, call.alert) for call in auction.calls) if auction else ()
    outcome = READING.board(rbn(record))
    assert not outcome.warnings
    assert outcome.content == BoardRecord(
        record.layout,
        record.dealer,
        record.vulnerability,
        record.board_number,
        Auction(record.dealer, calls) if calls else None,
        record.contract,
        record.opening_lead,
        record.play,
        record.tricks,
    )


def test_windows_and_mac_line_ends_are_read_too() -> None:
    for end in ("\r\n", "\r"):
        assert READING.record(WHOLE.replace("\n", end)) == READING.record(WHOLE)


def test_what_does_not_change_holds_for_the_records_behind() -> None:
    other = f"{CALLS}\nC 1N:N\n"
    first, second, third = READING.read_all(f"{WHOLE}\nN ::C\n{other}\nB 8\n{HANDS}\nA WZ:1HA\n")
    calls = tuple(replace(call, explanation="") for call in first.auction.calls) if first.auction else ()
    auction = Auction(first.dealer, calls)
    assert second == replace(first, auction=auction, opening_lead="", play=(), tricks=None, room="Closed")
    assert (third.event, third.board_number, third.dealer) == (first.event, 8, Seat.WEST)
    assert third.contract == Contract.parse("1H", Seat.WEST)


def test_another_board_number_does_not_get_the_hands_before_it() -> None:
    first, second = READING.outcomes(f"{BOARD}\nB 8\nA ES:1HA\n")
    assert isinstance(first, ReadBoard) and isinstance(second, RecordError)
    assert (second.board, second.line, second.code) == ("8", 9, "no_deal")


def test_other_hands_do_not_get_the_board_number_before_them() -> None:
    hands = "H N:T987.765.432.AKQ:AKQJ.T98.765.432:654.32.AKQJ.T987:"
    assert [board.board_number for board in READING.read_all(f"{BOARD}\n{hands}\n")] == [7, None]


def test_what_is_wrong_is_named_with_its_line(subtests: Subtests) -> None:
    for change, error in [
        ((HANDS, "H W:32.AKQJ4.T98.J65:AKQJ.T98.765.432:"), (1, "7", 12, "unknown_hand")),
        ((HANDS, HANDS.replace("H W:3", "H W:A")), (1, "7", 12, "duplicate_card")),
        ((HANDS, HANDS.replace("H W:3", "H W:x")), (1, "7", 12, "malformed_deal")),
        ((CALLS, "A NB:1N1C"), (1, "7", 13, "illegal_call")),
        ((CALLS, "A NB:1N[C"), (1, "7", 13, "malformed_auction")),
        ((CALLS, "A NB:1NPP(P)"), (1, "7", 13, "malformed_auction")),
        ((PLAY, PLAY.replace("42A", "2A")), (1, "7", 16, "illegal_play")),
        ((PLAY, PLAY.replace("T", "1")), (1, "7", 16, "malformed_card")),
        ((PLAY, PLAY.replace("T", "[")), (1, "7", 16, "malformed_play")),
        (("C 1N:N", "C 1Q:N"), (1, "7", 15, "malformed_contract")),
        (("C 1N:N", "C 1N:S"), (1, "7", 15, "contract_contradicts_auction")),
    ]:
        with subtests.test(change=change):
            assert change[0] in WHOLE
            refusal = READING.refusal(WHOLE.replace(*change))
            assert (refusal.record, refusal.board, refusal.line, refusal.code) == error


def test_the_rules_for_contradictions_are_those_of_pbn() -> None:
    outcome = READING.board(WHOLE.replace("HT7C7J", "HT7C7A"))
    assert [(each.code, each.line) for each in outcome.warnings] == [("play_shortened", 16)]
    assert len(outcome.content.play) == 12
    outcome = READING.board(WHOLE.replace("C 1N:N", "C 1N:S").replace(CALLS, "A NB:"))
    assert outcome.is_doubtful


def test_contract_and_declarer_may_come_from_the_auction_alone() -> None:
    assert READING.record(WHOLE.replace("C 1N:N\n", "")) == READING.record(WHOLE)


def test_a_passed_out_board_has_no_result() -> None:
    board = READING.record(f"B 1\n{HANDS}\nA NZ:A\nC P:\nR 0\n")
    assert board.contract and board.contract.passed_out and board.tricks is None


def test_a_text_in_braces_is_commentary_whatever_stands_in_it() -> None:
    text = "{A NZ:1C is 30% a lie\n[Deal {x} was\nH N: funny} so}"
    board = READING.record(WHOLE.replace("C 1N:N\n", f"C 1N:N\n{text}\n"))
    assert board == replace(READING.record(WHOLE), commentary="A NZ:1C is 30% a lie\n[Deal {x} was\nH N: funny} so")
    assert READING.record(WHOLE + "{No end").commentary == "No end"


def test_quotes_and_backslashes_stay_in_texts() -> None:
    assert READING.record('E A "cup" \\ a #\n' + BOARD).event == 'A "cup" \\ a #'
    assert READING.record("E #\n" + BOARD).event == "#"


def test_lines_that_say_nothing_of_a_board_are_passed_over() -> None:
    assert READING.record(WHOLE + "M 77777\nI items\n  and more\n") == READING.record(WHOLE)
    assert READING.outcomes(HEADER + "{Only a text}\n\nK a:b\n") == []


def test_a_stage_may_be_abbreviated() -> None:
    cases = [
        ("2", "Session 2"),
        ("R32:1", "Round of 32, 1"),
        ("Q", "Quarterfinal"),
        ("Slam Bidding:Blackwood", "Slam Bidding, Blackwood"),
    ]
    wrong = [
        (label, got)
        for label, expected in cases
        if (got := READING.record(WHOLE.replace("S S:3", f"S {label}")).stage) != expected
    ]
    assert wrong == []


def test_a_table_has_its_number() -> None:
    board = READING.record(WHOLE.replace(":West+East:O", "::12"))
    assert (board.room, board.table) == ("", "12")


def test_a_date_may_be_known_in_part() -> None:
    cases = [("199709", "1997.09.??"), ("1955C", "1955C"), ("1997????", "1997.??.??"), ("2001", "2001.??.??")]
    wrong = [
        (date, got)
        for date, expected in cases
        if (got := READING.record(WHOLE.replace("19980131:1930", date)).date) != expected
    ]
    assert wrong == []


def test_a_record_that_is_too_long_or_no_text_costs_none_of_its_neighbours() -> None:
    long = "E x\n" * (MAX_RECORD_SIZE // 4 + 1)
    first, too_long, no_text, last = READING.outcomes(f"{BOARD}\n{long}\nE \0\n\n{BOARD}")
    assert isinstance(first, ReadBoard) and isinstance(last, ReadBoard)
    assert isinstance(too_long, RecordError) and (too_long.line, too_long.code) == (9, "record_too_long")
    assert isinstance(no_text, RecordError) and no_text.code == "not_text"
    assert no_text.line == 9 + MAX_RECORD_SIZE // 4 + 2
