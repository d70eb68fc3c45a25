"""DLM, DUP, BRI and DGE: the same deals in each, with what their numbers imply. And deals alone, one a line."""

from hypothesis import given
from hypothesis import strategies as st
from pytest import raises

from bridge.board import BoardRecord
from bridge.formats.dealing_machines import write_dup
from bridge.formats.files import read_boards
from bridge.formats.outcomes import ReadBoard, RecordError
from bridge.formats.plain_text import read_bare_deals
from bridge.layout import Layout
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability, board_dealer, board_vulnerability
from tests.bridge.formats import dealing_files as files
from tests.bridge.formats.dealing_files import BRI, DGE, DLM, DUP, bri, dge, dlm, dup
from tests.bridge.formats.reading import CARDS, Reading, content, refused
from tests.bridge.strategies import layouts, moderate, seats

DEALS = st.lists(layouts(), min_size=1, max_size=4)
ONE = Layout("N:65.A53.JT7.AK762 AK87.QT4.AK98.95 JT9.982.Q532.Q83 Q432.KJ76.64.JT4")
OTHER = Layout("N:AQ63.J7.Q42.AKJ7 T942.T5.KT6.9643 J85.4.AJ8753.Q82 K7.AKQ98632.9.T5")
SETTINGS = b"YN1  0 2  "


def expected(deals: list[Layout], first: int = 1) -> list[BoardRecord]:
    return [
        BoardRecord(layout, board_dealer(number), board_vulnerability(number), number)
        for number, layout in enumerate(deals, start=first)
    ]


@moderate
@given(deals=DEALS, first=st.integers(1, 90))
def test_the_same_deals_are_read_from_each_layout(deals: list[Layout], first: int) -> None:
    assert DLM.read_all(dlm(deals, first)) == expected(deals, first)
    assert BRI.read_all(bri(deals)) == DGE.read_all(dge(deals)) == expected(deals)
    assert DUP.read_all(dup(deals, f"YN{first:<3}0 99 ".encode())) == expected(deals, first)


@moderate
@given(deals=DEALS, first=st.integers(1, 990))
def test_a_dup_file_that_is_written_is_read_again(deals: list[Layout], first: int) -> None:
    data = write_dup(deals, first)
    assert DUP.read_all(data) == expected(deals, first)
    assert len(data) == 156 * len(deals)


def test_dup_is_written_byte_by_byte_as_the_machine_takes_it() -> None:
    data = write_dup([ONE, OTHER], first=31)
    assert data[:26] == b"09101423253031344041474852"
    assert data[78:95] == b"\x0665\x03A53\x04JT7\x05AK762"
    assert data[146:156] == data[302:] == b"YN31 0 32 "
    assert write_dup([]) == b""
    for first in (0, 999):
        with raises(ValueError, match="from 1 to 999"):
            write_dup([ONE, OTHER], first)


def test_what_is_wrong_in_a_dlm_file_is_named() -> None:
    letters = files.dlm_letters(ONE)
    assert files.dlm_line(1, letters).endswith("Board 01=fokfapmnnkpbcfibeooicpgahi022\r\n")  # as a machine wrote it
    fourteen_cards = files.dlm_line(1, letters), files.dlm_line(1, "b" + letters[1:])
    for change, error in (
        (("Board 01=fok", "Board 01=fo!"), (1, "1", 12, "malformed_deal")),
        (("Board 01=fok", "Board 01=fof"), (1, "1", 12, "checksum_mismatch")),
        (fourteen_cards, (1, "1", 12, "wrong_card_count")),
        (("From board=1", "From board=0"), (3, "0", 208, "no_deal")),
        (("From board=1", "From=1"), (1, "", 12, "malformed_header")),
        (("Crypto key=0", "Crypto key=7"), (1, "", 12, "encrypted_file")),
        (("Board 01=fok", "Bord 01=fok"), (2, "1", 208, "no_deal")),
    ):
        outcomes = DLM.outcomes(dlm([ONE, OTHER]).decode().replace(*change))
        assert error in [refused(outcome) for outcome in outcomes if isinstance(outcome, RecordError)], change
    # A key behind the first board refuses the second, by its own number.
    encrypted = dlm([ONE, OTHER]).replace(b"Crypto key=0", b"").replace(b"Board 02", b"Crypto key=7\nBoard 02")
    first, second = DLM.outcomes(encrypted)
    assert (content(first).board_number, refused(second)[::3]) == (1, (2, "encrypted_file"))


def test_what_is_wrong_in_a_binary_file_is_named() -> None:
    diagram, other_diagram, whole_dup = files.dge_diagram(ONE), files.dge_diagram(OTHER), dup([ONE], SETTINGS)
    for reading, data, code in (
        (BRI, bri([ONE]).replace(b"09", b"53", 1), "malformed_deal"),
        (BRI, bri([ONE]).replace(b"09", b"10", 1), "duplicate_card"),
        (BRI, bri([ONE])[:70], "malformed_deal"),
        (DGE, dge([ONE]).replace(b"65", b"6A", 1), "duplicate_card"),
        (DGE, dge([ONE]).replace(b"\x03", b"x", 1), "malformed_deal"),
        (DUP, whole_dup[:76], "malformed_deal"),
        (DUP, whole_dup.replace(diagram, other_diagram), "deals_differ"),
    ):
        (outcome,) = reading.outcomes(data)
        assert refused(outcome) == (1, "1", 1, code)


def test_a_dup_file_needs_neither_its_diagrams_nor_a_number() -> None:
    diagram = files.dge_diagram(ONE)
    for other in (b" " * 68, diagram.replace(b"K", b"H")):  # blank, or in another language
        assert DUP.read_all(dup([ONE], SETTINGS).replace(diagram, other)) == expected([ONE])
    assert DUP.read_all(dup([ONE], b"YN   0    ")) == expected([ONE])


def test_a_file_that_ends_within_the_second_copy_of_a_deal_gets_a_warning() -> None:
    for size in (156 + 78, 156 + 100, 156 + 145):
        data = dup([ONE, OTHER], SETTINGS)[:size]
        first, second = DUP.outcomes(data)
        assert isinstance(first, ReadBoard) and not first.warnings
        assert isinstance(second, ReadBoard) and [first.content, second.content] == expected([ONE, OTHER])
        (warning,) = second.warnings
        assert (warning.record, warning.board, warning.line, warning.code) == (2, "2", 1, "second_copy_cut")
        assert refused(DUP.strictly.outcomes(data)[1]) == (2, "2", 1, "second_copy_cut")
    assert DUP.warned(dup([ONE], SETTINGS)[:146])[1] == []
    # A file of one deal is known for a DUP by its second copy.
    assert Reading(read_boards).warned(dup([ONE], SETTINGS)[:100])[1] == ["second_copy_cut"]


def test_what_fills_up_the_end_of_a_file_is_no_deal_and_an_empty_place_keeps_its_number() -> None:
    assert BRI.read_all(bri([ONE]) + b"\x1a") == DGE.read_all(dge([ONE])[:68] + b"\r\n") == expected([ONE])
    (one, other) = BRI.outcomes(bri([ONE]) + b" " * 128 + bri([OTHER]))
    assert (one.record, other.record, content(other).board_number) == (1, 2, 3)


@moderate
@given(DEALS, seats, st.sampled_from(["\n", "\r\n", "\r", "\n\n"]))
def test_each_line_is_a_board_that_its_first_hand_deals(deals: list[Layout], first: Seat, end: str) -> None:
    boards = Reading(read_bare_deals).read_all(end.join(deal.pbn(first) for deal in deals))
    assert boards == [BoardRecord(deal, first, Vulnerability.NONE) for deal in deals]


def test_a_deal_alone_is_read_as_pbn_reads_it() -> None:
    for deal in (CARDS.lower(), f"  {CARDS.replace('T', '10')}\t", CARDS.replace("T987.765.432.AKQ", "-")):
        assert Reading(read_bare_deals).record(deal).layout.cards == CARDS
