"""Reading a ZIP of bridge files. A path in it means nothing but the name of the file, for messages."""

import re
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from operator import attrgetter
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from bridge.errors import BridgeError
from bridge.formats.foreign_files import NOT_A_BRIDGE_FILE
from bridge.formats.guard import read_each
from bridge.formats.outcomes import Outcome, RecordError, SkippedRecord, place
from bridge.formats.raw_records import Blocks
from bridge.texts import to_one_line

MAX_SIZE = 16 * 1024 * 1024
"""The limit is in bytes, for the archive as for what it holds unpacked."""

MAX_FILES = 1000
MAX_RATIO = 100
"""The maximum ratio of a file's size to its packed size. Small files are exempt."""

_SMALL = 64 * 1024
_HEADER_SIZE = 30
"""The number of bytes before each file in the archive, at least."""

_MAX_NAME_LENGTH = 60
_ENTRY = b"PK\x01\x02"
_BEGINNINGS = (b"PK\x03\x04", b"PK\x05\x06")
_IGNORED = re.compile(
    r"[/\\]\Z | (?:^|[/\\])(?:__MACOSX[/\\].*|\.[^/\\]*|Thumbs\.db|desktop\.ini)\Z", re.DOTALL | re.VERBOSE
)
_ENCRYPTED = 0x1

ReadFile = Callable[[Blocks], Iterator[Outcome]]


def is_archive(head: bytes) -> bool:
    return head.startswith(_BEGINNINGS)


def read_archive(blocks: Blocks, read_file: ReadFile) -> Iterator[Outcome]:
    """Yield what `read_file` makes of each file, numbered through. Each message begins with the file's name.

    A file of another kind is passed over, unless no file of the archive is a bridge file.
    """
    try:
        archive = _open(blocks)
        files = _files(archive)
    except BridgeError as error:
        yield RecordError(1, "", 1, error.code, error.message)
        return
    record = 0
    foreign: list[str] = []

    def read(info: ZipInfo, before: int) -> Iterator[Outcome]:
        name = _name(info)
        for outcome in _read(archive, info, read_file):
            if isinstance(outcome, RecordError) and outcome.code == NOT_A_BRIDGE_FILE:
                foreign.append(f"{name}: {outcome.message}")
            else:
                before += 1
                yield place(outcome, before, lambda remark: {"message": f"{name}: {remark.message}"})

    for outcome in read_each(files, read, line_of=lambda _: 1):
        record = outcome.record
        yield outcome
    if not record:
        message = "The ZIP file is empty. Pack PBN or LIN files, or those of a dealing machine."
        if foreign:
            message = f"The ZIP file contains no bridge file. {foreign[0]}"
        yield RecordError(1, "", 1, NOT_A_BRIDGE_FILE, message)
        return
    for number, message in enumerate(foreign, start=record + 1):
        yield SkippedRecord(number, "", 1, NOT_A_BRIDGE_FILE, message)


def _open(blocks: Blocks) -> ZipFile:
    """Open the archive in memory; or raise BridgeError: `archive_too_large` or `not_a_bridge_file`."""
    data = bytearray()
    for block in blocks:
        data += block
        if len(data) > MAX_SIZE:
            raise _too_large(f"it is larger than {MAX_SIZE // 2**20} MiB")
    if data.count(_ENTRY) > MAX_FILES:  # zipfile keeps each entry in memory, so they are counted before.
        raise _too_large(f"it has more than {MAX_FILES:,} files")
    try:
        return ZipFile(BytesIO(data))
    except (BadZipFile, NotImplementedError, OSError, ValueError):  # a broken directory, or one of a later version
        message = "The ZIP file is damaged. Pack the bridge files again."
        raise BridgeError(NOT_A_BRIDGE_FILE, message) from None


def _files(archive: ZipFile) -> list[ZipInfo]:
    """Return the files without what systems add, of stated sizes; or raise `archive_too_large`, `not_a_bridge_file`."""
    in_order = sorted(archive.infolist(), key=attrgetter("header_offset"))
    # A short stream that files share could be unpacked a thousand times.
    ends = (one.header_offset + _HEADER_SIZE + one.compress_size for one in in_order)
    if any(end > following.header_offset for end, following in zip(ends, in_order[1:], strict=False)):
        message = "The ZIP file is damaged: its files overlap. Pack the bridge files again."
        raise BridgeError(NOT_A_BRIDGE_FILE, message)
    infos = [info for info in archive.infolist() if not _IGNORED.search(info.filename)]
    if sum(info.file_size for info in infos) > MAX_SIZE:
        raise _too_large(f"its files are larger than {MAX_SIZE // 2**20} MiB unpacked")
    for info in infos:
        if info.file_size > max(_SMALL, MAX_RATIO * info.compress_size):
            raise _too_large(f"{_name(info)} is more than {MAX_RATIO} times larger than it is packed")
    return infos


def _too_large(reason: str) -> BridgeError:
    message = f"The ZIP file cannot be read: {reason}. Send its files in several parts."
    return BridgeError("archive_too_large", message)


def _read(archive: ZipFile, info: ZipInfo, read_file: ReadFile) -> Iterator[Outcome]:
    try:
        return read_file([_unpack(archive, info)])
    except BridgeError as error:
        return iter([RecordError(1, "", 1, error.code, error.message)])


def _unpack(archive: ZipFile, info: ZipInfo) -> bytes:
    """Return a file's content; or raise BridgeError: `encrypted_file` or `damaged_file`.

    No more of it is unpacked than the size that was checked, so that all files together stay within MAX_SIZE.
    """
    if info.flag_bits & _ENCRYPTED:
        raise BridgeError("encrypted_file", "The file is encrypted. Pack it without a password.")
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        message = "The file's compression method is not supported. Use Deflate, the usual one."
        raise BridgeError("damaged_file", message)
    try:
        with archive.open(info) as file:
            # Without a size zipfile would unpack everything and cut it then.
            return file.read(info.file_size + 1)
    except (BadZipFile, EOFError, NotImplementedError, OSError, ValueError, zlib.error):  # broken, or a later version
        raise BridgeError("damaged_file", "The file is damaged. Pack it again.") from None


def _name(info: ZipInfo) -> str:
    return to_one_line(re.split(r"[/\\]", info.filename)[-1])[:_MAX_NAME_LENGTH] or "A file without a name"
