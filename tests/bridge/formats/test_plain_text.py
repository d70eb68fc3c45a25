"""Boards as plain text."""

from dataclasses import replace

from hypothesis import given

from bridge.auction import Auction, Call
from bridge.board import BoardRecord, complete_record
from bridge.formats.plain_text import write_plain_text
from bridge.layout import Layout
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability
from tests.bridge.strategies import moderate, records

CARDS = "E:J4.T965.64.JT965 AQT5.Q74.QJ53.A7 872.83.AT9872.K3 K963.AKJ2.K.Q842"
CALLS = (
    *(Call("1NT"), Call("Pass"), Call("2C", alert=True, explanation="Stayman\nasks for a major"), Call("Pass")),
    *(Call("2S"), Call("Pass"), Call("6S"), *[Call("Pass")] * 3),
)
WHOLE = """\
Board 3: "Spades"
Dealer South, East-West vulnerable

              ♠ K963
              ♥ AKJ2
              ♦ K
              ♣ Q842
♠ 872                       ♠ J4
♥ 83                        ♥ 10965
♦ A109872                   ♦ 64
♣ K3                        ♣ J10965
              ♠ AQ105
              ♥ Q74
              ♦ QJ53
              ♣ A7

West    North   East    South
                        1NT
Pass    2♣! 1   Pass    2♠
Pass    6♠      Pass    Pass
Pass

1. Stayman asks for a major

6♠ by South, lead ♥8
made, North-South +980
"""
BARE = BoardRecord(Layout(CARDS), Seat.SOUTH, Vulnerability.EW)
NAMED = replace(BARE, board_number=3, title='"Spades"')
BOARD = complete_record(replace(NAMED, auction=Auction(Seat.SOUTH, CALLS), opening_lead="H8", tricks=12))


def test_a_board_is_written_without_what_is_not_known_and_with_room_for_a_long_suit() -> None:
    assert write_plain_text(BOARD) == WHOLE
    dealer, diagram = write_plain_text(BARE).split("\n", 1)
    assert dealer == "Dealer South, East-West vulnerable"
    assert diagram[0] == "\n" and diagram.endswith("♣ A7\n") and "West" not in diagram
    one_suit_each = Layout("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")
    text = write_plain_text(replace(BARE, layout=one_suit_each))
    for shown in ("♠ AKQJ1098765432", "♠ -", "♣ AKQJ1098765432  "):
        assert shown in text


@moderate
@given(records())
def test_every_board_can_be_written_in_lines_without_trailing_blanks(record: BoardRecord) -> None:
    text = write_plain_text(record)
    assert text == "\n".join(line.rstrip() for line in text.split("\n"))
    assert sum(text.count(rank) for rank in "♠♥♦♣") >= 16


def test_suit_signs_of_files_are_symbols() -> None:
    auction = Auction(Seat.EAST, (Call("1S", explanation="5+!s"), *[Call("Pass")] * 3))
    record = BoardRecord(Layout.parse(CARDS), Seat.EAST, Vulnerability.NONE, auction=auction, title=r"<b>1\S</b>")
    text = write_plain_text(complete_record(record))
    assert text.startswith("1♠\n") and "\n1. 5+♠\n" in text
