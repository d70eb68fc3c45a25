from dataclasses import fields, replace

from hypothesis import given
from hypothesis import strategies as st
from pytest import raises

from bridge.auction import Auction, Call
from bridge.board import TEXTS, BoardRecord
from bridge.contract import PASSED_OUT, Contract
from bridge.errors import BridgeError
from bridge.formats.pbn.writer import HEADER, Analysis, write_pbn
from bridge.layout import Layout
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability
from tests.bridge.formats.pbn.files import DEAL, READING, read_all
from tests.bridge.formats.reading import CARDS
from tests.bridge.strategies import moderate, records

BARE = BoardRecord(Layout.parse(CARDS), Seat.EAST, Vulnerability.ALL)


def test_a_bare_deal_has_the_fifteen_mandatory_tags_in_order() -> None:
    assert write_pbn(BARE) == (
        '[Event "?"]\r\n[Site "?"]\r\n[Date "?"]\r\n[Board "?"]\r\n'
        '[West "?"]\r\n[North "?"]\r\n[East "?"]\r\n[South "?"]\r\n'
        '[Dealer "E"]\r\n[Vulnerable "All"]\r\n'
        '[Deal "E:T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65 AKQJ.T98.765.432"]\r\n'
        '[Scoring "?"]\r\n[Declarer "?"]\r\n[Contract "?"]\r\n[Result "?"]\r\n\r\n'
    )


FULL = replace(
    BARE,
    dealer=Seat.NORTH,
    board_number=5,
    auction=Auction(Seat.NORTH, (Call("1NT", True, "12-14"), *[Call("Pass")] * 3)),
    contract=Contract.parse("1NT", Seat.NORTH),
    opening_lead="H5",
    play=("H5", "H2"),
    tricks=7,
    commentary="A comment.",
    deal_commentary="Of the deal.",
    auction_system="Acol",
    **{name: text.choices[0] if text.choices else text.example or f"the {name}" for name, text in TEXTS.items()},
)


def test_each_field_of_a_record_survives_a_file() -> None:
    """A field that a reader does not know would be written and lost when the file is read.

    No board has a skill: the preview of a file makes it a theme.
    """
    again = READING.record(write_pbn(FULL))
    for name in {field.name for field in fields(BoardRecord)} - {"skill"}:
        assert getattr(FULL, name) not in (None, "", ()), name
        assert getattr(again, name) == getattr(FULL, name), name


def test_auction_play_and_notes_stand_in_columns() -> None:
    passed, note = Call("Pass"), "12-14"
    calls = (Call("1NT", True, note), passed, Call("2NT", True, note), passed, Call("3NT"), passed, passed, passed)
    texts = replace(BARE, title='A "fine" game', commentary="Well bid.", auction_system="Acol")
    bid = replace(texts, dealer=Seat.NORTH, auction=Auction(Seat.NORTH, calls))
    record = replace(bid, play=("H5", "H2", "HA", "H8", "D8"), tricks=9)
    assert write_pbn(record).split('[Scoring "?"]\r\n')[1].replace("\r\n", "\n") == (
        '[Declarer "N"]\n[Contract "3NT"]\n[Result "9"]\n[BidSystemNS "Acol"]\n[Description "A \\"fine\\" game"]\n'
        '{Well bid.}\n[Auction "N"]\n1NT =1= Pass    2NT =1= Pass\n3NT     Pass    Pass    Pass\n[Note "1:12-14"]\n'
        '[Play "E"]\nH5 H2 HA H8\n-  -  D8 -\n*\n\n'
    )


def test_what_has_not_ended_or_been_played_is_left_open() -> None:
    assert '[Declarer ""]\r\n[Contract "Pass"]\r\n[Result ""]' in write_pbn(replace(BARE, contract=PASSED_OUT))
    unfinished = replace(BARE, auction=Auction(Seat.EAST, (Call("1C"),)))
    assert "1C\r\n+\r\n" in write_pbn(unfinished)
    assert "1C\r\n*\r\n" in write_pbn(replace(unfinished, contract=Contract.parse("1C", Seat.EAST)))


def test_texts_keep_all_characters_but_control_characters() -> None:
    for text in ("?", "#", "##", "##Cup", "#1", 'quo"te', "back\\slash", "{brace}", "; no comment", "\\"):
        record = replace(BARE, event=text, title=text)
        assert read_all(write_pbn(record)) == [record]
    for text in (
        *("a } b {", "&#125; and &#37; and &amp;", "%escape\n% again", '[Event "x"]', "}", "&#38;#125;"),
        'one\n\n[Board "2"]\n\ntwo',
    ):
        record = replace(BARE, commentary=text)
        assert read_all(write_pbn(record)) == [record]
    lesson = '[show NS] Lead.\n[NEXT]\n  [Event "x"]\n[Deal"x"]'
    written = write_pbn(replace(BARE, commentary=lesson))
    assert '{[show NS] Lead.\r\n[NEXT]\r\n  &#91;Event "x"]\r\n&#91;Deal"x"]}' in written
    assert READING.record(written).commentary == lesson
    back = READING.record(write_pbn(replace(BARE, event="a\r\nb\tc\0", commentary="a\tb\0c\r\nd")))
    assert (back.event, back.commentary) == ("a b c", "a b c\nd")


def test_the_double_dummy_analysis_is_written_last() -> None:
    tricks = {seat: {"C": 4, "D": 5, "H": 6, "S": 13, "NT": 10} for seat in "NESW"}
    lines = write_pbn(replace(BARE, title="Squeeze"), Analysis(tricks, -420)).splitlines()
    assert lines[15:17] == ['[Description "Squeeze"]', '[OptimumScore "NS -420"]']
    assert lines[17:19] == ['[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]', "N NT 10"]
    assert [line[0] for line in lines[18:38]] == [*"NNNNNSSSSSEEEEEWWWWW"]
    assert lines[37:] == ["W  C  4", ""]
    assert '[OptimumScore "NS 0"]' in write_pbn(BARE, Analysis(tricks, 0))
    assert read_all(write_pbn(BARE, Analysis(tricks, 1))) == [BARE]


def test_the_longest_texts_make_lines_that_fit_and_longer_ones_are_refused() -> None:
    for text in ("x" * 230, '"' * 115, "\\" * 115):
        auction = Auction(Seat.EAST, (Call("1C", True, text),))
        record = replace(BARE, event=text, title=text, scoring=text, auction=auction)
        record.check()
        assert max(map(len, write_pbn(record).split("\r\n"))) <= 255
        assert read_all(write_pbn(record)) == [record]
    paragraph = " ".join(["declarer", "%", "[finesses]", "}"] * 200)
    record = replace(BARE, commentary=f"{paragraph}\n\n  {paragraph}")
    assert max(map(len, write_pbn(record).split("\r\n"))) <= 253
    assert read_all(write_pbn(record)) == [record]
    for text in ("x" * 231, '"' * 116):
        with raises(BridgeError, match="longer than the 230 characters"):
            replace(BARE, event=text).check()


def test_a_long_explanation_is_kept_and_only_cut_in_the_file() -> None:
    for text, cut in (("x" * 231, "x" * 229), ('xx"' + "\\" * 1997, 'xx"' + "\\" * 112), ("é" * 2000, "é" * 229)):
        record = replace(BARE, auction=Auction(Seat.EAST, (Call("1C", True, text), Call("Pass", True, text))))
        record.check()
        (written,) = read_all(write_pbn(record))
        assert written.auction and {call.explanation for call in written.auction.calls} == {f"{cut}…"}
        assert max(map(len, write_pbn(record).split("\r\n"))) <= 255
    for length, explanation, expected in ((2000, "x" * 2000, []), (2001, "", ["text_dropped"])):
        board, codes = READING.warned(f'{DEAL}[Auction "N"]\n1NT =1= *\n[Note "1:{"x" * length}"]')
        assert board.auction and board.auction.calls == (Call("1NT", True, explanation),) and codes == expected
    with raises(BridgeError, match="Call 1's explanation is longer than 2,000 characters"):
        replace(BARE, auction=Auction(Seat.EAST, (Call("1C", True, "x" * 2001),))).check()


@moderate
@given(st.lists(records(), max_size=3))
def test_any_records_are_read_back_from_pbn_the_same(boards: list[BoardRecord]) -> None:
    text = HEADER + "".join(map(write_pbn, boards))
    assert read_all(text) == boards
    assert "\t" not in text and "\n" not in text.replace("\r\n", "")
    assert text.endswith("\r\n")
