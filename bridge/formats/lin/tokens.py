"""Read the text of a LIN table into its tags: the deal, the vulnerability, calls, cards and the claim.

Lines that a mail program has broken are joined first. LIN has no way to write "|" in a free text: we write what it
cannot hold as a character reference, "|" as "&#124;", a line break as "&#10;", "!" before a suit's letter as "&#33;",
and "&" before such a reference as "&#38;". Reading undoes it. The suit symbols are "!S", "!H", "!D" and "!C".
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypeVar

from bridge.auction import Call, parse_call
from bridge.cards import SUITS, parse_card
from bridge.errors import BridgeError, NotationError
from bridge.formats.raw_records import RawRecord
from bridge.formats.repairs import FILE_CUT, file_cut
from bridge.layout import Layout, fourth_hand
from bridge.names import SUIT_SYMBOLS
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability

Value = TypeVar("Value")

_NAME = re.compile(r"(?<=\|)\s*+([A-Za-z])\s++([A-Za-z0-9])\s*+(?=\|)")


def join_lines(text: str) -> str:
    """Return a table as it was before its lines were broken at a column, or at the last blank before it.

    A line end stays where the next word would have had room: it is the file's own. Where the record begins in its
    first line is not known, nor so how long that is.
    """
    lines = text.split("\n")
    width = max(map(len, lines[1:]))
    pairs = [(lines[0].rjust(width)[-width:], lines[1]), *pairwise(lines[1:])]
    at_column = all(
        len(line) == width or line.endswith("|") or _has_room(line, further, width) for line, further in pairs
    )
    joints = [_joint(line, further, width, at_column) for line, further in pairs]
    return _NAME.sub(r"\1\2", "".join(map("".join, zip(lines, [*joints, ""], strict=True))))


def _has_room(line: str, further: str, width: int) -> bool:
    """Tell whether the line could have had the first word of the further one too."""
    return len(line) + 1 + len(further.partition(" ")[0]) <= width


def _joint(line: str, further: str, width: int, at_column: bool) -> str:
    """Return what stood between two lines: nothing, the blank at which they were broken, or a line end."""
    is_full = len(line) == width
    if at_column:
        return "" if is_full else "\n"
    word, next_word = line.rpartition(" ")[2], further.partition(" ")[0]
    if not word or (is_full and len(word) + len(next_word) > width):
        return ""
    return "\n" if _has_room(line, further, width) else " "


_TAG = re.compile(r"[A-Za-z0-9^]{2}")
MAX_TAGS = 2000
"""The limit is for one table. The longest auction, all explained, and 52 cards with pauses need fewer than 800."""

_BREAK = re.compile(r"\n(?<=[^|\s]\n)(?=\S)")
_BROKEN = re.compile(
    r"""\|\s*+[a-z](?:\n[a-z0-9]\s*+|[a-z0-9]\n)\|         # in the name of a tag, or behind it
    | \|\s*+(?:md|mb|pc)\s*+\|[^|]*?[^|\s,]\n[^|\s]""",
    re.VERBOSE | re.IGNORECASE,
)
"""Where only a mail program breaks a line. A text may have lines of its own."""

_WITHOUT_BLANKS = ("qx", "md", "sv", "mb", "pc", "mc")

_TEXT = re.compile("")
_UNFINISHED = {
    "mb": re.compile(r"(?:[1-7]|pas?|db|rdb?)\Z", re.IGNORECASE),
    "pc": re.compile(r"[SHDC]1?\Z", re.IGNORECASE),
    "mc": re.compile(r"\A1\Z"),
    **dict.fromkeys(("ah", "an", "nt"), _TEXT),
}
"""The values that more may follow. Behind others a file may leave out its last bar."""

_REPEATED = frozenset(("mb", "an", "pc", "nt"))


@dataclass(frozen=True, slots=True)
class Tag:
    name: str
    value: str
    line: int

    def read(self, read: Callable[[str], Value]) -> Value:
        """Read the value; an error bears the tag's line."""
        try:
            return read(self.value)
        except BridgeError as error:
            raise NotationError(error.code, error.message, self.line, self.name) from error


@dataclass(slots=True)
class Tags:
    """The tags of one table. `sequence` has calls, explanations, cards and notes in order, `first` the others.

    Of those, the first with a name counts. `error` is a flaw in the notation; the tags before it are kept. `cut` is the
    end of the file within a tag, which is left out.
    """

    first: dict[str, Tag] = field(default_factory=dict)
    sequence: list[Tag] = field(default_factory=list)
    error: NotationError | None = None
    cut: NotationError | None = None

    def value(self, name: str) -> str:
        """Return the stripped value of a tag in `first`; "" for an absent one."""
        return self.first[name].value.strip() if name in self.first else ""

    def drop(self, names: Sequence[str]) -> bool:
        """Remove all tags of these names. Return whether there were any."""
        dropped = [self.first.pop(name, None) for name in names]
        kept = [tag for tag in self.sequence if tag.name not in names]
        is_found = any(dropped) or len(kept) < len(self.sequence)
        self.sequence = kept
        return is_found

    @property
    def is_table(self) -> bool:
        return "md" in self.first or any(tag.name in ("mb", "pc") for tag in self.sequence)


def read_tags(record: RawRecord) -> Tags:
    """Read a table's tags. An error goes to `Tags.error`, the end of a file that was cut to `Tags.cut`."""
    tags = Tags()
    try:
        text = record.text()
        is_broken = bool(_BREAK.search(text) and _BROKEN.search(text))
        for each in _tags(join_lines(text) if is_broken else text, record.line, record.is_last):
            tag = each
            if is_broken and tag.name in _WITHOUT_BLANKS:
                tag = replace(tag, value="".join(tag.value.split()))
            if tag.name in _REPEATED:
                tags.sequence.append(tag)
            else:
                tags.first.setdefault(tag.name, tag)
    except NotationError as error:
        if error.code == FILE_CUT:
            tags.cut = error
        else:
            tags.error = error
    return tags


def _tags(text: str, line: int, is_last: bool) -> Iterator[Tag]:
    """Yield the tags of a text that begins with a bar. A value may have bars in it: real files do not escape them."""
    name, start, value, token = "", line, [""], ""
    line -= text[: len(text) - len(text.lstrip("| \t\n"))].count("\n")
    tokens = text.split("|")[1:]
    if len(tokens) > 2 * MAX_TAGS:
        raise NotationError("malformed_lin", f"No table has more than {MAX_TAGS} tags.", line)
    for token in tokens:
        if name and not value:
            value.append(token)
        elif _TAG.fullmatch(token.strip()):
            if name:
                yield Tag(name, "|".join(value), start)
            blanks = len(token) - len(token.lstrip())
            name, start, value = token.strip().lower(), line + token.count("\n", 0, blanks), []
        elif token.strip():
            if not name:
                message = f"{token.strip()[:20]!r} is not a tag. Write LIN as tag|value|tag|value|…"
                raise NotationError("malformed_lin", message, line)
            value.append(token)
        line += token.count("\n")
    if name:
        yield from _last_tag(Tag(name, "|".join(value), start), token.strip() * is_last)


def _last_tag(tag: Tag, end: str) -> Iterator[Tag]:
    """Yield the last tag as far as it is whole. `end` is what follows the file's last bar. Raise `file_cut`."""
    value, bar, _ = tag.value.rpartition("|")
    is_name = bool(bar) and len(end) == 1 and end.isalpha()
    if is_name:
        yield Tag(tag.name, value, tag.line)
    elif not end or (tag.value and not (tag.name in _UNFINISHED and _UNFINISHED[tag.name].search(tag.value.strip()))):
        yield tag
        return
    raise file_cut(end if is_name or not tag.value else f"{tag.name}|{tag.value}", tag.line)


_CODES = {symbol: f"!{letter}" for letter, symbol in SUIT_SYMBOLS.items()}
_SPECIAL = re.compile(rf"\||\n|[{''.join(_CODES)}]|!(?=[SHDCshdc])|&(?=#(?:10|33|38|124);)")
_ESCAPED = re.compile(r"&#(10|33|38|124);|!([SHDCshdc])")


def escape_text(text: str) -> str:
    return _SPECIAL.sub(lambda special: _CODES.get(special[0]) or f"&#{ord(special[0])};", text)


def unescape_text(text: str) -> str:
    return _ESCAPED.sub(lambda code: chr(int(code[1])) if code[1] else SUIT_SYMBOLS[code[2].upper()], text)


LIN_SEATS = Seat.SOUTH.clockwise()
"""The order of the hands. A dealer is written as the seat's position in it, from 1."""

VULNERABILITIES = {"o": Vulnerability.NONE, "n": Vulnerability.NS, "e": Vulnerability.EW, "b": Vulnerability.ALL}

_SUIT = re.compile(r"([SHDC])\s*((?:10|[2-9TJQKA])*+)\s*")
_HAND = re.compile(rf"(?:{_SUIT.pattern})*+")
_CALL = re.compile(r"([1-7](?:NT?|[CDHS])|PASS|NB|RDBL|DBL|XX|[PDXR])\s*(!*)\s*", re.IGNORECASE)
_CARD = re.compile(r"([SHDC](?:10|[2-9TJQKA]))\s*", re.IGNORECASE)


def read_layout(value: str) -> tuple[Seat | None, Layout]:
    """Read `md`: the dealer, None when the digit is missing or 0, and the layout. One hand may be left out.

    Raise `malformed_deal`, or what a Layout raises.
    """
    text = value.strip().upper()
    digit = text[:1] if text[:1] in "01234" else ""
    texts = [hand.strip() for hand in text.removeprefix(digit).split(",")]
    if len(texts) > 4 and not any(texts[4:]):
        texts = texts[:4]
    if len(texts) not in (3, 4):
        message = "Write a deal as the dealer's digit and three or four hands, separated by commas."
        raise BridgeError("malformed_deal", message)
    hands = {seat: _hand(seat, hand) for seat, hand in zip(LIN_SEATS, texts, strict=False) if hand}
    if len(hands) == 3:
        hands |= fourth_hand(hands)
    return LIN_SEATS[int(digit) - 1] if digit.strip("0") else None, Layout.from_hands(hands)


def _hand(seat: Seat, text: str) -> dict[str, str]:
    if not _HAND.fullmatch(text):
        raise BridgeError("malformed_deal", f"{seat.full_name}'s hand cannot be read: {text[:20]!r}.")
    suits = dict.fromkeys(SUITS, "")
    for suit, ranks in _SUIT.findall(text):
        suits[suit] += ranks.replace("10", "T")
    return suits


def read_vulnerability(value: str) -> Vulnerability | None:
    """Read `sv`. Return None for an empty one; raise `malformed_vulnerability`. Some files write 0 for o."""
    letter = value.strip().lower()[:1].replace("0", "o")
    if letter in ("", "-"):
        return None
    if letter not in VULNERABILITIES:
        raise BridgeError("malformed_vulnerability", f"{value[:20]!r} is not a vulnerability. Write o, n, e or b.")
    return VULNERABILITIES[letter]


def read_calls(value: str) -> list[Call]:
    """Read `mb`: one call or several in a row, alerted by a "!" after it. Raise `malformed_call`."""
    found = _split(value, _CALL, "call", "Write p, d, r or a bid such as 1N.")
    return [Call(parse_call(match[1]), bool(match[2])) for match in found]


def read_cards(value: str) -> list[str]:
    """Read `pc`: one card or several in a row. Raise `malformed_card`."""
    return [parse_card(match[1]) for match in _split(value, _CARD, "card", "Write the suit, then the rank: HT.")]


def _split(value: str, pattern: re.Pattern[str], name: str, advice: str) -> Iterator[re.Match[str]]:
    """Yield the calls or cards of a value. Raise `malformed_…` for what is none."""
    text, offset = value.strip(), 0
    while offset < len(text):
        match = pattern.match(text, offset)
        if match is None:
            raise BridgeError(f"malformed_{name}", f"{text[offset : offset + 20]!r} is not a {name}. {advice}")
        yield match
        offset = match.end()


def read_claim(value: str) -> int | None:
    """Read `mc`. Return all of declarer's tricks, None for an empty claim. Raise `impossible_result`."""
    text = value.strip()
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,2}", text) or int(text) > 13:
        raise BridgeError("impossible_result", f"{text[:20]!r} is not a number of tricks, 0 to 13.")
    return int(text)
