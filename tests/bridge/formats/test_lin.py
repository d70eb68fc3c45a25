"""What real LIN files contain, a small table for each rule, and what of a board LIN can say."""

from dataclasses import replace
from io import BytesIO
from itertools import chain
from textwrap import wrap

from hypothesis import given
from hypothesis import strategies as st

from bridge.auction import Auction, Call
from bridge.board import TEXTS, BoardRecord
from bridge.contract import PASSED_OUT, Contract
from bridge.formats.files import read_boards
from bridge.formats.lin.reader import read_lin
from bridge.formats.lin.writer import write_lin
from bridge.formats.outcomes import ReadBoard, RecordError
from bridge.formats.raw_records import BLOCK_SIZE
from bridge.layout import Layout
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability
from tests.bridge.formats.lin.files import DEAL, HANDS, PLAYED, READING, outcomes, read_all, record, refusal
from tests.bridge.formats.reading import CARDS, content, refused
from tests.bridge.strategies import moderate, records


def test_a_bare_deal_is_a_board_of_the_dealer_that_its_digit_names() -> None:
    assert record(DEAL) == BoardRecord(Layout.parse(CARDS), Seat.SOUTH, Vulnerability.NONE)
    for digit, dealer in (("1", "S"), ("2", "W"), ("3", "N"), ("4", "E"), ("", "S"), ("0", "S")):
        assert record(f"md|{digit}{HANDS}|").dealer == dealer, digit


def test_hands_come_in_many_spellings_and_one_of_them_or_a_void_may_be_left_out() -> None:
    for hands in (
        "S456H23DJQKAC789T,S23H4JQKADT98CJ56,SAKQJH89TD567C234,ST987H567D234CAKQ",
        "s456h23djqkac789t,s23h4jqkad1098cj56,sakqjh8910d567c234",
        "S456H23DJQKAC789T,,SAKQJH89TD567C234,S10987H567D234CAKQ",
        "H23S456C789TDJQKA , S23H4JQKADT98CJ56,\nSAKQJH89TD567C234,,",
    ):
        assert record(f"md|2{hands}|").layout == Layout.parse(CARDS), hands
    north, _, _, west = record("md|1SAKQJT98765432,HAKQJT98765432,DAKQJT98765432,|").layout.hands
    assert (north, west) == ("..AKQJT98765432.", ".AKQJT98765432..")


def test_dealer_and_vulnerability_follow_from_the_board_number_where_they_are_not_given() -> None:
    board = record(f"md|{HANDS}|ah|Board 6|")
    assert (board.dealer, board.vulnerability) == (Seat.EAST, Vulnerability.EW)
    given = ("o", "None"), ("0", "None"), ("n", "NS"), ("E", "EW"), ("b", "All")
    for letter, vulnerability in (*given, ("", "All"), ("-", "All")):
        assert record(f"{DEAL}ah|Board 7|sv|{letter}|").vulnerability == vulnerability, letter


def test_the_heading_is_number_and_title_and_notes_are_the_commentary() -> None:
    for heading, number, title in (
        *(("Board 7", 7, ""), ("Board 07: Trump squeeze", 7, "Trump squeeze"), ("Donne 12", 12, ""), ("#3", 3, "")),
        (": Board 7", None, "Board 7"),
        ("A squeeze without the count", None, "A squeeze without the count"),
        ("Board 123456", None, "Board 123456"),
    ):
        board = record(f"{DEAL}ah|{heading}|")
        assert (board.board_number, board.title) == (number, title), heading
    board = record(DEAL + "nt|Lead the !HK.&#10;Why?|mb|p|nt|Well bid &#124; played|")
    assert board.commentary == "Lead the ♥K.\nWhy?\nWell bid | played"


def test_calls_are_alerted_and_explained_one_or_several_in_a_tag() -> None:
    board = record(f"{DEAL}mb|1N!|an|15-17, no 5!S|mb|p|mb|2d|an|hearts | 5+|mb|D!|an| lead|an|please|mb|r|mb|PASS|")
    assert board.auction is not None
    assert [(call.call, call.alert, call.explanation) for call in board.auction.calls] == [
        *(("1NT", True, "15-17, no 5♠"), ("Pass", False, ""), ("2D", False, "hearts | 5+")),
        *(("X", True, "lead please"), ("XX", False, ""), ("Pass", False, "")),
    ]
    board = record(f"{DEAL}mb|1cp1H!ppp|pc|CAc10|pc|C5|")
    assert board.auction is not None
    assert [call.call for call in board.auction.calls] == ["1C", "Pass", "1H", "Pass", "Pass", "Pass"]
    assert board.play == ("CA", "CT", "C5")


def test_cards_end_the_auction_and_a_claim_is_the_result() -> None:
    board = record("md|3" + HANDS + "|mb|1N|pc|H5|pc|H2|pg||pc|HA|pc|H8|mc|9|")
    assert board.contract == Contract.parse("1NT", Seat.NORTH)
    assert board.auction is not None and board.auction.complete
    assert (board.opening_lead, board.play, board.tricks) == ("H5", ("H5", "H2", "HA", "H8"), 9)
    led, passed_out = record(PLAYED + "pc|CA|"), record(DEAL + "mb|p|mb|p|mb|p|mb|p|mc|0|")
    assert (led.opening_lead, led.play) == ("CA", ())
    assert (passed_out.contract, passed_out.tricks) == (PASSED_OUT, None)


def test_a_keyed_lead_of_another_hand_and_passes_after_the_end_are_left_out() -> None:
    for more, codes, is_doubtful in (
        *(("pc|SA|mc|7|", ["lead_dropped"], False), ("pc|SA|pc|S2|pc|S4|pc|S7|", ["play_dropped"], True)),
        *(("mb|p!|mb|P|pc|CA|", ["passes_left_out"], False), ("mb|p|mb|1S|", ["auction_dropped"], False)),
        ("mb|NB|mb|p|pc|SA|", ["passes_left_out", "lead_dropped"], False),
    ):
        board = READING.board(PLAYED + more)
        assert ([warning.code for warning in board.warnings], board.is_doubtful) == (codes, is_doubtful), more
        assert "auction_dropped" in codes or board.content.auction == record(PLAYED).auction
        assert READING.refusal(PLAYED + more).code in ("illegal_lead", "illegal_call")


VUGRAPH = (
    "vg|Spring Cup,Final,I,1,2,Lions,0,Bears,0|\nrs|1NN+2,1NN=,,|\n"
    "pn|one,two,three,four,five,six,seven,eight|pg||\n"
    "qx|o1|" + PLAYED.replace("|sv|", "|st||sv|") + "nt|one: hello|pg||pc|CA|mc|9|pg||\n"
    "qx|c1|mb|1N|mb|p|mb|p|mb|p|mc|7|pg||\n"
    "qx|o2|md|4" + HANDS + "|sv|n|pg||mb|p|mb|p|mb|p|mb|p|pg||\n"
)


def test_a_vugraph_file_has_two_tables_a_board_and_no_names() -> None:
    boards = read_all(VUGRAPH)
    assert {(board.event, board.commentary) for board in boards} == {("Spring Cup", "")}
    assert [(board.board_number, board.dealer, board.vulnerability, board.tricks) for board in boards] == [
        *((1, "N", "None", 9), (1, "N", "None", 7), (2, "E", "NS", None)),
    ]


def test_boards_follow_each_other_with_and_without_qx() -> None:
    for file in (f"{DEAL}ah|Board 1|\n{DEAL}ah|Board 2|\n", f"qx|o1|pn|a,b|{DEAL}\nqx|o2|{DEAL}"):
        assert [board.board_number for board in read_all(file)] == [1, 2]
    for text in ("", "\n\n|||\n", "vg|Cup|rs||pn|a,b|pg||"):
        assert outcomes(text) == []


def test_a_deal_that_nobody_played_has_no_room() -> None:
    for rest, room in (("", ""), ("mb||pc||mc||", ""), ("mb|p|", "Open"), ("mc|9|", "Open"), ("pc|CA|", "Open")):
        assert record(f"qx|o1|{DEAL}{rest}").room == room, rest


def test_a_file_may_have_a_byte_order_mark_any_line_ends_and_latin_1() -> None:
    text = f"\r\n{DEAL}ah|Board 1: Café|\r\nsv|\r\nb|"
    for data in (b"\xef\xbb\xbf" + text.encode(), text.encode("latin-1"), text.replace("\r\n", "\r").encode()):
        (outcome,) = read_boards(BytesIO(data))
        board = content(outcome)
        assert (board.title, board.vulnerability) == ("Café", Vulnerability.ALL)


EXPLAINED = (
    "mb|1N!|an|15-17 balanced, may have a five-card major|mb|p|mb|2d|an|a transfer to the hearts|mb|p|"
    "nt|West leads the !H5. Now make a plan for the play before a card is touched.|mb|3N|mb|p|mb|p|mb|p|pc|H5|pg||"
)


def test_a_table_whose_lines_a_mail_program_has_broken_is_read_as_if_it_had_not() -> None:
    tables = [f"qx|o{number}|pn|A,B,C,D|md|3{HANDS}|ah|Board {number}: A plan|sv|b|{EXPLAINED}" for number in (1, 2, 3)]
    plain = [content(each) for each in outcomes("\n".join(tables))]
    for width in range(72, 77):
        at_column = [[table[start : start + width] for start in range(0, len(table), width)] for table in tables]
        at_blanks = [wrap(table, width, break_on_hyphens=False) for table in tables]
        for lines in (at_column, at_blanks):
            broken = outcomes("\r\n".join(chain(*lines)))
            assert [content(each) for each in broken] == plain, (width, lines)
    assert record(f"{DEAL}mb|1C|nt|My\nlines|an|may\nbe|").commentary == "My\nlines"


def test_comment_lines_are_passed_over_wherever_they_stand() -> None:
    for file in (f"%x|qx|o2|\n\n% y\n{PLAYED}pc|H5|", PLAYED.replace("|sv", "|\r%md|1|\rsv") + "pc|\n%\nH5|\n% 9"):
        assert record(file) == record(PLAYED + "pc|H5|"), file
        assert list(read_boards(BytesIO(file.encode()))) == outcomes(file), file
    long = outcomes(f"{DEAL}\n%{'|qx|x|' * BLOCK_SIZE}\nah|50 %|\nmb|8C|")
    assert content(long[0]).title == "50 %" and isinstance(long[0], ReadBoard) and long[0].warnings[0].line == 4


def test_it_refuses_a_malformed_or_illegal_value_at_its_line() -> None:
    for table, code, line in (
        *(("md|1S23|", "malformed_deal", 1), ("md|1S,H|", "malformed_deal", 1)),
        ("ah|Board 1|\nmd|1" + HANDS.replace("S456", "SX56") + "|", "malformed_deal", 2),
        ("md|1" + HANDS.replace("S456", "S455") + "|", "duplicate_card", 1),
        ("md|1" + HANDS.replace("S456", "S45") + "|", "wrong_card_count", 1),
        ("md|1" + HANDS.split(",")[0] + ",,,|", "unknown_hand", 1),
        *(("mb|1C|", "no_deal", 1), ("hello|world", "malformed_lin", 1), ("a zip\0", "not_text", 1)),
        (DEAL + "\n\nsv|x|", "malformed_vulnerability", 3),
        *((DEAL + "mb|8C|", "malformed_call", 1), (DEAL + "mb|1S|\nmb|1C|", "illegal_call", 1)),
        *((DEAL + "mb|1S|\npc|XX|", "malformed_card", 2), (DEAL + "pc|SA|", "lead_without_contract", 1)),
        (DEAL + "mb|" + "p" * 320 + "|", "malformed_auction", 1),
        *((DEAL + "mc|9|", "result_without_contract", 1), (PLAYED + "mc|14|", "impossible_result", 1)),
        *((PLAYED + "mc|many|", "impossible_result", 1), (PLAYED + "pc|SA|", "illegal_lead", 1)),
        (PLAYED + "pc|H5|pc|H2|pc|HA|pc|H8|mc|13|", "result_contradicts_play", 1),
    ):
        error = refusal(table)
        assert (error.code, error.line) == (code, line), table


def test_a_table_in_which_the_file_ends_within_a_tag_is_kept_up_to_there() -> None:
    for end in ("mb", "m", "mb|2", "mb|pa", "an|15-1", "nt|well", "ah|Board 1", "pc|H", "pc|H1", "mc|1"):
        board, codes = READING.warned(f"{PLAYED}pg||{end}")
        assert board == record(PLAYED) and codes == ["file_cut"], end
        assert refusal(f"{PLAYED}pg||{end}").code == "file_cut"
    board, codes = READING.warned(PLAYED + "nt|well | bid|m")
    assert (board.commentary, codes) == ("well | bid", ["file_cut"])
    first, further = outcomes(f"qx|o1|{PLAYED}qx|c1|mb|1N|mb|3")
    assert content(first).contract and content(further).auction == Auction(Seat.NORTH, (Call("1NT"),))
    for file in (DEAL + "mb|p", *(PLAYED + end for end in ("pg|", "sv|o", "pc|H5", "mc|9", "pg||\nGoodbye"))):
        assert READING.warned(file)[1] == [], file


def test_a_table_takes_no_deal_of_another_board_or_that_is_too_long() -> None:
    (_, error) = outcomes(f"qx|o1|{DEAL}qx|c2|mb|1C|")
    assert refused(error)[3] == "no_deal"
    for length, codes in ((400, []), (401, ["no_deal"])):
        deal = DEAL.removesuffix("|").ljust(len("md|") + length) + "|"
        first, further = outcomes(f"qx|o1|{deal}qx|c1|mb|p|")
        assert content(first).layout.cards == CARDS
        assert [outcome.code for outcome in (further,) if isinstance(outcome, RecordError)] == codes


BARE = BoardRecord(Layout.parse(CARDS), Seat.EAST, Vulnerability.ALL)


def without_what_lin_omits(record: BoardRecord) -> BoardRecord:
    """Return a record with the parts that LIN can say."""
    bid = record.auction if record.auction and record.auction.calls else None
    omitted = ("auction_system", "deal_commentary", *(TEXTS.keys() - {"title", "room"}))
    room = record.room if record.board_number and bid else ""
    kept = replace(record, auction=bid, room=room, **dict.fromkeys(omitted, ""))
    if bid and bid.complete:
        return kept
    return replace(kept, contract=None, opening_lead="", play=(), tricks=None)


def test_boards_are_written_as_bridge_base_does_with_seats_instead_of_players() -> None:
    assert write_lin(BARE) == (
        "pn|South,West,North,East|st||md|4S456H23DJQKAC789T,S23H4JQKAD89TC56J,SJQKAH89TD567C234,|rh||ah||sv|b|pg||\n"
    )
    calls = (Call("1NT", True, "12-14 | no ♠"), Call("Pass"), Call("3NT"), Call("X"), Call("XX"), *[Call("Pass")] * 3)
    texts = replace(BARE, board_number=7, title="Play it!", commentary="Lead the !HK.\nWhy?")
    bid = replace(texts, dealer=Seat.NORTH, vulnerability=Vulnerability.NS, auction=Auction(Seat.NORTH, calls))
    record = replace(bid, play=("H5", "H2", "HA", "H8", "D8"), tricks=9)
    assert write_lin(record).split("|rh||")[1] == (
        "ah|Board 7: Play it!|sv|n|nt|Lead the &#33;HK.&#10;Why?|"
        "mb|1N!|an|12-14 &#124; no !S|mb|p|mb|3N|mb|d|mb|r|mb|p|mb|p|mb|p|pg||"
        "pc|H5|pc|H2|pc|HA|pc|H8|pg||pc|D8|mc|9|pg||\n"
    )
    contract = Contract.parse("3NTXX", Seat.NORTH)
    assert read_all(write_lin(record)) == [replace(record, contract=contract, opening_lead="H5")]


def test_texts_are_escaped_and_read_back_the_same() -> None:
    texts = ("a|b", "!s and !S", "♠♥♦♣", "&#124;", "&#38;#124;", "line\nbreak", "md|1S|", "|", "Board 3", "50% !")
    for text in texts:
        record = replace(BARE, commentary=text, board_number=1, title=text.replace("\n", " "))
        assert read_all(write_lin(record)) == [record]


@moderate
@given(st.lists(records(), max_size=3))
def test_any_records_are_read_back_from_lin_as_far_as_it_can_say_them(boards: list[BoardRecord]) -> None:
    text = "".join(map(write_lin, boards))
    assert read_all(text) == [without_what_lin_omits(board) for board in boards]
    assert text.count("\n") == len(boards)


def test_blank_lines_in_a_block_of_their_own_count_once() -> None:
    for blocks in ([b"|\n\n3S4|"], [b"|\n", b"\n3S4|"], [b"|", b"\n", b"\n", b"3S4|"]):
        (error,) = read_lin(blocks)
        assert isinstance(error, RecordError) and error.line == 1, blocks
