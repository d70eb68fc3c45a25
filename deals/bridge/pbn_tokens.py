"""The tags, sections and comments of one PBN game."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from .errors import NotationError

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
_ELEMENT = re.compile(
    r"""=\s*+(?P<note>\d++)\s*+= | \$(?P<nag>\d++) | \^\s*+(?P<irregularity>[ISRLisrl])
    | (?P<suffix>[!?]{1,2}) | (?P<word>[A-Za-z0-9-]++) | (?P<end>[*+]) | (?P<stray>\S)""",
    re.VERBOSE,
)
_ANNOTATED = ("Auction", "Play")
_ESCAPED = re.compile(r'\\(["\\])')


@dataclass(slots=True)
class Tag:
    """A tag pair, the section text behind it and, for Auction and Play, its notes by their number."""

    name: str
    value: str
    line: int
    body: list[str] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)

    def elements(self) -> Iterator[tuple[str, str]]:
        """The section's elements as (kind, text); kinds are the group names of `_ELEMENT` (§3.2)."""
        for match in _ELEMENT.finditer(" ".join(self.body)):
            kind = match.lastgroup or "stray"
            yield kind, match[kind]


@dataclass(slots=True)
class Tags:
    """One game. Of tags that occur twice the first counts (§3.4). `comments` are those in braces.

    `error` is the first flaw in the notation; the tags before it are there all the same.
    """

    by_name: dict[str, Tag] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)
    stray: bool = False
    error: NotationError | None = None

    def value(self, name: str) -> str:
        """Stripped; "" for an absent, inapplicable ("") or unknown ("?") value (§3.4)."""
        tag = self.by_name.get(name)
        return "" if tag is None or tag.value == "?" else tag.value.strip()


def read_tags(text: str, line: int) -> Tags:
    """`text` has LF line ends and begins at `line` of the file. Never raises: see `Tags.error`."""
    tags = Tags()
    section: Tag | None = None
    annotated: Tag | None = None
    end = 0
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        line += text.count("\n", end, token.start())
        end = token.start()
        if section is None:
            tags.stray |= kind == "string" or (kind == "text" and not token["text"].isspace())
        elif kind == "text":
            section.body.append(token["text"])
        if kind == "value" or kind == "raw":
            section = _tag(token, line)
            if section.name == "Note":
                _add_note(annotated, section.value)
            elif tags.by_name.setdefault(section.name, section) is section and section.name in _ANNOTATED:
                annotated = section
        elif kind == "close":
            tags.comments.append(token["comment"])
        tags.error = _flaw(token, line)
        if tags.error:
            break
    return tags


def _tag(token: re.Match[str], line: int) -> Tag:
    if token["loose"] is not None:
        return Tag(token["loose"], token["raw"], line)
    return Tag(token["name"], _ESCAPED.sub(r"\1", token["value"]), line)


def _add_note(annotated: Tag | None, value: str) -> None:
    """A note before any section has nothing to explain (§3.5.5) and is dropped."""
    number, _, text = value.partition(":")
    if annotated is not None:
        annotated.notes.setdefault(number.strip(), text.strip())


def _flaw(token: re.Match[str], line: int) -> NotationError | None:
    if token.lastgroup == "bracket":
        return NotationError("malformed_tag", 'A tag is written [Name "value"].', line)
    if token.lastgroup == "close" and not token["close"]:
        return NotationError(
            "unterminated_comment", "A comment that begins with { has no } at its end.", line
        )
    return None
