"""Reading a bridge file of any format: its content tells which one it is."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Any, BinaryIO

from bridge.auction import Auction
from bridge.board import BoardRecord
from bridge.formats.archives import is_archive, read_archive
from bridge.formats.dealing_machines import read_bri, read_dge, read_dlm, read_dup
from bridge.formats.foreign_files import NOT_A_BRIDGE_FILE, describe, is_foreign
from bridge.formats.guard import read_each
from bridge.formats.handviewer import LINK, read_handviewer
from bridge.formats.lin.reader import read_lin
from bridge.formats.outcomes import Check, Outcome, ReadBoard, RecordError, RecordWarning, join_files
from bridge.formats.pbn.reader import read_pbn
from bridge.formats.plain_text import BARE_DEAL, read_bare_deals
from bridge.formats.rankings import GivenRanking
from bridge.formats.raw_records import BLOCK_SIZE, Blocks, open_file
from bridge.formats.rbn import RBN, read_rbn
from bridge.formats.usebio.reader import USEBIO, read_usebio
from bridge.texts import clean_lines, resolve_html, to_one_line
from bridge.vulnerability import board_dealer, board_vulnerability

MAX_REFUSED = 10_000
"""A file with this many bad records is not a bridge file, and the rest of it is not read."""

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
    message = "ZIP files in a ZIP file are not read. Unpack it, and send its files."
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

_FORMATS_IN_ZIP = (Format("ZIP", is_archive, _refuse_zip), *FORMATS[1:])


def read_boards(
    stream: BinaryIO,
    check: Check = BoardRecord.check,
    file_format: FileFormat | None = None,
    *,
    strict: bool = False,
    renumbered: bool = True,
) -> Iterator[Outcome]:
    """Yield what comes of the records of a file in order; see `read_pbn`.

    Unless the boards may be `renumbered`, as lessons are, dealer and vulnerability are compared with their numbers. The
    file's first bytes tell its format; `file_format` is the one of a file that they do not tell. A file of another
    kind, or without a record, gives one error, `not_a_bridge_file`. After MAX_REFUSED bad records the last error is
    `too_many_refused`.
    """
    formats = FORMATS
    if file_format is not None:
        formats = (*FORMATS, *(replace(each, matches=bool) for each in FORMATS if each.name == file_format.name))
    refused = 0
    outcomes = _read(iter(partial(stream.read, BLOCK_SIZE), b""), check, strict, formats)
    for outcome in outcomes if renumbered else _check_numbers(outcomes, strict=strict):
        yield outcome
        refused += isinstance(outcome, RecordError)
        if isinstance(outcome, RecordError) and refused >= MAX_REFUSED:
            message = f"{MAX_REFUSED} records are bad. The rest of the file was not read."
            yield RecordError(outcome.record + 1, "", outcome.line, "too_many_refused", message)
            return


def _read(blocks: Blocks, check: Check, strict: bool, formats: tuple[Format, ...]) -> Iterator[Outcome]:
    head, blocks = open_file(blocks)
    file_format = find_format(head, formats)
    if file_format is None:
        yield RecordError(1, "", 1, NOT_A_BRIDGE_FILE, describe(head, ""))
        return
    outcomes = file_format.read(blocks, check, strict)
    if file_format.name == "PBN" and _COMPOSER.search(head):
        outcomes = read_each(outcomes, lambda outcome, _: [_drop_markup(outcome)])
    is_empty = True
    for outcome in outcomes:
        is_empty = False
        yield outcome
    if is_empty:
        yield RecordError(1, "", 1, NOT_A_BRIDGE_FILE, describe(head, file_format.name))


def find_format(head: bytes, formats: tuple[Format, ...] = FORMATS) -> Format | None:
    """Return the first of the formats that a file's first bytes match, None for a file of another kind."""
    if not head.strip():
        return None
    foreign = is_foreign(head)
    known = (each for each in formats if each.is_markup or not foreign)
    return next((each for each in known if each.matches(head)), None)


_COMPOSER = re.compile(rb"^%[ \t]*(?:Creator:[ \t]*BridgeComposer|BC[A-Z])", re.IGNORECASE | re.MULTILINE)
_OF_EVENING = ("event", "site", "stage")
_plain = partial(resolve_html, sign=re.compile(r"\\([SHDC])"))


def _drop_markup(outcome: Outcome) -> Outcome:
    """Return the outcome with suit symbols for BridgeComposer's `\\S`, entities resolved and tags dropped.

    Only BridgeComposer's own files, which it marks at their beginning, are read in this way. The texts of other files,
    above all of those that this service wrote, are kept as they are; pages show them by `for_people`.
    """
    plain: dict[str, Any]
    if isinstance(outcome, GivenRanking):
        plain = {name: to_one_line(_plain(getattr(outcome, name))) for name in _OF_EVENING}
        return replace(outcome, **plain)
    if not isinstance(outcome, ReadBoard):
        return outcome
    board = outcome.content
    plain = {name: to_one_line(_plain(getattr(board, name))) for name in ("title", *_OF_EVENING)}
    plain["commentary"] = clean_lines(_plain(board.commentary))
    if board.auction and any(call.explanation for call in board.auction.calls):
        calls = (replace(call, explanation=to_one_line(_plain(call.explanation))) for call in board.auction.calls)
        plain["auction"] = Auction(board.auction.dealer, tuple(calls))
    return replace(outcome, content=replace(board, **plain))


AGAINST_NUMBER = "against_board_number"
_MAX_NAMED = 3


def _check_numbers(outcomes: Iterable[Outcome], *, strict: bool) -> Iterator[Outcome]:
    """Yield the outcomes, then one warning of all boards that do not go with their numbers, or errors when strict."""
    first, count, named = None, 0, []
    for outcome in outcomes:
        error = _find_difference(outcome)
        yield error if error and strict else outcome
        if error:
            first = first or error
            count += 1
            named += [error.board] * (count <= _MAX_NAMED)
    if first and not strict:
        others = f" and {count - len(named):,} more" * (count > len(named))
        boards = f"Board{'s' * (count > 1)} {', '.join(named)}{others}"
        message = f"{boards}: dealer or vulnerability does not match the board number. The file's values were kept."
        yield RecordWarning(first.record, first.board, first.line, AGAINST_NUMBER, message)


def _find_difference(outcome: Outcome) -> RecordError | None:
    """Return what is wrong with a board whose number has another dealer or vulnerability (Law 2)."""
    if not isinstance(outcome, ReadBoard) or not (number := outcome.content.board_number):
        return None
    dealer, vulnerability = outcome.content.dealer, outcome.content.vulnerability
    expected = board_dealer(number), board_vulnerability(number)
    if (dealer, vulnerability) == expected:
        return None
    message = (
        f"Dealer {dealer.full_name} and vulnerability {vulnerability} do not match board {number}, which has"
        f" {expected[0].full_name} and {expected[1]}. Import with renumbered=true if this is intended."
    )
    return RecordError(outcome.record, outcome.board or str(number), outcome.line, AGAINST_NUMBER, message)
