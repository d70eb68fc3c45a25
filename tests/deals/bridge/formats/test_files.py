from io import BytesIO
from itertools import product
from urllib.parse import quote

from deals.bridge.formats.files import FORMATS, MAX_REFUSED, FileFormat, read_boards
from deals.bridge.formats.lin.writer import write_lin
from deals.bridge.formats.pbn.writer import HEADER, write_pbn
from tests import factories
from tests.deals.bridge.formats.dealing_files import bri, dge, dlm, dup
from tests.deals.bridge.formats.rbn_files import rbn
from tests.deals.bridge.formats.reading import Reading, content, refused
from tests.deals.bridge.formats.test_archives import pack
from tests.deals.bridge.formats.usebio_files import usebio

RECORD = factories.record()
PBN, LIN = (HEADER + write_pbn(RECORD)).encode(), write_lin(RECORD).encode()


class Drip(BytesIO):
    """A stream that gives one byte at a time, as a socket may."""

    def read(self, size: int | None = -1) -> bytes:
        return super().read(1)


def test_white_space_and_a_byte_order_mark_before_a_file_change_nothing() -> None:
    for before, data, stream in product([b"", b"\xef\xbb\xbf", b"\r\n\r\n  "], [PBN, LIN], [BytesIO, Drip]):
        (board,) = read_boards(stream(before + data))
        assert (content(board).layout, content(board).auction) == (RECORD.layout, RECORD.auction)


FILES = {
    "ZIP": pack(("../club night.pbn", PBN)),
    "USEBIO": usebio(RECORD).encode(),
    "DLM": dlm([RECORD.layout]),
    "DUP": dup([RECORD.layout], b"YN1  0 1  "),
    "BRI": bri([RECORD.layout]),
    "DGE": dge([RECORD.layout]),
    "handviewer": f"https://www.bridgebase.com/tools/handviewer.html?lin={quote(LIN)}".encode(),
    "LIN": LIN,
    "PBN": PBN,
    "RBN": rbn(RECORD).encode(),
    "bare deals": RECORD.layout.cards.encode(),
}


def test_each_format_is_told_by_its_content_and_by_no_other_test_before_it() -> None:
    assert list(FILES) == [each.name for each in FORMATS]
    for name, data in FILES.items():
        assert next(each.name for each in FORMATS if each.matches(data)) == name
        for stream in (BytesIO(data), Drip(data)):
            (board,) = read_boards(stream)
            assert content(board).layout == RECORD.layout, name


def test_a_file_is_what_it_is_declared_to_be_only_where_its_content_does_not_tell() -> None:
    for (name, data), declared in product(FILES.items(), FileFormat):
        (board,) = read_boards(BytesIO(data), file_format=declared)
        assert content(board).layout == RECORD.layout, (name, declared)
    untold = b"; A long remark.\r\n" * 10_000 + PBN
    (error,) = read_boards(BytesIO(untold))
    assert refused(error)[3] == "not_a_bridge_file"
    (board,) = read_boards(BytesIO(untold), file_format=FileFormat.PBN)
    assert content(board).layout == RECORD.layout


def test_boards_without_blank_lines_as_bridge_base_exports_them_are_read() -> None:
    """Its page "My hands" gives one table a line: no `qx`, the names before each deal, bars at its end."""
    tables = [factories.record(seed=number, number=number, calls="1NT Pass Pass Pass") for number in (1, 2, 3)]
    lines = [write_lin(table).replace("pn|", "pn|A,B,C,D|st||", 1).replace("st||st||", "st||") for table in tables]
    boards = Reading(read_boards).read_all("".join(lines))
    assert [(board.layout, board.board_number, board.auction) for board in boards] == [
        (table.layout, table.board_number, table.auction) for table in tables
    ]


def test_after_10_000_bad_records_the_rest_is_not_read() -> None:
    outcomes = list(read_boards(BytesIO(FILES["bare deals"] + b"\nx" * 10_050)))
    assert len(outcomes) == 1 + MAX_REFUSED + 1
    assert refused(outcomes[-1])[::3] == (len(outcomes), "too_many_refused")


def test_a_file_without_records_is_one_error() -> None:
    for data in (b"", b"\n \n", HEADER.encode()):
        (error,) = read_boards(BytesIO(data))
        assert refused(error)[3] == "not_a_bridge_file"
