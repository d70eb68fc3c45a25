"""Finding the tags, sections and comments of one PBN game."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from deals.bridge.board import TEXTS
from deals.bridge.errors import NotationError

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
USED_TAGS = frozenset(
    (
        *("Board", "Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Result", "Auction", "Note", "Play"),
        *("BidSystemNS", "BidSystemEW", "Section", "North", "East", "South", "West"),
        *("ScoreMP", "ScoreIMP"),
        *(text.tag for text in TEXTS.values()),
    )
)
"""The tags whose values the readers use."""

_WITH_NOTES = ("Auction", "Play")
_ESCAPED = re.compile(r'\\(["\\])')


@dataclass(slots=True, eq=False)
class Tag:
    """A tag pair, the section text behind it and, for Auction and Play, its notes by their number.

    No tag is equal to another, so that what is read from a tag can be kept by the tag.
    """

    name: str
    value: str
    line: int
    body: list[str] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)

    def elements(self) -> Iterator[tuple[str, str]]:
        """Yield the section's elements as (kind, text); kinds are the group names of `_ELEMENT` (§3.2).

        The words before any other element are split off at once, since most sections have nothing else.
        """
        text = " ".join(self.body)
        words = _WORDS.match(text)[0]  # type: ignore[index]  # "" matches
        for word in words.split():
            yield "word", word
        for match in _ELEMENT.finditer(text, len(words)):
            yield match.lastgroup or "stray", match[match.lastindex or 0]


@dataclass(slots=True, eq=False)
class Tags:
    """The tags of one game. Of tags that occur twice the first counts (§3.4). `comments` are those in braces.

    `has_other_content` tells that the game has more than comments and the tags in `by_name`.

    `error` is the first flaw in the notation; the tags before it are there all the same.
    """

    by_name: dict[str, Tag] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)
    has_other_content: bool = False
    error: NotationError | None = None

    def add(self, tag: Tag, section: Tag | None) -> Tag | None:
        """Add a tag. `section` is the Auction or Play that notes belong to; return the one from now on."""
        if tag.name == "Note":
            _add_note(section, tag.value)
        elif self.by_name.setdefault(tag.name, tag) is tag and tag.name in _WITH_NOTES:
            return tag
        return section

    def value(self, name: str) -> str:
        """Return the stripped value; "" for an absent, inapplicable ("") or unknown ("?") one (§3.4)."""
        tag = self.by_name.get(name)
        return "" if tag is None or tag.value == "?" else tag.value.strip()


def read_tags(text: str, line: int) -> Tags:
    """Read a game's tags. `text` has LF line ends and begins at `line` of the file. Errors go to `Tags.error`."""
    return _read_plain(text, line) or _read_tokens(text, line)


def _read_plain(text: str, line: int) -> Tags | None:
    """Read a game whose tags stand on lines of their own, without comments and strings in tables; else return None.

    Most games are like that. Without this short cut two large files take 1.14 and 1.41 times as long to read.
    """
    before, *parts = _PLAIN_TAG.split(text)
    bodies = "\n".join(parts[2::3])
    if before or any(mark in bodies for mark in _NOT_PLAIN):
        return None
    tags = Tags()
    section: Tag | None = None
    for name, value, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        if name in USED_TAGS:
            section = tags.add(Tag(name, value, line, [body]), section)
        else:
            tags.has_other_content |= not value.startswith("##")
        line += body.count("\n")
    return tags


def _read_tokens(text: str, line: int) -> Tags:
    tags = Tags()
    tag: Tag | None = None
    section: Tag | None = None
    end = 0
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        line += text.count("\n", end, token.start())
        end = token.start()
        if tag is None:
            tags.has_other_content |= kind == "string" or (kind == "text" and not token["text"].isspace())
        elif kind == "text":
            tag.body.append(token["text"])
        if kind == "value" or kind == "raw":
            tag = _tag(token, line)
            section = tags.add(tag, section)
        elif kind == "close":
            tags.comments.append(token["comment"])
        tags.error = _error(token, line)
        if tags.error:
            break
    return tags


def _tag(token: re.Match[str], line: int) -> Tag:
    if token["loose"] is not None:
        return Tag(token["loose"], token["raw"], line)
    return Tag(token["name"], _ESCAPED.sub(r"\1", token["value"]), line)


def _add_note(section: Tag | None, value: str) -> None:
    """Add a note to its section. Before any section it has nothing to explain (§3.5.5) and is dropped."""
    number, _, text = value.partition(":")
    if section is not None:
        section.notes.setdefault(number.strip(), text.strip())


def _error(token: re.Match[str], line: int) -> NotationError | None:
    if token.lastgroup == "bracket":
        return NotationError("malformed_tag", 'Write a tag as [Name "value"].', line)
    if token.lastgroup == "close" and not token["close"]:
        return NotationError("unterminated_comment", "A comment that begins with { has no } at its end.", line)
    return None
