"""Cutting a stream of bytes into PBN games, with memory for one, and completing each with what the games before it say.

A game takes "#" values, "##" headers and the board of a further table from them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bridge.board import TEXTS, BoardRecord
from bridge.errors import NotationError
from bridge.formats.foreign_files import split_statistics
from bridge.formats.pbn.tokens import Tag, Tags
from bridge.formats.raw_records import MAX_RECORD_SIZE, Blocks, RawRecord, count_lines, mend_line_ends
from bridge.layout import MAX_DEAL_LENGTH
from bridge.seats import Seat

_OPENERS = frozenset((b"Event", b"Site", b"Date", b"Board", b"Dealer", b"Vulnerable", b"Deal"))
_OPENING = re.compile(rb"\[\s*(%s)\s*\"" % b"|".join(sorted(_OPENERS)))
_OPENING_LINE = re.compile(rb"\s*" + _OPENING.pattern)
_PARAGRAPH = re.compile(
    rb"""(?P<lines>(?:[ \t\v\f]*+[^\s][^\r\n]*+(?:\r\n|\n|\r)?+)*+)
    (?P<blank_lines>(?:[ \t\v\f]*+(?:\r\n|\n|\r))*+(?:[ \t\v\f]++\Z)?+)""",
    re.VERBOSE,
)
_MARKS = re.compile(
    rb"""\[\s*(?P<tag>[A-Za-z]++)\s*(?=")        # a tag begins
    | (?:\A|(?<=[\r\n]))%[^\r\n]*+              # an escape line, (2.4)
    | "(?:[^"\\\r\n]|\\[^\r\n])*+"?            # a string, at most to the end of its line
    | ;[^\r\n]*+
    | \{[^}]*+(?P<close>\}?)""",
    re.VERBOSE,
)


def read_games(blocks: Blocks) -> Iterator[RawRecord]:
    """Yield the games of a file in order; lines end in LF, CR or CRLF.

    A game ends at a blank line outside comments (PBN 2.1 §3). Leniently it also ends where a tag that opens games comes
    again after the Deal, as in files without blank lines; and an unclosed comment ends where, after a blank line, such
    a tag begins a line, so that it cannot swallow the games after it.
    """
    splitter = _Splitter()
    for text in _whole_lines(blocks):
        for lines, blank_lines in filter(any, _PARAGRAPH.findall(text)):
            yield from splitter.feed(lines, blank_lines)
    yield from splitter.flush(is_last=True)


@dataclass(slots=True)
class _Splitter:
    """Collects the lines of one game at a time. `number` is that of the current line, `start` of the game's first."""

    number: int = 1
    start: int = 0
    parts: list[bytes] = field(default_factory=list)
    size: int = 0
    seen_tags: set[bytes] = field(default_factory=set)
    in_comment: bool = False
    after_blank: bool = False

    @property
    def too_long(self) -> bool:
        return self.size > MAX_RECORD_SIZE

    def feed(self, lines: bytes, blank_lines: bytes) -> Iterator[RawRecord]:
        """Add lines, and the blank ones after them; yield the games that end before, in or after them."""
        if self.in_comment and self.after_blank and _OPENING_LINE.match(lines):
            yield from self.flush()
        begin = 0
        for cut in () if blank_lines and self._is_one_game(lines) else self._openings(lines):
            self._add(lines[begin:cut])
            yield from self.flush()
            begin = cut
        self._add(lines[begin:])
        self.after_blank = bool(blank_lines)
        if blank_lines and (self.too_long or not self.in_comment):
            yield from self.flush()
            self.number += count_lines(blank_lines)
        else:
            self._add(blank_lines)

    def flush(self, *, is_last: bool = False) -> Iterator[RawRecord]:
        """Yield the current game, if there is one, and begin the next."""
        if self.size:
            data, text = b"".join(self.parts), b""
            if is_last:
                data, text = split_statistics(data, b"]", b"}")
            yield RawRecord(self.start, data, self.too_long, is_last)
            if text:
                yield RawRecord(self.start + count_lines(data), text)
        self.parts, self.size, self.seen_tags = [], 0, set()
        self.in_comment = False

    def _is_one_game(self, lines: bytes) -> bool:
        """Tell whether nothing in the last lines of a game begins another. Nearly all are so, and this is fast."""
        tags = [*self.seen_tags, *_OPENING.findall(lines)]
        return b"{" not in lines and not self.in_comment and len(set(tags)) == len(tags)

    def _openings(self, lines: bytes) -> Iterator[int]:
        """Yield where in the lines a new game begins; keep track of comments and of the tags seen."""
        begin = lines.find(b"}") + 1 if self.in_comment else 0
        if self.too_long or (self.in_comment and not begin):
            return
        self.in_comment = False
        for mark in _MARKS.finditer(lines, begin):
            tag = mark["tag"]
            if tag in _OPENERS:
                if tag in self.seen_tags and b"Deal" in self.seen_tags:
                    yield mark.start()
                self.seen_tags.add(tag)
            elif mark["close"] == b"":
                self.in_comment = True

    def _add(self, data: bytes) -> None:
        self.start = self.start if self.size else self.number
        self.number += count_lines(data)
        self.size += len(data)
        if self.too_long:
            self.parts.clear()
        elif data:
            self.parts.append(data)


def _whole_lines(blocks: Blocks) -> Iterator[bytes]:
    """Yield some whole lines at a time; a line longer than MAX_RECORD_SIZE bytes comes in pieces."""
    rest = b""
    for block in mend_line_ends(blocks):
        text = rest + block
        end = max(text.rfind(b"\n"), text.rfind(b"\r", 0, -1)) + 1  # A CR at the end may be half of a CRLF.
        if len(text) - end > MAX_RECORD_SIZE:
            end = len(text)
        yield text[:end]
        rest = text[end:]
    yield rest


_PLAYERS = ("North", "East", "South", "West")
_INHERITED = ("Board", "BidSystemNS", "BidSystemEW", *_PLAYERS, *(text.tag for text in TEXTS.values()))
"""The tags that we keep and that may be "#"."""

_NOT_INHERITED = ("Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Auction", "Play")
_BOARD_TAGS = ("Board", "Dealer", "Vulnerable", "Deal", *(text.tag for text in TEXTS.values() if text.shared))
_BOARD_HEAD = ("Event", "Site", "Date", "Board", "Dealer", "Vulnerable")
_TABLE_TAGS = ("Auction", "Declarer", "Contract", "Play", "Result", "AdjustedScore")


def refuse_inheritance(tags: Tags) -> None:
    """Raise `forbidden_inheritance` for a "#" where PBN 2.1 §4.8 forbids it."""
    for name in _NOT_INHERITED:
        tag = tags.by_name.get(name)
        if tag and tag.value.startswith("#"):
            message = f'{name} is "{tag.value[:20]}", but PBN never takes {name} from an earlier game.'
            raise NotationError("forbidden_inheritance", message, tag.line, name)


def tags_of_board(tags: dict[str, Tag]) -> dict[str, Tag]:
    """Return the tags that a further table of the board takes."""
    return {name: tags[name] for name in _BOARD_TAGS if name in tags and _inheritable(tags[name].value)}


def take_deal(tags: Tags, board: BoardRecord) -> None:
    """Give a game the deal of a board in another file, and of its event what the game does not say itself."""
    values = {"Dealer": board.dealer.value, "Vulnerable": board.vulnerability.value}
    if tags.value("Event").casefold() in ("", board.event.casefold()):
        values |= {"Event": board.event, "Site": board.site, "Date": board.date}
    tags.by_name["Deal"] = Tag("Deal", board.layout.pbn(Seat.NORTH), 0)
    for name, value in values.items():
        if not tags.value(name):
            tags.by_name[name] = Tag(name, value, 0)


@dataclass(slots=True)
class Context:
    """What the games read so far leave to the next: values for "#", values of "##", and the tags of the last one."""

    nearest: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    previous: dict[str, Tag] = field(default_factory=dict)
    end: int = 0
    """The line after the last game."""
    passes_are_written: bool = False
    """Whether an auction of this file has begun with Pass. Then the file leaves none out."""
    omitted_passes_are_witnessed: bool = False
    """Whether a game left out passes before its opening bid, and its lead or its score confirmed that."""

    def inherit(self, tags: Tags) -> None:
        """Fill in "#" and "##" values (PBN 2.1 §4.8). A plain value also replaces a "##" one for later games."""
        for name in _INHERITED:
            tag = tags.by_name.get(name)
            if tag is not None:
                tag.value = self._resolve(name, tag.value)
                self.nearest[name] = _inheritable(tag.value)
            elif name in self.headers:
                tags.by_name[name] = Tag(name, self.headers[name], 0)

    def _resolve(self, name: str, value: str) -> str:
        """Return the value that is meant, and remember what "##" says of later games."""
        if value == "#":
            return self.nearest.get(name, "")
        if value.startswith("##"):
            self.headers[name] = _inheritable(value[2:])
        elif name in self.headers:
            self.headers[name] = _inheritable(value)
        return value.removeprefix("##")

    def complete(self, tags: Tags, game: RawRecord) -> None:
        """Complete a further table of the previous game's board, and keep what the game says of later ones."""
        self._note_second_deal(tags, game)
        current, before = tags.by_name, self.previous
        if _is_further_table(current, before):
            tags.again += [before[name] for name in ("Dealer", "Vulnerable") if name in before and name in current]
            for name, tag in tags_of_board(before).items():
                current.setdefault(name, tag)
        self.previous = current
        auction = tags.by_name.get("Auction")
        first = next((text for kind, text in auction.elements() if kind == "word"), "") if auction else ""
        self.passes_are_written |= first.upper() in ("PASS", "P", "NB", "NOBID", "AP", "ALLPASS")

    def _note_second_deal(self, tags: Tags, game: RawRecord) -> None:
        """Note that a board has two deals. A second Deal opens a game, as in files without blank lines.

        The first has then no table, and the second, on the next line, has no more of a board than its deal.
        """
        current, before = tags.by_name, self.previous
        is_second = "Deal" in before and "Deal" in current and game.line <= self.end
        is_split = not any(name in current for name in _BOARD_HEAD) and not any(name in before for name in _TABLE_TAGS)
        if is_second and is_split and any(name in current for name in _TABLE_TAGS):
            tags.again.append(before["Deal"])
        self.end = game.line + count_lines(game.data)


def _is_further_table(current: dict[str, Tag], before: dict[str, Tag]) -> bool:
    """Tell whether a game has a table without a deal, and no other board than the game before, which has one."""
    if "Deal" in current or "Deal" not in before or not any(name in current for name in _TABLE_TAGS):
        return False
    board = current.get("Board")
    return board is None or ("Board" in before and board.value == before["Board"].value)


def _inheritable(value: str) -> str:
    """Return the value as later games take it: "" for one so long that each of them would take long to read."""
    return value if len(value) <= MAX_DEAL_LENGTH else ""
