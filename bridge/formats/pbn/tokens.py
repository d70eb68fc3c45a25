"""The tags, sections and comments of a PBN game, and the values of tags. An error has the tag's line and name."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

from bridge.board import TEXTS
from bridge.contract import Contract
from bridge.errors import BridgeError, NotationError
from bridge.formats.outcomes import GivenPoints
from bridge.formats.repairs import file_cut
from bridge.seats import Seat, parse_seat

_TOKEN = re.compile(
    r"""^%[^\n]*+                                                      # an escape line, §2.4
    | \[\s*+(?P<name>\w++)\s*+"(?P<value>(?:[^"\\\n]|\\.)*+)"\s*+\]    # a tag pair, §3.3
    | \[\s*+(?P<loose>\w++)\s*+"(?P<raw>[^\n]*)"[ \t]*+\][ \t]*+$       # one whose quotes are not escaped
    | \{(?P<comment>[^}]*+)(?P<close>\}?)                              # §3.8
    | ;[^\n]*+
    | (?P<string>"(?:[^"\\\n]|\\.)*+"?)                                # in a table, §5.1
    | (?P<bracket>\[)
    | (?P<text>[^\[{;"\n]++)""",
    re.VERBOSE | re.MULTILINE,
)
_PLAIN_TAG = re.compile(r'^\[(\w++) "([^"\\\n]*+(?:\\[^"\\\n][^"\\\n]*+)*+)"\][ \t]*+$', re.MULTILINE)
_NOT_PLAIN = ("[", "{", ";", '"', "\n%")
_WORDS = re.compile(r"[A-Za-z0-9\s-]*+")
_ELEMENT = re.compile(
    r"""(?P<word>[A-Za-z0-9-]++) | =\s*+(?P<note>\d++)\s*+= | \$(?P<nag>\d++) | \^\s*+(?P<irregularity>[ISRLisrl])
    | (?P<suffix>[!?]{1,2}) | (?P<end>[*+]) | (?P<stray>\S)""",
    re.VERBOSE,
)
SCORE_TABLE, TOTAL_SCORE_TABLE = "ScoreTable", "TotalScoreTable"
DEAL_COMMENTARY = "DealCommentary"
"""A tag of our own: the first comment after it is about the deal, not about what happened at one table."""

USED_TAGS = frozenset(
    (
        *("Board", "Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Result", "Auction", "Note", "Play"),
        *("BidSystemNS", "BidSystemEW", "Score", "Section", "North", "East", "South", "West"),
        *("Category", "SkillPath", SCORE_TABLE, TOTAL_SCORE_TABLE, "ScoreMP", "ScoreIMP"),
        *(text.tag for text in TEXTS.values()),
    )
)
"""The tags whose values the readers use."""

_SAID_TAGS = USED_TAGS - {TOTAL_SCORE_TABLE, "North", "East", "South", "West", "PairNS", "PairEW"}
"""Those whose values a remark may repeat. Players' names are personal."""

_CUT_TAG = re.compile(r'(\[\s*+(?:\w++\s*+(?:"(?:[^"\\\n]|\\.)*+\\?+"?+)?+)?+)\s*+\Z')
"""A tag pair without its end, as the last thing in a text."""

_WITHIN_CALL = re.compile(r"\s(?:(?<=\ball\s)|(?<=\bno\s))\s*+(?=(?:pass|bid)\b)", re.IGNORECASE)
"""The blanks in calls that some programs write in two words: "All Pass" and "No Bid"."""

_SUIT_LAST = re.compile(r"(10|[2-9TJQKA])([SHDC])")
_WITH_NOTES = ("Auction", "Play")
_ESCAPED = re.compile(r'\\(["\\])')


@dataclass(slots=True, eq=False)
class Tag:
    """A tag pair, the section text after it and, for Auction and Play, its notes by their number.

    No tag is equal to another, so that what is read from a tag can be kept by the tag.
    """

    name: str
    value: str
    line: int
    body: list[str] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Return the value and, for an auction or a play, the text after it."""
        return " ".join((self.value + "".join(self.body) * (self.name in _WITH_NOTES)).split())

    def elements(self) -> Iterator[tuple[str, str]]:
        """Yield the section's elements as (kind, text); kinds are the group names of `_ELEMENT` (§3.2).

        The words before any other element are split off at once, since most sections have nothing else.
        """
        text = " ".join(self.body)
        if self.name == "Auction":
            text = _WITHIN_CALL.sub("", text)
        words = _WORDS.match(text)[0]  # type: ignore[index]  # "" matches
        for word in words.split():
            yield "word", word
        for match in _ELEMENT.finditer(text, len(words)):
            yield match.lastgroup or "stray", match[match.lastindex or 0]


@dataclass(slots=True, eq=False)
class Tags:
    """The tags of one game. `comments` are those in braces, but for the one in `deal_comments` (DEAL_COMMENTARY).

    Of repeated tags the first with a value counts (§3.4); the others are in `again`. `has_other_content` tells that the
    game has more than comments and the tags in `by_name`. `error` is the first flaw in the notation; the tags before it
    are kept. `cut` is the end of the file within a tag after the Deal. `notices` say what was done with a value that
    costs the record nothing else.
    """

    by_name: dict[str, Tag] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)
    deal_comments: list[str] = field(default_factory=list)
    has_other_content: bool = False
    error: NotationError | None = None
    cut: NotationError | None = None
    notices: list[NotationError] = field(default_factory=list)
    again: list[Tag] = field(default_factory=list)
    section: Tag | None = None
    """The last Auction or Play, which notes belong to."""

    def add(self, tag: Tag) -> None:
        """Add a tag. A note goes to its section; before any it has nothing to explain (§3.5.5) and is dropped."""
        if tag.name == "Note":
            number, _, text = tag.value.partition(":")
            if self.section:
                self.section.notes.setdefault(number.strip(), text.strip())
        elif self.by_name.setdefault(tag.name, tag) is tag:
            self.section = tag if tag.name in _WITH_NOTES else self.section
        elif self.value(tag.name):
            self.again.append(tag)
        elif tag.name not in _WITH_NOTES:
            self.by_name[tag.name] = tag

    def comments_behind(self, tag: Tag | None) -> list[str]:
        is_of_deal = tag is not None and tag.name == DEAL_COMMENTARY and not self.deal_comments
        return self.deal_comments if is_of_deal else self.comments

    def drop(self, names: Sequence[str]) -> bool:
        """Remove the tags of these names. Return whether there were any."""
        present = [name for name in names if self.by_name.pop(name, None)]
        return bool(present)

    def given_twice(self) -> dict[str, Tag]:
        """Return, of the used tags that come again with another value, the first that does, by name."""
        texts: dict[str, str] = {}  # The first tag may be long, and the others short and many.
        found: dict[str, Tag] = {}
        for tag in self.again:
            name = tag.name
            if name in found or name not in _SAID_TAGS or name not in self.by_name or tag.value.strip() in ("", "?"):
                continue
            if name not in texts:
                texts[name] = self.by_name[name].text
            if tag.text != texts[name]:
                found[name] = tag
        return found

    def value(self, name: str) -> str:
        """Return the stripped value; "" for an absent, inapplicable ("") or unknown ("?") one (§3.4)."""
        tag = self.by_name.get(name)
        return "" if tag is None or tag.value == "?" else tag.value.strip()


def read_tags(text: str, line: int, *, is_last: bool = False) -> Tags:
    """Read a game's tags; errors go to `Tags.error`, a tag without its end in a file's last game to `Tags.cut`."""
    return _read_plain(text, line) or _read_tokens(text, line, is_last)


def _read_plain(text: str, line: int) -> Tags | None:
    """Read a game with one tag on each line, without comments and strings in tables; else return None.

    Most games are like that. Without this short cut two large files take 1.14 and 1.41 times as long to read.
    """
    before, *parts = _PLAIN_TAG.split(text)
    bodies = "\n".join(parts[2::3])
    if before or any(mark in bodies for mark in _NOT_PLAIN):
        return None
    tags = Tags()
    for name, value, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        if name in USED_TAGS:
            tags.add(Tag(name, value, line, [body]))
        else:
            tags.has_other_content |= not value.startswith("##")
        line += body.count("\n")
    return tags


def _read_tokens(text: str, line: int, is_last: bool) -> Tags:
    tags = Tags()
    tag: Tag | None = None
    end = row = 0
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        line += text.count("\n", end, token.start())
        end = token.start()
        if tag is None:
            tags.has_other_content |= kind == "string" or (kind == "text" and not token["text"].isspace())
        elif tag.name in (SCORE_TABLE, TOTAL_SCORE_TABLE) and kind in ("text", "string"):
            tag.body.append("\n" * (line - row) + token[0])
            row = line
        elif kind == "text":
            tag.body.append(token["text"])
        if kind in ("value", "raw"):
            tag, row = _tag(token, line), line
            tags.add(tag)
        elif kind == "close":
            tags.comments_behind(tag).append(token["comment"])
        if kind in ("bracket", "close") and _note_flaw(tags, token, line, is_last):
            break
    return tags


def _tag(token: re.Match[str], line: int) -> Tag:
    if token["loose"] is not None:
        return Tag(token["loose"], token["raw"], line)
    return Tag(token["name"], _ESCAPED.sub(r"\1", token["value"]), line)


def _note_flaw(tags: Tags, token: re.Match[str], line: int, is_last: bool) -> bool:
    """Note a bracket or comment with which the reading of a game ends. Return whether this is one."""
    if token.lastgroup == "close":
        if not token["close"]:
            message = "A comment that begins with { has no } at its end."
            tags.error = NotationError("unterminated_comment", message, line)
    elif is_last and "Deal" in tags.by_name and (cut := _CUT_TAG.match(token.string, token.start())):
        tags.cut = file_cut(cut[1], line)
    else:
        tags.error = NotationError("malformed_tag", 'Write a tag as [Name "value"].', line)
    return bool(tags.error or tags.cut)


Value = TypeVar("Value")

_PAIR = re.compile(r"(?:(?:pair|para|paar|paire|pareja|coppia|par)[ .:#-]*+)?([0-9]{1,4}[A-Za-z]?)", re.IGNORECASE)
"""The number of a pair, with its word in the languages of the programs that write it so."""

MAX_POINTS_LENGTH = 40
_NUMBER = r"(-?[0-9]{1,5}(?:\.[0-9]{1,3})?)"
_POINTS = re.compile(rf"(NS|EW) ?{_NUMBER}(?: (?:NS|EW) ?{_NUMBER})?", re.IGNORECASE)
_BOARD_NUMBER = re.compile(
    r"""(?:(?:[^\W\d_]|board|brd|bd|hand|deal|no|nr|donne|étui|mano|rozdanie|spel|spiel|bricka)\.?\s?)?  # A5, Board 5
    \#?([0-9]{1,5})
    (?:\s?(?:/|of|von|de|di|van|z|av)\s?[0-9]{1,5})?[.:]?                                               # 5/32""",
    re.VERBOSE | re.IGNORECASE,
)


def read_value(tags: Tags, name: str, parse: Callable[[str], Value]) -> Value | None:
    """Parse the tag's value; return None for an absent or unknown one."""
    value = tags.value(name)
    return read_section(tags, name, lambda tag: parse(value)) if value else None


def read_section(tags: Tags, name: str, read: Callable[[Tag], Value]) -> Value | None:
    """Read a tag and its section; return None for an absent one."""
    tag = tags.by_name.get(name)
    if tag is None:
        return None
    try:
        return read(tag)
    except BridgeError as error:
        raise NotationError(error.code, error.message, tag.line, tag.name) from None


def read_board_number(tags: Tags) -> int | None:
    """Return the board's number; None for a Board in which none is certain."""
    return parse_board_number(tags.value("Board"))


def parse_board_number(text: str) -> int | None:
    """Read "5", "5/32", "5 of 32", "A5", "Board 5" or "5."."""
    if len(text) < 6 and text.isascii() and text.isdigit():  # Nearly all are so.
        return int(text) or None
    number = _BOARD_NUMBER.fullmatch(text)
    return int(number[1]) or None if number else None


def read_pair_number(tags: Tags, players: tuple[str, ...]) -> str:
    """Return the number of a pair that is written in place of its players' names: "1" of "Para-1", "" for names."""
    numbers = {match[1] for name in players if (match := _PAIR.fullmatch(tags.value(name)))}
    return numbers.pop() if len(numbers) == 1 else ""


def read_points(tags: Tags) -> GivenPoints | None:
    """Return the ScoreMP or ScoreIMP, such as "NS 7.5" or "NS 7.5 EW 2.5"; None for one that names no side."""
    for name in ("ScoreMP", "ScoreIMP"):
        if name in tags.by_name and (points := _parse_points(name, tags.value(name)[:MAX_POINTS_LENGTH])):
            return points
    return None


@lru_cache(maxsize=1024)  # The boards of a file have few points.
def _parse_points(name: str, value: str) -> GivenPoints | None:
    match = _POINTS.fullmatch(value.replace(",", "."))
    if match is None:
        return None
    first, second = float(match[2]), float(match[3]) if match[3] else None
    if match[1].upper() == "NS":
        return GivenPoints(name == "ScoreMP", first, second)
    return None if second is None else GivenPoints(name == "ScoreMP", second, first)


def read_declarer(tags: Tags) -> Seat | None:
    """Return the Declarer, also one that had been swapped with dummy, as in "^S" (PBN 2.1 §3.9)."""
    return read_value(tags, "Declarer", lambda value: parse_seat(value.removeprefix("^")))


def read_contract(tags: Tags) -> Contract | None:
    """Return the Contract with the Declarer, as far as they are given."""
    declarer = read_declarer(tags)
    return read_value(tags, "Contract", lambda value: Contract.parse(value, declarer))


def write_tag(name: str, value: str) -> str:
    """Write a tag whose value is text, also where it looks like PBN's "take the value of the game before" ("#")."""
    return f'[{name} "{" " * value.startswith("#")}{write_value(value)}"]'


def write_value(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def write_card(text: str) -> str:
    """Write a card: "TD" and "10d" are "DT". What is not a card is left for the reader of plays to report."""
    card = text.upper()[:8]
    if suit_last := _SUIT_LAST.fullmatch(card):
        card = suit_last[2] + suit_last[1]
    return card.replace("10", "T")
