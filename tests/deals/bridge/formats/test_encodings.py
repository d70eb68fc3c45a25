"""UTF-8, UTF-16 by its mark, and Windows-1252."""

from io import BytesIO
from itertools import product

from deals.bridge.formats.files import FileFormat, read_boards
from deals.bridge.formats.lin.writer import write_lin
from deals.bridge.formats.outcomes import RecordError
from deals.bridge.formats.pbn.writer import HEADER, write_pbn
from deals.bridge.formats.raw_records import BLOCK_SIZE, decode_text, read_blocks, read_chunks, read_lines
from deals.bridge.formats.streams import SourceStream
from tests import factories
from tests.deals.bridge.formats.pbn.files import DEAL, record
from tests.deals.bridge.formats.reading import Reading, content, refused
from tests.deals.bridge.formats.test_files import Drip

TEXT = "Café – “Žižkov” 10 € ♠ 桥牌 𝄞"
BOARD = factories.record(seed=1, event=TEXT, calls="1NT Pass 3NT Pass Pass Pass")


def read_whole(source: SourceStream) -> bytes:
    return b"".join(iter(lambda: source.read(7), b""))


def test_any_unicode_file_is_read() -> None:
    text = HEADER + write_pbn(BOARD)
    marked = [("\ufeff" + text).encode(encoding) for encoding in ("utf-16-le", "utf-16-be")]
    files = [text.encode(encoding) for encoding in ("utf-8", "utf-8-sig", "utf-16")]
    for data, file_format, stream in product(files + marked, (None, FileFormat.PBN), (BytesIO, Drip)):
        (outcome,) = read_boards(stream(data), file_format=file_format)
        assert content(outcome) == BOARD
    (lin,) = read_boards(BytesIO(write_lin(BOARD).encode("utf-16")))
    assert content(lin).auction == BOARD.auction


def test_utf_16_without_its_mark_is_named_and_not_guessed() -> None:
    for file_format, encoding in product([None, *FileFormat], ["utf-16-le", "utf-16-be"]):
        (error,) = read_boards(BytesIO((HEADER + write_pbn(BOARD)).encode(encoding)), file_format=file_format)
        message = "The file is text in UTF-16 without a byte order mark. Send it again, saved as UTF-8."
        assert error == RecordError(1, "", 1, "not_a_bridge_file", message), (file_format, encoding)


def test_utf_16_is_read_block_by_block_with_its_lines() -> None:
    text = DEAL + "\r\n" * BLOCK_SIZE + DEAL.replace("AKQJ", "AKQQ") + "\n"
    board, error = read_boards(BytesIO(text.encode("utf-16")))
    assert content(board) and refused(error)[2:] == (BLOCK_SIZE + 2, "duplicate_card")


def test_broken_utf_16_is_no_exception() -> None:
    source = SourceStream(BytesIO(b"\xff\xfe\x00\xd8a\0b"))
    assert read_whole(source).decode() == "\ufffda\ufffd"


def test_windows_1252_is_read_with_its_holes_as_latin_1() -> None:
    assert decode_text("Café – “Žižkov” 10 €".encode("cp1252")) == "Café – “Žižkov” 10 €"
    assert decode_text(b"\xff\x81\x8d\x8f\x90\x9d") == "ÿ\x81\x8d\x8f\x90\x9d"
    assert record(f'[Event "L’été – {"x"}"]'.encode("cp1252") + DEAL.encode()).event == "L’été – x"


def test_the_beginning_is_looked_at_without_losing_it() -> None:
    for data in (b"", b"a", b"\xef\xbb\xbfabc", b"x" * (BLOCK_SIZE + 5)):
        source = SourceStream(BytesIO(data))
        assert source.head == data.removeprefix(b"\xef\xbb\xbf")[:BLOCK_SIZE]
        assert read_whole(source) == data


def test_lines_are_cut_at_any_line_end_and_counted_and_chunks_have_one_size() -> None:
    for stream in (BytesIO, Drip):
        lines = list(read_lines(stream(b"a\r\nb\rc\n\n \r\rd\r")))
        assert [(line.line, line.data) for line in lines] == [(1, b"a"), (2, b"b"), (3, b"c"), (7, b"d")]
        assert list(read_chunks(stream(b"abcdefgh"), 3)) == [b"abc", b"def", b"gh"]
        assert sum(map(len, read_chunks(stream(b"x" * 1000), 128))) == 1000


def test_a_line_that_is_too_long_is_one_line() -> None:
    first, too_long, last = read_lines(BytesIO(b"a\n" + b"x" * 900_000 + b"\r\nb"))
    assert (first.data, too_long.too_long, too_long.data, last.line) == (b"a", True, b"", 3)


def test_line_ends_that_were_written_twice_are_one() -> None:
    """Move the end of a block through a line end, so that each part of it begins a block once."""
    for file_format, padding in product([None, FileFormat.PBN], range(4)):
        comment = f"% PBN 2.1\n{'%' * padding}\n" + "% x\n" * (BLOCK_SIZE // 5)
        text = f"{comment}{write_pbn(BOARD)}\n{DEAL.replace('AKQJ', 'AKQQ')}\n".replace("\r", "")
        board, error = read_boards(BytesIO(text.replace("\n", "\r\r\n").encode()), file_format=file_format)
        assert content(board) == BOARD
        line = text[: text.index("AKQQ")].count("\n") + 1
        assert refused(error)[2:] == (line, "duplicate_card"), (file_format, padding)
    boards = Reading(read_boards).read_all((write_lin(BOARD) * 2).replace("\n", "\r\r\n"))
    assert [board.auction for board in boards] == [BOARD.auction] * 2


def test_carriage_returns_at_the_end_are_not_lost() -> None:
    for data in (b"\r", b"a\r\r", b"\r" * (BLOCK_SIZE + 1), b"a\r\r\nb\r"):
        assert b"".join(read_blocks(BytesIO(data))) == data.replace(b"\r\r\n", b"\r\n")
