from io import BytesIO, RawIOBase

from pytest import mark

from deals.bridge.files import FileFormat, read_boards
from deals.bridge.lin.writer import write_lin
from deals.bridge.outcomes import ReadBoard, RecordError
from deals.bridge.pbn.writer import HEADER, write_pbn
from tests import factories

RECORD = factories.record()
PBN, LIN = (HEADER + write_pbn(RECORD)).encode(), write_lin(RECORD).encode()


class Drip(RawIOBase):
    """A stream that gives one byte at a time, as a socket may."""

    def __init__(self, data: bytes) -> None:
        self.rest = data

    def read(self, size: int = -1) -> bytes:
        byte, self.rest = self.rest[:1], self.rest[1:]
        return byte


@mark.parametrize("before", [b"", b"\xef\xbb\xbf", b"\r\n\r\n  "])
@mark.parametrize("data", [PBN, LIN])
def test_the_format_of_a_file_is_recognised_by_its_content(data: bytes, before: bytes) -> None:
    for stream in (BytesIO(before + data), Drip(before + data)):
        (board,) = read_boards(stream)
        assert isinstance(board, ReadBoard)
        assert (board.content.layout, board.content.auction) == (RECORD.layout, RECORD.auction)


def test_a_file_declared_as_pbn_is_read_as_pbn() -> None:
    (error,) = read_boards(BytesIO(LIN), file_format=FileFormat.PBN)
    assert isinstance(error, RecordError) and error.code == "no_deal"


@mark.parametrize("data", [b"", b"\n \n"])
def test_an_empty_file_has_no_records(data: bytes) -> None:
    assert list(read_boards(BytesIO(data))) == []
