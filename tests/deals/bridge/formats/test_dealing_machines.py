"""DLM, DUP, BRI and DGE: the same deals in each, numbered, with what the number implies."""

from hypothesis import given
from hypothesis import strategies as st
from pytest import raises

from deals.bridge.board import BoardRecord
from deals.bridge.formats.dealing_machines.dup import write_dup
from deals.bridge.formats.files import read_boards
from deals.bridge.formats.outcomes import ReadBoard, RecordError
from deals.bridge.layout import Layout
from deals.bridge.seats import Seat
from deals.bridge.vulnerability import Vulnerability, board_dealer, board_vulnerability
from tests.bridge_strategies import layouts
from tests.deals.bridge.formats import dealing_files as files
from tests.deals.bridge.formats.dealing_files import BRI, DGE, DLM, DUP, bri, dge, dlm, dup
from tests.deals.bridge.formats.reading import Reading, content, refused
from tests.deals.bridge.moderate import moderate

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


def test_dup_has_no_numbers_beyond_three_digits() -> None:
    for first in (0, 999):
        with raises(ValueError, match="from 1 to 999"):
            write_dup([ONE, OTHER], first)


def test_a_known_line_of_dlm_has_its_known_checksum() -> None:
    assert files.dlm_line(1, files.dlm_letters(ONE)).endswith("Board 01=fokfapmnnkpbcfibeooicpgahi022\r\n")


def test_the_number_implies_dealer_and_vulnerability() -> None:
    (board,) = DLM.read_all(dlm([ONE], first=16))
    assert (board.board_number, board.dealer, board.vulnerability) == (16, Seat.WEST, Vulnerability.EW)


def test_a_wrong_checksum_costs_its_board_only() -> None:
    lines = dlm([ONE, OTHER]).decode().splitlines()
    lines[11] = lines[11][:-3] + "099"
    first, second = DLM.outcomes("\n".join(lines))
    assert (refused(first), content(second).board_number) == ((1, "1", 12, "checksum_mismatch"), 2)


def test_what_is_wrong_in_a_dlm_file_is_named() -> None:
    letters = files.dlm_letters(ONE)
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


def test_a_key_behind_the_first_board_refuses_the_second_by_its_own_number() -> None:
    encrypted = dlm([ONE, OTHER]).replace(b"Crypto key=0", b"").replace(b"Board 02", b"Crypto key=7\nBoard 02")
    first, second = DLM.outcomes(encrypted)
    assert content(first) and refused(second)[::3] == (2, "encrypted_file")


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


def test_a_diagram_that_is_blank_or_in_another_language_is_not_needed() -> None:
    diagram = files.dge_diagram(ONE)
    for other in (b" " * 68, diagram.replace(b"K", b"H")):
        assert DUP.read_all(dup([ONE], SETTINGS).replace(diagram, other)) == expected([ONE])


def test_a_file_that_ends_within_the_second_copy_of_a_deal_gets_a_warning() -> None:
    for size in (156 + 78, 156 + 100, 156 + 145):
        data = dup([ONE, OTHER], SETTINGS)[:size]
        first, second = DUP.outcomes(data)
        assert isinstance(first, ReadBoard) and not first.warnings
        assert isinstance(second, ReadBoard) and [first.content, second.content] == expected([ONE, OTHER])
        (warning,) = second.warnings
        assert (warning.record, warning.board, warning.line, warning.code) == (2, "2", 1, "second_copy_cut")
        assert refused(DUP.strictly.outcomes(data)[1]) == (2, "2", 1, "second_copy_cut")
    # A file of one deal is known for a DUP by its second copy.
    assert Reading(read_boards).warned(dup([ONE], SETTINGS)[:100])[1] == ["second_copy_cut"]


def test_a_file_that_ends_behind_the_second_copy_gets_no_warning() -> None:
    assert DUP.warned(dup([ONE], SETTINGS)[:146])[1] == []


def test_what_fills_up_the_end_of_a_file_is_no_deal_and_an_empty_place_keeps_its_number() -> None:
    assert BRI.read_all(bri([ONE]) + b"\x1a") == DGE.read_all(dge([ONE])[:68] + b"\r\n") == expected([ONE])
    (one, other) = BRI.outcomes(bri([ONE]) + b" " * 128 + bri([OTHER]))
    assert (one.record, other.record, content(other).board_number) == (1, 2, 3)


def test_a_dup_file_without_a_number_begins_with_board_1() -> None:
    assert DUP.read_all(dup([ONE], b"YN   0    ")) == expected([ONE])
