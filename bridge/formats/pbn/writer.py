"""Writing PBN 2.1 in export format."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from bridge.auction import Auction, Call
from bridge.board import TEXTS, BoardRecord, complete_record
from bridge.contract import Contract, Denomination
from bridge.formats.pbn.comments import write_comment
from bridge.formats.pbn.tokens import DEAL_COMMENTARY, write_value
from bridge.play import to_columns
from bridge.seats import Seat
from bridge.texts import MAX_LINE_LENGTH, to_one_line

HEADER = "% PBN 2.1\r\n% EXPORT\r\n%Content-type: text/x-pbn; charset=UTF-8\r\n"
"""The beginning of a file. Encode files as UTF-8: readers of ASCII and our own agree on it."""

_MANDATORY = ("Event", "Site", "Date", "Scoring")
_SUPPLEMENTAL = {text.tag: name for name, text in TEXTS.items() if text.tag not in _MANDATORY}
_SUPPLEMENTAL["BidSystemNS"] = "auction_system"

_SPECIAL = re.compile(r"\?$|##|#$")


@dataclass(frozen=True, slots=True)
class Analysis:
    """The double-dummy result: tricks by declarer (N, E, S, W) and denomination, and North-South's par score."""

    tricks: Mapping[str, Mapping[str, int]]
    score: int


def write_pbn(record: BoardRecord, analysis: Analysis | None = None, trace: str = "") -> str:
    """Write one game with CRLF line ends and an empty line at its end. The record must pass its `check`.

    `read_pbn` gives the same record back, except that texts lose control characters and blanks at their ends, a call
    with an explanation is alerted, as a note is PBN's only word for both, and an explanation of more than
    MAX_LINE_LENGTH characters is cut. A title is the Description tag (PBN 2.1 §4.1.3). For the commentary see
    `comments`. Three tags are our own: DealTitle, DealCommentary, after which a comment is about the deal, and
    DoubleDummyPlay for `trace`: a hexadecimal digit for each moment of the play, the tricks that declarer then makes.
    """
    record = complete_record(record)
    lines = [*_identification(record, analysis, trace), *write_comment(record.commentary)]
    if record.auction:
        lines += _auction(record.auction, record.contract)
    cards = record.play or ((record.opening_lead,) if record.opening_lead else ())
    if cards and record.contract:
        lines += _play(record.contract, cards)
    if analysis:
        lines += _optimum(analysis)
    return "\r\n".join([*lines, "", ""])


def _identification(record: BoardRecord, analysis: Analysis | None, trace: str) -> Iterator[str]:
    """Write the mandatory tags in their order (§3.4), then the supplemental ones in alphabetical order."""
    *evening, scoring = (_tag(tag, _text(getattr(record, tag.lower())) or "?") for tag in _MANDATORY)
    yield from evening
    yield _tag("Board", str(record.board_number or "?"))
    yield from _UNNAMED_PLAYERS
    yield _tag("Dealer", record.dealer)
    yield _tag("Vulnerable", record.vulnerability)
    yield _tag("Deal", record.layout.pbn(record.dealer))
    yield scoring
    yield from _outcome(record.contract, record.tricks)
    supplemental = {tag: _text(getattr(record, name)) for tag, name in _SUPPLEMENTAL.items()}
    supplemental["DoubleDummyPlay"] = trace
    if analysis:
        supplemental["OptimumScore"] = f"NS {analysis.score:+}" if analysis.score else "NS 0"
    written = {tag: [_tag(tag, text)] for tag, text in supplemental.items() if text}
    if comment := write_comment(record.deal_commentary):
        written[DEAL_COMMENTARY] = [_tag(DEAL_COMMENTARY, ""), *comment]
    yield from chain.from_iterable(lines for _, lines in sorted(written.items()))


def _outcome(contract: Contract | None, tricks: int | None) -> Iterator[str]:
    """Write contract and result: "?" is unknown, "" does not apply, as on a passed-out board (§3.4)."""
    passed_out = contract is not None and contract.passed_out
    yield _tag("Declarer", "" if passed_out else (contract and contract.declarer) or "?")
    yield _tag("Contract", contract.text if contract else "?")
    yield _tag("Result", "" if passed_out else "?" if tricks is None else str(tricks))


def _tag(name: str, value: str) -> str:
    return f'[{name} "{value}"]'


_UNNAMED_PLAYERS = [_tag(seat.full_name, "?") for seat in Seat.WEST.clockwise()]


@lru_cache(maxsize=1024)
def _text(text: str) -> str:
    """Escape free text for a string token (§3.2). A leading space keeps "?" and "#" as text (§3.4, §4.8)."""
    plain = write_value(to_one_line(text))
    return f" {plain}" if _SPECIAL.match(plain) else plain


def _auction(auction: Auction, contract: Contract | None) -> Iterator[str]:
    """Write four columns, notes, and "*" or "+" when the auction stops short (§3.5)."""
    notes: dict[str, int] = {}
    words = [_call(call, notes) for call in auction.calls]
    yield _tag("Auction", auction.dealer)
    yield from _rows([words[start : start + 4] for start in range(0, len(words), 4)])
    if not auction.complete:
        yield "*" if contract else "+"
    for explanation, number in notes.items():
        yield _tag("Note", f"{number}:{explanation}")


def _call(call: Call, notes: dict[str, int]) -> str:
    """Write a call. An alert is a note, with or without a text; calls with the same text share it."""
    if not call.alert and not call.explanation:
        return call.call
    return f"{call.call} ={notes.setdefault(_cut(_text(call.explanation)), len(notes) + 1)}="


def _cut(text: str) -> str:
    """Cut an escaped text so that its tag stays within a line of PBN (§2.3), but never within an escape."""
    if len(text) <= MAX_LINE_LENGTH:
        return text
    whole = text[: MAX_LINE_LENGTH - 1]
    escapes = len(whole) - len(whole.rstrip("\\"))
    return f"{whole[: len(whole) - escapes % 2]}…"


def _play(contract: Contract, cards: Sequence[str]) -> Iterator[str]:
    """Write the play in four columns (§3.6)."""
    yield _tag("Play", contract.leader or "?")
    yield from _rows(to_columns(contract, cards))
    if len(cards) < 52:
        yield "*"


def _optimum(analysis: Analysis) -> Iterator[str]:
    """Write twenty rows of declarer, denomination and tricks (§5.7)."""
    yield _tag("OptimumResultTable", r"Declarer;Denomination\2R;Result\2R")
    for seat in (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST):
        for denomination in reversed(Denomination):
            yield f"{seat} {denomination:>2} {analysis.tricks[seat][denomination]:>2}"


def _rows(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Write words in columns that are as wide as the longest word."""
    column = f"%-{max(map(len, chain(*rows)), default=0) + 1}s"
    for row in rows:
        yield (column * len(row) % tuple(row)).rstrip()
