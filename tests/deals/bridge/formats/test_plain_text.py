"""Boards as plain text."""

from dataclasses import replace

from hypothesis import given

from deals.bridge.auction import Auction, Call, auction_rows
from deals.bridge.board import BoardRecord, complete_record
from deals.bridge.formats.plain_text import write_plain_text
from deals.bridge.layout import Layout
from deals.bridge.seats import Seat
from deals.bridge.vulnerability import Vulnerability
from tests.bridge_strategies import records
from tests.deals.bridge.moderate import moderate

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


BOARD = complete_record(
    BoardRecord(
        Layout(CARDS),
        Seat.SOUTH,
        Vulnerability.EW,
        board_number=3,
        title='"Spades"',
        auction=Auction(Seat.SOUTH, CALLS),
        opening_lead="H8",
        tricks=12,
    )
)
BARE = BoardRecord(Layout(CARDS), Seat.SOUTH, Vulnerability.EW)


def test_a_board_is_written_as_plain_text_without_what_is_not_known() -> None:
    assert write_plain_text(BOARD) == WHOLE
    dealer, diagram = write_plain_text(BARE).split("\n", 1)
    assert dealer == "Dealer South, East-West vulnerable"
    assert diagram[0] == "\n" and diagram.endswith("♣ A7\n") and "West" not in diagram


def test_a_void_is_a_dash_and_a_long_suit_pushes_the_others_aside() -> None:
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


def test_an_auction_stands_in_columns_from_west() -> None:
    rows = auction_rows(Auction(Seat.EAST, CALLS[:2]))
    assert rows == [[None, None, Call("1NT"), Call("Pass")]]
    assert auction_rows(Auction(Seat.WEST, CALLS[:5]))[1] == [Call("2S"), None, None, None]
    assert auction_rows(Auction(Seat.WEST)) == []
