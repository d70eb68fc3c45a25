from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from deals.bridge.auction import Auction, Call
from deals.bridge.board import TEXTS, BoardRecord
from deals.bridge.contract import Contract
from deals.bridge.formats.lin.writer import write_lin
from deals.bridge.layout import Layout
from deals.bridge.seats import Seat
from deals.bridge.vulnerability import Vulnerability
from tests.bridge_strategies import records
from tests.deals.bridge.formats.lin.files import read_all
from tests.deals.bridge.formats.reading import CARDS
from tests.deals.bridge.moderate import moderate

BARE = BoardRecord(Layout.parse(CARDS), Seat.EAST, Vulnerability.ALL)


def without_what_lin_omits(record: BoardRecord) -> BoardRecord:
    """Return a record with the parts that LIN can say."""
    bid = record.auction if record.auction and record.auction.calls else None
    omitted = ("auction_system", *(TEXTS.keys() - {"title", "room"}))
    room = record.room if record.board_number else ""
    kept = replace(record, auction=bid, room=room, **dict.fromkeys(omitted, ""))
    if bid and bid.complete:
        return kept
    return replace(kept, contract=None, opening_lead="", play=(), tricks=None)


def test_a_bare_deal_names_seats_instead_of_players() -> None:
    assert write_lin(BARE) == (
        "pn|South,West,North,East|st||md|4S456H23DJQKAC789T,S23H4JQKAD89TC56J,SJQKAH89TD567C234,|rh||ah||sv|b|pg||\n"
    )


def test_a_played_board_is_written_as_bridge_base_does() -> None:
    calls = (Call("1NT", True, "12-14 | no ♠"), Call("Pass"), Call("3NT"), Call("X"), Call("XX"))
    record = replace(
        BARE,
        dealer=Seat.NORTH,
        vulnerability=Vulnerability.NS,
        board_number=7,
        title="Play it!",
        commentary="Lead the !HK.\nWhy?",
        auction=Auction(Seat.NORTH, (*calls, *[Call("Pass")] * 3)),
        play=("H5", "H2", "HA", "H8", "D8"),
        tricks=9,
    )
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


def test_a_contract_without_its_auction_has_no_place_in_lin() -> None:
    record = replace(BARE, contract=Contract.parse("4S", Seat.NORTH), tricks=10)
    assert read_all(write_lin(record)) == [BARE]


@moderate
@given(st.lists(records(), max_size=3))
def test_any_records_are_read_back_from_lin_as_far_as_it_can_say_them(boards: list[BoardRecord]) -> None:
    text = "".join(map(write_lin, boards))
    assert read_all(text) == [without_what_lin_omits(board) for board in boards]
    assert text.count("\n") == len(boards)
