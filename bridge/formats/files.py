"""Reading a bridge file of any format: its content tells which one it is."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import BinaryIO

from bridge.board import BoardRecord
from bridge.formats.archives import is_archive, read_archive
from bridge.formats.bridge_composer import drop_markup, is_from_bridge_composer
from bridge.formats.dealing_machines import read_bri, read_dge, read_dlm, read_dup
from bridge.formats.foreign_files import NOT_A_BRIDGE_FILE, describe, is_foreign
from bridge.formats.handviewer import LINK, read_handviewer
from bridge.formats.lin.reader import read_lin
from bridge.formats.numbering import check_numbers
from bridge.formats.outcomes import Check, Outcome, RecordError, join_files
from bridge.formats.pbn.reader import read_pbn
from bridge.formats.plain_text import BARE_DEAL, read_bare_deals
from bridge.formats.raw_records import BLOCK_SIZE, Blocks, open_file
from bridge.formats.rbn import RBN, read_rbn
from bridge.formats.usebio.reader import USEBIO, read_usebio

MAX_REFUSED = 10_000
"""A file with so many bad records is no bridge file, and the rest of it is not read."""

_PBN = re.compile(
    rb"""(?:\A|[\r\n>])[ \t]*+\[\s*+\w++\s*+\"
    | \A\s*+(?:%\s*+(?:PBN|EXPORT|IMPORT|Content-type)\b|\[\s*+\Z)""",
    re.VERBOSE | re.IGNORECASE,
)
_LIN = re.compile(rb"(?:[\s|]*+%[^\r\n]*+)*+[\s|]*+[A-Za-z][A-Za-z0-9]\s*+\|")
_DLM = re.compile(rb"\s*+\[Document\]\s", re.IGNORECASE)
_DUP = re.compile(rb"[0-9]{78}(?:.{68}[YN]{2}|\x06)", re.DOTALL | re.IGNORECASE)
_BRI = re.compile(rb"[0-9]{78}(?:[^0-9]|\Z)")
_DGE = re.compile(rb"\x06[2-9TJQKA]*+\x03[2-9TJQKA]*+\x04")


class FileFormat(StrEnum):
    """The formats that are written, and that a reader may be told. A value is the usual ending of a file's name."""

    PBN = "pbn"
    LIN = "lin"


Reader = Callable[[Blocks, Check, bool], Iterator[Outcome]]
"""Yields what comes of a file's records; see `read_pbn`."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format of bridge files, with a test of a file's first bytes. Files that look like markup are else foreign."""

    name: str
    matches: Callable[[bytes], object]
    read: Reader
    is_markup: bool = False


def _read_zip(blocks: Blocks, check: Check, strict: bool) -> Iterator[Outcome]:
    return join_files(read_archive(blocks, partial(_read, check=check, strict=strict, formats=_FORMATS_IN_ZIP)))


def _refuse_zip(blocks: Blocks, check: Check, strict: bool) -> Iterator[Outcome]:
    message = "A ZIP file in a ZIP file is not read. Unpack it, and send its files."
    yield RecordError(1, "", 1, "nested_archive", message)


FORMATS: tuple[Format, ...] = (
    Format("ZIP", is_archive, _read_zip),
    Format("USEBIO", USEBIO.match, read_usebio, is_markup=True),
    Format("DLM", _DLM.match, read_dlm),
    Format("DUP", _DUP.match, read_dup),
    Format("BRI", _BRI.match, read_bri),
    Format("DGE", _DGE.match, read_dge),
    Format("handviewer", LINK.match, read_handviewer),
    Format("LIN", _LIN.match, read_lin),
    Format("PBN", _PBN.search, read_pbn),
    Format("RBN", RBN.match, read_rbn),
    Format("bare deals", BARE_DEAL.match, read_bare_deals),
)
"""The formats, in the order in which a file is tried."""

_READERS: dict[FileFormat, Reader] = {FileFormat.PBN: read_pbn, FileFormat.LIN: read_lin}
_FORMATS_IN_ZIP = (Format("ZIP", is_archive, _refuse_zip), *FORMATS[1:])


def read_boards(
    stream: BinaryIO,
    check: Check = BoardRecord.check,
    file_format: FileFormat | None = None,
    *,
    strict: bool = False,
    renumbered: bool = True,
) -> Iterator[Outcome]:
    """Yield what comes of the records of a file in order; see `read_pbn` and `read_lin`.

    Unless the boards may be `renumbered`, their numbers are checked (bridge.formats.numbering).

    The file's first bytes tell its format; `file_format` is the one of a file that they do not tell. A file of another
    kind, or without a record, gives one error, `not_a_bridge_file`. After MAX_REFUSED bad records the last error is
    `too_many_refused`.
    """
    formats = FORMATS
    if file_format is not None:
        formats = (*FORMATS, Format(file_format.name, bool, _READERS[file_format]))
    refused = 0
    outcomes = _read(iter(partial(stream.read, BLOCK_SIZE), b""), check, strict, formats)
    for outcome in outcomes if renumbered else check_numbers(outcomes, strict=strict):
        yield outcome
        refused += isinstance(outcome, RecordError)
        if isinstance(outcome, RecordError) and refused >= MAX_REFUSED:
            message = f"{MAX_REFUSED} records are bad. The rest of the file was not read."
            yield RecordError(outcome.record + 1, "", outcome.line, "too_many_refused", message)
            return


def _read(blocks: Blocks, check: Check, strict: bool, formats: tuple[Format, ...]) -> Iterator[Outcome]:
    head, blocks = open_file(blocks)
    file_format = _format_of(head, formats)
    is_empty = True
    if file_format:
        outcomes = file_format.read(blocks, check, strict)
        if file_format.name == "PBN" and is_from_bridge_composer(head):
            outcomes = map(drop_markup, outcomes)
        for outcome in outcomes:
            is_empty = False
            yield outcome
    if is_empty:
        message = describe(head, file_format.name if file_format else "")
        yield RecordError(1, "", 1, NOT_A_BRIDGE_FILE, message)


def _format_of(head: bytes, formats: tuple[Format, ...]) -> Format | None:
    """Return the first of the formats that a file's first bytes match, None for a file of another kind."""
    if not head.strip():
        return None
    foreign = is_foreign(head)
    known = (each for each in formats if each.is_markup or not foreign)
    return next((each for each in known if each.matches(head)), None)
