"""The markup of BridgeComposer's files, and that nobody else's text is touched."""

from dataclasses import replace

from hypothesis import given

from bridge.board import BoardRecord
from bridge.formats.files import read_boards
from bridge.formats.pbn.writer import HEADER, write_pbn
from tests.bridge import factories
from tests.bridge.formats.pbn.files import DEAL
from tests.bridge.formats.reading import Reading
from tests.bridge.strategies import moderate, records

READING = Reading(read_boards)
MADE_BY = "% PBN 2.1\n% EXPORT\n%Creator: BridgeComposer Version 5.92\n%BCOptions Center ShowHCP\n"
MARKUP = r"Lead the \SK, <b>not</b> a <i class=x>low</i> \H &amp; win &lt;3 \C&nbsp;tricks&mdash;<br>or \D."
TEXT = "Lead the ♠K, not a low ♥ & win <3 ♣\xa0tricks—\nor ♦."


def test_its_markup_becomes_plain_text() -> None:
    board = READING.record(
        f'{MADE_BY}[Event "Club &amp; \\\\S"]\n{DEAL}[Description "<b>Trump</b> \\H"]\n{{{MARKUP}}}\n'
        '[Auction "N"]\n1NT =1= Pass\n[Note "1:5+ \\S, <u>weak</u>"]\n'
    )
    assert (board.event, board.title, board.commentary) == ("Club & ♠", "Trump ♥", TEXT)
    assert board.auction and [call.explanation for call in board.auction.calls] == ["5+ ♠, weak", ""]


def test_the_texts_of_other_programs_stay_as_they_are() -> None:
    for header in ("", "% PBN 2.1\n", HEADER):
        assert READING.record(f"{header}{DEAL}{{{MARKUP}}}").commentary == MARKUP
    board = factories.record(title="%Creator: BridgeComposer", commentary=MARKUP)
    assert READING.record(HEADER + write_pbn(board)).commentary == MARKUP


def test_its_other_texts_and_errors_stay() -> None:
    board = READING.record(f"{MADE_BY}{DEAL}{{1 < 2 > 1, a\\nb &unknown; <unknown>}}")
    assert board.commentary == "1 < 2 > 1, a\\nb &unknown; <unknown>"
    assert READING.refusal(MADE_BY + DEAL.replace("AKQJ", "AKQQ")).code == "duplicate_card"
    for no_character in ("&#9999999;", f"&#{'9' * 5000};", f"&#x{'9' * 5000};"):
        assert READING.record(f"{MADE_BY}{DEAL}{{a {no_character} b}}").commentary == "a \ufffd b"


@moderate
@given(record=records())
def test_what_the_service_writes_comes_back_whatever_its_texts_are(record: BoardRecord) -> None:
    marked = replace(record, commentary=f"{record.commentary}\n{MARKUP}".strip("\n"))
    data = (HEADER + write_pbn(marked)).encode()
    assert (HEADER + write_pbn(READING.record(data))).encode() == data
