"""Each format is told by its content. What is not a bridge file is one error, which names what it looks like."""

from collections.abc import Iterator
from io import BytesIO
from itertools import product
from urllib.parse import quote

from bridge.formats.files import FORMATS, MAX_REFUSED, FileFormat, read_boards
from bridge.formats.lin.writer import write_lin
from bridge.formats.outcomes import ReadBoard, RecordError, SkippedRecord
from bridge.formats.pbn.writer import HEADER, write_pbn
from bridge.formats.raw_records import BLOCK_SIZE, decode_text, mend_line_ends, open_file, read_chunks, read_lines
from tests.bridge import factories
from tests.bridge.formats.dealing_files import bri, dge, dlm, dup
from tests.bridge.formats.pbn.files import DEAL
from tests.bridge.formats.pbn.files import READING as PBN_READING
from tests.bridge.formats.rbn_files import rbn
from tests.bridge.formats.reading import CARDS, Reading, content, refused
from tests.bridge.formats.test_archives import pack
from tests.bridge.formats.usebio_files import usebio

READING = Reading(read_boards)
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
    boards = READING.read_all("".join(lines))
    assert [(board.layout, board.board_number, board.auction) for board in boards] == [
        (table.layout, table.board_number, table.auction) for table in tables
    ]


def test_after_10_000_bad_records_the_rest_is_not_read() -> None:
    outcomes = list(read_boards(BytesIO(FILES["bare deals"] + b"\nx" * 10_050)))
    assert len(outcomes) == 1 + MAX_REFUSED + 1
    assert refused(outcomes[-1])[::3] == (len(outcomes), "too_many_refused")


def office(*names: str) -> bytes:
    return pack(("[Content_Types].xml", b"<Types/>"), *((name, b"<x/>") for name in names))


def open_document(kind: str) -> bytes:
    return pack(("mimetype", f"application/vnd.oasis.opendocument.{kind}".encode()), ("content.xml", b"<x/>"), method=0)


FOREIGN = {
    "empty": (b"", "empty"),
    "blank": (b"\xef\xbb\xbf \r\n\n", "empty"),
    "UTF-16 without a letter": (b"\xff\xfe", "empty"),
    "PDF": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n[/Name (x)]", "a PDF document"),
    "PNG": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a picture"),
    "JPEG": (b"\xff\xd8\xff\xe0\0\x10JFIF", "a picture"),
    "HEIC": (b"\0\0\0\x24ftypheic\0\0\0\0mif1heic", "a picture"),
    "GIF": (b"GIF89a\x01\0", "a picture"),
    "Access": (b"\0\x01\0\0Standard Jet DB\0\x01", "an Access database"),
    "Access 2007": (b"\0\x01\0\0Standard ACE DB\0\x01", "an Access database"),
    "old Excel": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504), "an old Excel or Word file"),
    "xlsx": (office("_rels/.rels", "xl/workbook.xml"), "an Excel spreadsheet"),
    "docx": (office("_rels/.rels", "word/document.xml"), "a Word document"),
    "pptx": (office("ppt/presentation.xml"), "an Office document"),
    "ods": (open_document("spreadsheet"), "a spreadsheet"),
    "odt": (open_document("text"), "an OpenDocument text"),
    "RTF": (rb"{\rtf1\ansi Board 1}", "a document in RTF"),
    "SQLite": (b"SQLite format 3\0", "an SQLite database"),
    "gzip": (b"\x1f\x8b\x08\0", "a packed file"),
    "page": (b"<!DOCTYPE html>\n<title>[Event]</title>", "a web page"),
    "XHTML": (b'<?xml version="1.0"?>\n<html xmlns="x"><p>', "a web page"),
    "part of a page": (b"<p>Board 1</p>", "a web page"),
    "XML": (b'<?xml version="1.0"?>\n<!DOCTYPE event>\n<event code="<USEBIO >">', "XML"),
    "UTF-16 XML": ('<?xml version="1.0" encoding="utf-16"?><event/>'.encode("utf-16"), "XML"),
    "UTF-16 XML without a mark": ('<?xml version="1.0"?>'.encode("utf-16-be"), "XML"),
    "JSON": (b'{"boards": [{"n": "SAKQ"}]}', "JSON"),
    "JSON list": (b'[\n  {"n": "SAKQ"}]', "JSON"),
    "CSV": (b"Board,Contract,Score\n1,4S,420\n2,3NT,400\n", "a table (CSV)"),
    "tabs": (b"Board\tContract\n1\t4S\n", "a table (CSV)"),
    "a letter": (b"Dear all,\n\nthe boards come tomorrow.\n\nYours\n", "text without a board"),
    "noise": (bytes(range(256)), "of an unknown kind"),
    "PBN header": (HEADER.encode(), "PBN with a header, but no board"),
    "LIN header": (b"vg|Cup,Final,I,1,2|\npn|A,B,C,D,E,F,G,H|\n", "LIN with a header, but no board"),
    "USEBIO header": (b"<USEBIO><CLUB/></USEBIO>", "USEBIO with a header, but no board"),
    "RBN header": (b"% RBN 3.2\nE Cup\n", "RBN with a header, but no board"),
}


def test_it_says_what_the_file_looks_like_and_what_to_send() -> None:
    for name, (data, kind) in FOREIGN.items():
        for reading in (READING, READING.strictly):
            (error,) = reading.outcomes(data)
            assert refused(error) == (1, "", 1, "not_a_bridge_file"), name
            assert error.message.startswith(f"The file is {kind}"), name
            assert any(word in error.message for word in ("Send", "Export", "Unpack")), name


def test_pbn_within_a_page_or_a_mail_or_with_one_bad_record_is_a_bridge_file() -> None:
    assert READING.read_all(f"<html><pre>\n{DEAL}</pre>")
    assert READING.read_all(f"<html><pre>{DEAL}</pre>")
    letter, board = READING.outcomes(f"Dear all,\nhere it is, as promised\n\n{DEAL}\n")
    assert (refused(letter)[0], content(board).layout.cards) == (1, CARDS)
    like_json = '{"json": true}\n[Event "a comment like JSON"]\n[Deal "N:-"]'
    page = f"<html><pre>\n{DEAL.replace('AKQJ', 'AKQQ')}</pre>"
    for data in ('[Event "x"]\n[Deal "rubbish"]\n', page, like_json, '[Event "x"', "["):
        assert READING.refusal(data).code != "not_a_bridge_file", data


TEXT = "Café – “Žižkov” 10 € ♠ 桥牌 𝄞"
BOARD = factories.record(seed=1, event=TEXT, calls="1NT Pass 3NT Pass Pass Pass")


def split(data: bytes, size: int = BLOCK_SIZE) -> Iterator[bytes]:
    """Yield a file's blocks of so many bytes."""
    return (data[start : start + size] for start in range(0, len(data), size))


def test_any_unicode_file_is_read() -> None:
    text = HEADER + write_pbn(BOARD)
    marked = [("\ufeff" + text).encode(encoding) for encoding in ("utf-16-le", "utf-16-be")]
    files = [text.encode(encoding) for encoding in ("utf-8", "utf-8-sig", "utf-16")]
    for data, file_format, stream in product(files + marked, (None, FileFormat.PBN), (BytesIO, Drip)):
        (outcome,) = read_boards(stream(data), file_format=file_format)
        assert content(outcome) == BOARD
    (lin,) = read_boards(BytesIO(write_lin(BOARD).encode("utf-16")))
    assert content(lin).auction == BOARD.auction


def test_utf_16_is_read_with_its_lines_also_where_its_zeros_alone_tell_it() -> None:
    for encoding, (text, file_format) in product(
        ["utf-16-le", "utf-16-be"], [(HEADER + write_pbn(BOARD), None), (write_lin(BOARD), FileFormat.LIN)]
    ):
        (board,) = read_boards(Drip(text.encode(encoding)), file_format=file_format)
        assert content(board).auction == BOARD.auction, (file_format, encoding)
    text = DEAL + "\r\n" * BLOCK_SIZE + DEAL.replace("AKQJ", "AKQQ") + "\n"
    for encoding in ("utf-16", "utf-16-be"):
        board, error = read_boards(BytesIO(text.encode(encoding)))
        assert content(board).layout.cards == CARDS and refused(error)[2:] == (BLOCK_SIZE + 2, "duplicate_card")


def test_a_file_that_a_mail_program_has_quoted_is_read_as_if_it_had_not() -> None:
    for text, mark, stream in product(
        [HEADER + write_pbn(BOARD), write_lin(BOARD), rbn(BOARD), BOARD.layout.cards + "\r\n"],
        ["> ", ">", ">> ", "> > "],
        [BytesIO, Drip],
    ):
        quoted = "\r\n".join(mark + line for line in ("\r\n" + text).splitlines())
        (board,), (plain,) = read_boards(stream(quoted.encode())), read_boards(BytesIO(text.encode()))
        assert content(board) == content(plain), (mark, text[:20])
    long = ("> % PBN\n" * 30_000 + f">\n> {DEAL}> \n> > {DEAL.replace('AKQJ', 'AKQQ')}").encode()
    board, error = READING.outcomes(b"\xef\xbb\xbf" + long)
    assert content(board).layout.cards == CARDS and refused(error)[2:] == (30_004, "duplicate_card")
    (error,) = READING.outcomes(f"Dear all,\n> {write_lin(BOARD)}")
    assert refused(error)[3] == "not_a_bridge_file"


def test_statistics_behind_the_boards_are_passed_over_and_said_once_for_the_file() -> None:
    rows = "Frequency hcp:\nLow\t 3\n   12\t    45\n{0}hcp: 12.3\n{0}Generated 1000 hands\n{0}Time needed  0.5 sec\n"
    for board, gap in product([PBN.decode().rstrip(), LIN.decode().rstrip(), CARDS], ["\n", "\n\n"]):
        for reading in (READING, READING.strictly):
            kept, skipped = reading.outcomes(board + gap + rows.format(gap[1:]))
            assert kept == reading.outcomes(board)[0] and isinstance(skipped, SkippedRecord), board
            assert (skipped.line, skipped.code) == ((board + gap).count("\n") + 1, "text_after_boards")
    for board in (DEAL, f"{CARDS}\n"):
        kinds = [type(each) for each in READING.outcomes(f"{board}\nnothing\n\n{board}\nProduced 3 hands\n\n{board}\n")]
        assert kinds == [ReadBoard, RecordError, ReadBoard, SkippedRecord, ReadBoard], board
    assert refused(READING.outcomes(f"{CARDS}\nProduced 3 hands\nN:x")[2])[3] == "malformed_deal"


def test_old_and_broken_encodings_are_read_without_an_exception() -> None:
    assert b"".join(open_file(split(b"\xff\xfe\x00\xd8a\0b"))[1]).decode() == "\ufffda\ufffd"
    assert decode_text("Café – “Žižkov” 10 €".encode("cp1252")) == "Café – “Žižkov” 10 €"
    assert decode_text(b"\xff\x81\x8d\x8f\x90\x9d") == "ÿ\x81\x8d\x8f\x90\x9d"
    assert PBN_READING.record(f'[Event "L’été – {"x"}"]'.encode("cp1252") + DEAL.encode()).event == "L’été – x"


def test_neither_the_beginning_nor_the_end_of_a_file_is_lost() -> None:
    for data in (b"", b"a", b"\xef\xbb\xbfabc", b"x" * (BLOCK_SIZE + 5)):
        head, blocks = open_file(split(data))
        whole = data.removeprefix(b"\xef\xbb\xbf")
        assert head == whole[:BLOCK_SIZE] and b"".join(blocks) == whole
    for data in (b"\r", b"a\r\r", b"\r" * (BLOCK_SIZE + 1), b"a\r\r\nb\r"):
        assert b"".join(mend_line_ends(split(data))) == data.replace(b"\r\r\n", b"\r\n")


def test_lines_are_cut_at_any_line_end_and_counted_and_chunks_have_one_size() -> None:
    for size in (BLOCK_SIZE, 1):
        lines = list(read_lines(split(b"a\r\nb\rc\n\n \r\rd\r", size)))
        assert [(line.line, line.data) for line in lines] == [(1, b"a"), (2, b"b"), (3, b"c"), (7, b"d")]
        assert list(read_chunks(split(b"abcdefgh", size), 3)) == [b"abc", b"def", b"gh"]
        assert sum(map(len, read_chunks(split(b"x" * 1000, size), 128))) == 1000
    first, too_long, last = read_lines(split(b"a\n" + b"x" * 900_000 + b"\r\nb"))
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
    boards = READING.read_all((write_lin(BOARD) * 2).replace("\n", "\r\r\n"))
    assert [board.auction for board in boards] == [BOARD.auction] * 2
