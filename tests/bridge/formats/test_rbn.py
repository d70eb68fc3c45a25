"""Richard Pavlicek's notation: what a record says, what holds on, and where errors are."""

from dataclasses import replace

from hypothesis import given

from bridge.auction import Auction, Call
from bridge.board import TEXTS, BoardRecord
from bridge.contract import Contract
from bridge.layout import Layout
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability
from tests.bridge.formats.rbn_files import BOARD, CALLS, HANDS, HEADER, PLAY, READING, rbn
from tests.bridge.formats.reading import CARDS, content, refused
from tests.bridge.strategies import moderate, records

WHOLE = HEADER + BOARD


def test_it_reads_a_whole_record() -> None:
    calls = (Call("1NT", True), Call("Pass", True, "he had slept"), Call("Pass"), Call("Pass"))
    board = BoardRecord(Layout.parse(CARDS), Seat.NORTH, Vulnerability.ALL, board_number=7)
    texts = {"title": "Watch: the spots", "event": "Winter cup, Final", "site": "Delft NL, The club", "scoring": "IMP"}
    teams = {"stage": "Semifinal, 3", "room": "Open", "home_team": "Reds", "visit_team": "Blues"}
    assert READING.record(WHOLE) == replace(
        board,
        auction=Auction(Seat.NORTH, calls),
        contract=Contract.parse("1NT", Seat.NORTH),
        opening_lead="ST",
        play=("ST", "S4", "S2", "SA", "H8", "H5", "H2", "HA", "H4", "H9", "H6", "H3", "HT", "H7", "C7", "HJ"),
        tricks=9,
        date="1998.01.31",
        **texts,
        **teams,
    )


@moderate
@given(record=records())
def test_any_board_is_read_from_rbn(record: BoardRecord) -> None:
    auction = record.auction
    calls = tuple(Call(call.call, call.alert) for call in auction.calls) if auction else ()
    blank = dict.fromkeys((*TEXTS, "commentary", "deal_commentary", "auction_system"), "")
    expected = replace(record, auction=Auction(record.dealer, calls) if calls else None, **blank)
    assert READING.warned(rbn(record)) == (expected, [])


def test_windows_and_mac_line_ends_and_lines_that_say_nothing_of_a_board_change_nothing() -> None:
    for text in (WHOLE.replace("\n", "\r\n"), WHOLE.replace("\n", "\r"), WHOLE + "M 77777\nI items\n  and more\n"):
        assert READING.record(text) == READING.record(WHOLE)
    assert READING.outcomes(HEADER + "{Only a text}\n\nK a:b\n") == []


def test_what_does_not_change_holds_for_the_records_behind() -> None:
    bid = f"{CALLS}\nC 1N:N\n"
    first, second, third = READING.read_all(f"{WHOLE}\nN ::C\n{bid}\nB 8\n{HANDS}\nA WZ:1HA\n")
    calls = tuple(replace(call, explanation="") for call in first.auction.calls) if first.auction else ()
    auction = Auction(first.dealer, calls)
    assert second == replace(first, auction=auction, opening_lead="", play=(), tricks=None, room="Closed")
    assert (third.event, third.board_number, third.dealer) == (first.event, 8, Seat.WEST)
    assert third.contract == Contract.parse("1H", Seat.WEST)
    one, other = READING.outcomes(f"{BOARD}\nB 8\nA ES:1HA\n")  # another number does not get the hands
    assert (content(one).board_number, refused(other)) == (7, (2, "8", 9, "no_deal"))
    hands = "H N:T987.765.432.AKQ:AKQJ.T98.765.432:654.32.AKQJ.T987:"  # nor other hands the number
    assert [board.board_number for board in READING.read_all(f"{BOARD}\n{hands}\n")] == [7, None]


def test_what_is_wrong_is_named_with_its_line() -> None:
    for old, new, line, code in (
        (HANDS, "H W:32.AKQJ4.T98.J65:AKQJ.T98.765.432:", 12, "unknown_hand"),
        (HANDS, HANDS.replace("H W:3", "H W:A"), 12, "duplicate_card"),
        (HANDS, HANDS.replace("H W:3", "H W:x"), 12, "malformed_deal"),
        *((CALLS, "A NB:1N1C", 13, "illegal_call"), (CALLS, "A NB:1N[C", 13, "malformed_auction")),
        (CALLS, "A NB:1NPP(P)", 13, "malformed_auction"),
        (PLAY, PLAY.replace("42A", "2A"), 16, "illegal_play"),
        *((PLAY, PLAY.replace("T", "1"), 16, "malformed_card"), (PLAY, PLAY.replace("T", "["), 16, "malformed_play")),
        *(("C 1N:N", "C 1Q:N", 15, "malformed_contract"), ("C 1N:N", "C 1N:S", 15, "contract_contradicts_auction")),
    ):
        assert old in WHOLE
        assert refused(READING.refusal(WHOLE.replace(old, new))) == (1, "7", line, code)


def test_the_rules_for_contradictions_and_contracts_are_those_of_pbn() -> None:
    outcome = READING.board(WHOLE.replace("HT7C7J", "HT7C7A"))
    assert [(each.code, each.line) for each in outcome.warnings] == [("play_shortened", 16)]
    assert len(outcome.content.play) == 12
    assert READING.board(WHOLE.replace("C 1N:N", "C 1N:S").replace(CALLS, "A NB:")).is_doubtful
    assert READING.record(WHOLE.replace("C 1N:N\n", "")) == READING.record(WHOLE)
    board = READING.record(f"B 1\n{HANDS}\nA NZ:A\nC P:\nR 0\n")
    assert board.contract and board.contract.passed_out and board.tricks is None


def test_texts_are_read_however_short_they_are_written_and_with_any_character() -> None:
    for old, new, field, read in (
        *(("S S:3", "S 2", "stage", "Session 2"), ("S S:3", "S R32:1", "stage", "Round of 32, 1")),
        *(("S S:3", "S Q", "stage", "Quarterfinal"), ("S S:3", "S Slam:Ace", "stage", "Slam, Ace")),
        *(("19980131:1930", "199709", "date", "1997.09.??"), ("19980131:1930", "1955C", "date", "1955C")),
        *(("19980131:1930", "1997????", "date", "1997.??.??"), ("19980131:1930", "2001", "date", "2001.??.??")),
        *((":West+East:O", "::12", "table", "12"), (":West+East:O", "::12", "room", "")),
        *(("Winter cup:Final", text, "event", text) for text in ('A "cup" \\ a #', "#")),
    ):
        assert getattr(READING.record(WHOLE.replace(old, new)), field) == read, new
    text = "A NZ:1C is 30% a lie\n[Deal {x} was\nH N: funny} so"
    board = READING.record(WHOLE.replace("C 1N:N\n", f"C 1N:N\n{{{text}}}\n"))
    assert board == replace(READING.record(WHOLE), commentary=text)
    assert READING.record(WHOLE + "{No end").commentary == "No end"
