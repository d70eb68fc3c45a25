"""Cutting a stream of bytes into PBN games, with memory for one game only."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from bridge.formats.raw_records import MAX_RECORD_SIZE, RawRecord, count_lines, read_blocks
from bridge.formats.statistics import split_statistics

_OPENERS = frozenset((b"Event", b"Site", b"Date", b"Board", b"Dealer", b"Vulnerable", b"Deal"))
_OPENING = re.compile(rb"\[\s*(%s)\s*\"" % b"|".join(sorted(_OPENERS)))
_OPENING_LINE = re.compile(rb"\s*" + _OPENING.pattern)
_LINE = re.compile(rb"[^\r\n]*+(?:\r\n|\n|\r)?")
_PLAIN = re.compile(rb"(?:(?![%\s])[^{\r\n]++(?:\r\n|\n|\r(?!\n)))++(?=[ \t]*+[\r\n])")
_BLANK_LINE = re.compile(rb"(?:\A|\n|\r(?!\n))[ \t\v\f]*+[\r\n]")
_MARKS = re.compile(
    rb"""\[\s*(?P<tag>[A-Za-z]++)\s*(?=")        # a tag begins
    | "(?:[^"\\\r\n]|\\.)*+"?                   # a string, at most to the end of its line
    | ;[^\r\n]*+
    | \{[^}]*+(?P<close>\}?)""",
    re.VERBOSE,
)


def read_games(stream: BinaryIO) -> Iterator[RawRecord]:
    """Yield the games of a file in order; lines end in LF, CR or CRLF.

    A game ends at a blank line outside comments (PBN 2.1 §3). Leniently it also ends where a tag that
    opens games comes again after the Deal, as in files without blank lines; and an unclosed comment ends
    where, after a blank line, such a tag begins a line, so that it cannot swallow the games behind it.
    """
    splitter = _Splitter()
    for text in _whole_lines(stream):
        if splitter.can_skip(text):  # A hostile file may have millions of lines that change nothing.
            splitter.skip(text)
            continue
        offset = 0
        while offset < len(text):
            if not splitter.size and (game := _plain_game(text, offset)):
                yield RawRecord(splitter.number, game)
                splitter.number += count_lines(game)
                offset += len(game)
            else:
                line = text[offset : _LINE.search(text, offset).end()]  # type: ignore[union-attr]  # "" matches
                yield from splitter.feed(line)
                offset += len(line)
    yield from splitter.flush(is_last=True)


def _plain_game(text: bytes, offset: int) -> bytes:
    """Return the game that begins here if one match finds it whole, else b"".

    A blank line ends it, it has no comment, and no tag in it begins another game. Without this short cut
    two large files take 1.3 and 1.8 times as long to read.
    """
    game = _PLAIN.match(text, offset)
    if game is None or len(game[0]) > MAX_RECORD_SIZE:
        return b""
    openers = _OPENING.findall(game[0])
    return game[0] if len(openers) == len(set(openers)) else b""


@dataclass(slots=True)
class _Splitter:
    """Collects the lines of one game at a time. `number` is that of the current line, `start` of the game's first."""

    number: int = 1
    start: int = 0
    lines: list[bytes] = field(default_factory=list)
    size: int = 0
    seen_tags: set[bytes] = field(default_factory=set)
    in_comment: bool = False
    after_blank: bool = False

    @property
    def too_long(self) -> bool:
        return self.size > MAX_RECORD_SIZE

    def can_skip(self, text: bytes) -> bool:
        """Tell whether nothing in these lines begins or ends a game; only a blank line ends one that is too long."""
        return not _BLANK_LINE.search(text) if self.too_long else not self.size and not text.strip()

    def skip(self, text: bytes) -> None:
        """Count the lines and drop them."""
        self.number += count_lines(text)
        self.after_blank = not self.too_long

    def feed(self, line: bytes) -> Iterator[RawRecord]:
        """Add a line; yield the games that end before it or in it."""
        is_blank = not line.strip()
        if is_blank and not self.size:
            self.number += count_lines(line)
            return
        if self._is_end(line, is_blank):
            yield from self.flush()
        self.after_blank = is_blank
        begin = 0
        for cut in self._openings(line):
            self._add(line[begin:cut])
            yield from self.flush()
            begin = cut
        if not is_blank or self.in_comment:
            self._add(line[begin:])
        self.number += count_lines(line)

    def flush(self, *, is_last: bool = False) -> Iterator[RawRecord]:
        """Yield the current game, if there is one, and begin the next."""
        if self.size:
            data, text = b"".join(self.lines), b""
            if is_last:
                data, text = split_statistics(data, b"]", b"}")
            yield RawRecord(self.start, data, self.too_long, is_last)
            if text:
                yield RawRecord(self.start + count_lines(data), text)
        self.lines, self.size, self.seen_tags = [], 0, set()
        self.in_comment = False

    def _is_end(self, line: bytes, is_blank: bool) -> bool:
        """Tell whether the current game ends before this line."""
        if is_blank:
            return not self.in_comment or self.too_long
        return self.in_comment and self.after_blank and _OPENING_LINE.match(line) is not None

    def _openings(self, line: bytes) -> Iterator[int]:
        """Yield where in the line a new game begins; keep track of comments and of the tags seen."""
        begin = self._begin_of_tags(line)
        if line.find(b"[", begin) < 0 and line.find(b"{", begin) < 0:
            return
        for mark in _MARKS.finditer(line, begin):
            tag = mark["tag"]
            if tag in _OPENERS:
                if tag in self.seen_tags and b"Deal" in self.seen_tags:
                    yield mark.start()
                self.seen_tags.add(tag)
            elif mark["close"] == b"":
                self.in_comment = True

    def _begin_of_tags(self, line: bytes) -> int:
        """Return where in the line tags may begin, its end for an escape line (§2.4). End a comment before that."""
        if self.too_long or (not self.in_comment and line[:1] == b"%"):
            return len(line)
        if not self.in_comment:
            return 0
        end = line.find(b"}") + 1
        self.in_comment = not end
        return end or len(line)

    def _add(self, line: bytes) -> None:
        self.start = self.start if self.size else self.number
        self.size += len(line)
        if self.too_long:
            self.lines.clear()
        elif line:
            self.lines.append(line)


def _whole_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield some whole lines at a time; a line of more than MAX_RECORD_SIZE bytes comes in pieces."""
    rest = b""
    for block in read_blocks(stream):
        text = rest + block
        end = max(text.rfind(b"\n"), text.rfind(b"\r", 0, -1)) + 1  # A CR at the end may be half of a CRLF.
        if len(text) - end > MAX_RECORD_SIZE:
            end = len(text)
        if end:
            yield text[:end]
        rest = text[end:]
    if rest:
        yield rest
