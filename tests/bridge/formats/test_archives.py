"""A ZIP of bridge files: what is in it is read, within bounds, and errors name the file."""

import tracemalloc
import zlib
from copy import copy
from io import BytesIO
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from hypothesis import given
from hypothesis import strategies as st
from pytest import MonkeyPatch

from bridge.formats import archives
from bridge.formats.dealing_machines import write_dup
from bridge.formats.files import read_boards
from bridge.formats.outcomes import Outcome, ReadBoard, SkippedRecord
from bridge.layout import Layout
from tests.bridge.formats.pbn.files import DEAL
from tests.bridge.formats.reading import CARDS, Reading, content, refused
from tests.bridge.strategies import moderate

MIB = 2**20
READING = Reading(read_boards)
PBN = f'[Board "1"]\n{DEAL}\n[Board "2"]\n{DEAL}'.encode()
BAD = f'[Board "3"]\n{DEAL.replace("AKQJ", "AKQQ")}'.encode()
DUP = write_dup([Layout(CARDS)], first=9)


def pack(*files: tuple[str, bytes], method: int = ZIP_DEFLATED) -> bytes:
    data = BytesIO()
    with ZipFile(data, "w", method) as archive:
        for name, file in files:
            archive.writestr(name, file)
    return data.getvalue()


def summary(outcome: Outcome) -> tuple[int, str, int]:
    if isinstance(outcome, ReadBoard):
        return outcome.record, str(outcome.content.board_number), 0
    return outcome.record, outcome.code, outcome.line


def test_the_files_are_read_in_their_order_and_numbered_through() -> None:
    for method in (ZIP_STORED, ZIP_DEFLATED):
        outcomes = READING.outcomes(pack(("a.pbn", PBN), ("bad", BAD), ("deals/b.dup", DUP), method=method))
        assert list(map(summary, outcomes)) == [(1, "1", 0), (2, "2", 0), (3, "duplicate_card", 2), (4, "9", 0)]


def test_a_message_begins_with_the_name_of_its_file_and_never_with_a_path() -> None:
    warned = DEAL.encode() + b'[Contract "9NT"]'
    (warning,) = READING.board(pack(("../../etc/monday.pbn", warned))).warnings
    assert (warning.record, warning.message[:12]) == (1, "monday.pbn: ")
    for name, said in (("C:\\x\\b\n.pbn", "b .pbn"), ("n" * 300, "n" * 60), ("\0ame", "A file without a name")):
        stand_in = "@" * len(name)  # zipfile would not write some of these names
        data = pack((stand_in, BAD)).replace(stand_in.encode(), name.encode())
        assert READING.refusal(data).message == f"{said}: SQ is dealt twice, to North.", name
    assert len(READING.read_all(pack(("a.pbn", PBN)).replace(b"a.pbn", b"\xff.pbn"))) == 2


def test_files_of_other_kinds_are_passed_over_where_there_are_bridge_files() -> None:
    others = (("empty.pbn", b""), ("__MACOSX/._a.pbn", b"x"), (".DS_Store", b"x"))
    *boards, pdf, empty = READING.outcomes(pack(("list.pdf", b"%PDF-1.7"), ("a.pbn", PBN), *others))
    assert [content(board).board_number for board in boards] == [1, 2]
    assert isinstance(pdf, SkippedRecord) and isinstance(empty, SkippedRecord)
    assert (pdf.record, pdf.code, empty.record) == (3, "not_a_bridge_file", 4)
    assert pdf.message.startswith("list.pdf: The file is a PDF document.")


def test_an_archive_without_bridge_files_or_with_damage_is_one_error() -> None:
    for files in ((), [("a.pdf", b"%PDF-1.7"), ("b.txt", b"hello")], [("dir/", b"")]):
        (error,) = READING.outcomes(pack(*files))
        assert refused(error) == (1, "", 1, "not_a_bridge_file") and "ZIP" in str(error)
    for cut in (30, -1, -30):
        (error,) = READING.outcomes(pack(("a.pbn", PBN))[:cut])
        assert summary(error) == (1, "not_a_bridge_file", 1), cut


def test_a_nested_encrypted_or_damaged_file_is_an_error_and_the_others_are_read() -> None:
    two = ("a.pbn", PBN), ("b.pbn", PBN)
    encrypted = bytearray(pack(*two))
    encrypted[encrypted.index(b"PK\x01\x02") + 8] |= 1
    for data, code in (
        (pack(("in.zip", pack(*two)), two[1]), "nested_archive"),
        (bytes(encrypted), "encrypted_file"),
        (pack(*two, method=ZIP_STORED).replace(b"AKQJ", b"AKQT", 1), "damaged_file"),
    ):
        assert list(map(summary, READING.outcomes(data))) == [(1, code, 1), (2, "1", 0), (3, "2", 0)]
    (unusual,) = READING.outcomes(pack(("a.pbn", PBN), method=ZIP_BZIP2))
    assert summary(unusual) == (1, "damaged_file", 1)


def too_large(data: bytes) -> str:
    (error,) = READING.outcomes(data)
    assert refused(error)[3] == "archive_too_large"
    return str(error)


def test_an_archive_is_bounded_in_files_and_in_bytes_packed_and_unpacked(monkeypatch: MonkeyPatch) -> None:
    assert "bomb.pbn is more than 100 times larger" in too_large(pack(("bomb.pbn", b"\n" * 1_000_000)))
    assert READING.read_all(pack(("small.pbn", b"\n" * 60_000 + PBN)))
    four = pack(*((f"{number}.pbn", PBN) for number in range(4)))
    monkeypatch.setattr(archives, "MAX_FILES", 4)
    assert len(READING.read_all(four)) == 8
    monkeypatch.setattr(archives, "MAX_FILES", 3)
    assert "more than 3 files" in too_large(four)
    data = pack(("a.pbn", PBN + b"\n" * 3000), ("b.pbn", PBN))
    for size, said in ((3000, "unpacked"), (300, "it is larger")):
        monkeypatch.setattr(archives, "MAX_SIZE", size)
        assert said in too_large(data)


def blank_lines(mebibytes: int) -> bytes:
    """Return a stream of Deflate that unpacks to so many MiB of blank lines, which are a thousandth of it."""
    packer = zlib.compressobj(9, wbits=-15)
    piece = packer.compress(b"\n" * MIB) + packer.flush(zlib.Z_FULL_FLUSH)
    return piece * mebibytes + packer.flush()


def pack_stream(stream: bytes, size: int, copies: int = 1, packed_size: int | None = None) -> bytes:
    """Return an archive whose directory says of a stream that it is a file of this size, or as many as `copies`."""
    data = BytesIO()
    with ZipFile(data, "w", ZIP_STORED) as archive:
        archive.writestr("a.pbn", stream)
        (info,) = archive.filelist
        info.compress_type, info.file_size = ZIP_DEFLATED, size
        info.compress_size = len(stream) if packed_size is None else packed_size
        archive.filelist *= copies
    return data.getvalue()


def test_no_more_is_unpacked_than_the_size_that_is_stated() -> None:
    """Half a MiB holds 510 MiB. Unpacking all of it took twice that, whatever the directory said."""
    for size in (100, 12 * MIB):
        data = pack_stream(blank_lines(510), size)
        tracemalloc.start()
        (error,) = READING.outcomes(data)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert summary(error) == (1, "damaged_file", 1)
        assert len(data) < 0.6 * MIB and peak < 40 * MIB


def test_files_that_share_their_bytes_are_not_unpacked(monkeypatch: MonkeyPatch) -> None:
    archives_of_one = [pack_stream(blank_lines(300), 16_000, 1000, packed_size) for packed_size in (None, 0)]
    monkeypatch.delattr(ZipFile, "open")
    for data in archives_of_one:
        (error,) = READING.outcomes(data)
        assert summary(error) == (1, "not_a_bridge_file", 1)


def test_a_file_within_another_is_not_unpacked() -> None:
    """Where the directory hides it by sizes that are too small, no more than these is read."""
    for packed_size, codes in ((None, ["not_a_bridge_file"]), (5, ["damaged_file"] * 2)):
        data = BytesIO()
        with ZipFile(data, "w", ZIP_STORED) as archive:
            archive.writestr("a.pbn", pack(("b.pbn", PBN)))
            (outer,) = archive.filelist
            inner = copy(outer)
            inner.filename = inner.orig_filename = "b.pbn"
            inner.header_offset = data.getvalue().index(b"b.pbn") - 30
            archive.filelist.append(inner)
            if packed_size is not None:
                outer.compress_size = inner.compress_size = packed_size
        assert [summary(outcome)[1] for outcome in READING.outcomes(data.getvalue())] == codes


@moderate
@given(
    changes=st.lists(st.tuples(st.integers(0, 2**16), st.binary(min_size=1, max_size=9)), max_size=4), cut=st.booleans()
)
def test_any_damage_is_an_error_and_never_an_exception(changes: list[tuple[int, bytes]], cut: bool) -> None:
    data = bytearray(pack(("a.pbn", PBN), ("b.dup", DUP), method=ZIP_STORED if cut else ZIP_DEFLATED))
    for place, damage in changes:
        start = place % len(data)
        data[start : start + len(damage)] = damage
    READING.read_and_check(bytes(data))


def test_a_place_beyond_the_file_is_an_error() -> None:
    for extra in (b"\1\0\x18\0" + b"\xff" * 24, b"\1\0\x18\0" + b"\x7f" * 24, b"\1\0\4\0"):
        info = ZipInfo("a.pbn")
        info.extra = extra
        data = BytesIO()
        with ZipFile(data, "w") as archive:
            archive.writestr(info, PBN)
        whole = bytearray(data.getvalue())
        entry = whole.index(b"PK\x01\x02")
        whole[entry + 20 : entry + 28] = b"\xff" * 8
        whole[entry + 42 : entry + 46] = b"\xff" * 4
        (error,) = READING.outcomes(bytes(whole))
        assert refused(error), extra
