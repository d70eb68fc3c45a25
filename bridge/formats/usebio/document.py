"""A USEBIO document as its boards. It is read without entities, and nothing outside it is fetched.

What is read is what public programs write and read, and what a public file has (decision 0033). Only the elements that
say something of a board or of a place in the ranking are kept: names of players are never.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from html.entities import html5
from xml.parsers.expat import ExpatError, ParserCreate, XMLParserType, errors

from bridge.errors import NotationError
from bridge.formats.raw_records import Blocks, decode_text
from bridge.texts import to_one_line

MAX_SIZE = 16 * 1024 * 1024
"""The limit is in bytes. Hands may follow the results, so a document is read whole."""

MAX_DEPTH = 32
MAX_ELEMENTS = 1_000_000
MAX_NODES = 50_000
MAX_REFERENCES = 200_000
"""A document with more boards, hands and tables, or with more ampersands, is refused: each of them takes memory."""

_MAX_TEXT_LENGTH = 1000
POINTS = {"MATCH_POINTS": "ScoreMP", "CROSS_IMP_POINTS": "ScoreIMP", "BUTLER_POINTS": "ScoreIMP", "IMPS": "ScoreIMP"}
"""The tags of PBN for the points of both sides of a table."""

_NODES = frozenset(
    {"USEBIO", "CLUB", "EVENT", "SESSION", "SECTION", "MATCH", "PARTICIPANTS", "HANDSET"}
    | {"BOARD", "HAND", "TRAVELLER_LINE", "PAIR"}
)
_LEAVES = frozenset(
    {"ARTIFICIAL_SCORE", "BOARD_NUMBER", "BOARD_SCORING_METHOD", "CLUB_NAME", "CONTRACT", "DATE", "DIRECTION"}
    | {"EVENT_DESCRIPTION", "EW_PAIR_NUMBER", "LEAD", "NS_PAIR_NUMBER", "OPPOSING_TEAM", "PLAYED_BY"}
    | {"ROUND_NUMBER", "SCORE", "SCORING_METHOD", "TEAM", "TRICKS", "VENUE", "VULNERABILITY"}
    | {"BOARDS_PLAYED", "PAIR_NUMBER", "PERCENTAGE", "PLACE", "TOTAL_SCORE", "WINNER_TYPE"}
    | {"SPADES", "HEARTS", "DIAMONDS", "CLUBS"}
    | {f"{side}_{name}" for side in ("NS", "EW") for name in POINTS}
)
_IDS = frozenset({"EVENT_TYPE", "SESSION_ID", "SECTION_ID", "TEAM_ID"})

_ENCODING = re.compile(
    rb"""<\?xml[^>]{0,200}?\sencoding\s*=\s*["'](iso-8859-[0-9]{1,2}|windows-125[0-8])["']""", re.IGNORECASE
)
_REFERENCE = re.compile(
    r"<!\[CDATA\[(?:[^\]]++|\](?!\]>))*+ | &(?:(?P<name>[A-Za-z][A-Za-z0-9]*);|(?P<code>\#(?:[0-9]+|x[0-9A-Fa-f]+);)?)",
    re.VERBOSE,
)
"""A section of CDATA up to its end, or else the document's: one without an end is looked through once."""

_PREDEFINED = frozenset({"amp", "lt", "gt", "quot", "apos"})


@dataclass(frozen=True, slots=True)
class Text:
    """The text of an element, on one line, and the line of the document where it begins."""

    value: str
    line: int


@dataclass(slots=True, eq=False)
class Node:
    """An element that has others in it. `texts` are those of its children, by name; of several the first with text."""

    name: str
    line: int
    parent: "Node | None"
    ids: dict[str, str] = field(default_factory=dict)
    texts: dict[str, Text] = field(default_factory=dict)
    hands: list["Node"] = field(default_factory=list)
    tables: list["Node"] = field(default_factory=list)

    def text(self, name: str) -> str:
        return self.texts[name].value if name in self.texts else ""

    def outwards(self) -> Iterator["Node"]:
        """Yield the node and those around it, the innermost first."""
        node: Node | None = self
        while node:
            yield node
            node = node.parent

    def nearest(self, name: str) -> Text | None:
        """Return the text of this name in the node, else in the innermost one around it that has it."""
        return next((node.texts[name] for node in self.outwards() if name in node.texts), None)

    def nearest_id(self, name: str) -> str:
        return next((node.ids[name] for node in self.outwards() if name in node.ids), "")

    @property
    def event(self) -> "Node | None":
        return next((node for node in self.outwards() if node.name == "EVENT"), None)


def read_whole(blocks: Blocks) -> bytes:
    """Return the bytes of a document; or raise NotationError: `not_text` or `document_too_large`."""
    data = bytearray()
    for block in blocks:
        data += block
        if len(data) > MAX_SIZE:
            raise _too_large(f"it is larger than {MAX_SIZE // 2**20} MiB", 1)
    if b"\0" in data:
        raise NotationError("not_text", "The document is not text: it contains NUL characters.", 1)
    return bytes(data)


def _too_large(reason: str, line: int) -> NotationError:
    message = f"The document cannot be read: {reason}. Export fewer events at a time."
    return NotationError("document_too_large", message, line)


def _decode(data: bytes) -> str:
    """Decode UTF-8, else what the document declares, else Windows-1252, which many declare as ISO 8859-1."""
    declared = _ENCODING.match(data)
    if declared and declared[1].lower() != b"iso-8859-1":
        with suppress(UnicodeDecodeError):
            return data.decode()
        with suppress(LookupError):
            return data.decode(declared[1].decode(), errors="replace")
    return decode_text(data)


def _plain_reference(match: re.Match[str]) -> str:
    """Return what a reference stands for in HTML, so that no entity is left that the document could define."""
    name = match["name"]
    if match["code"] or match[0].startswith("<") or name in _PREDEFINED:
        return match[0]
    return html5.get(f"{name};", f"&amp;{name};") if name else "&amp;"


class Document:
    """The boards of the events with their tables, those of the hand sets, both in order, and data for all boards.

    `participants` are the pairs and the teams that have places. `teams` are the names of teams by their numbers, `ids`
    those of sessions and sections. `together` has the id() of events whose sections are scored as one. All but that is
    collected while the document is parsed.
    """

    def __init__(self, parser: XMLParserType) -> None:
        self.boards: list[Node] = []
        self.hand_boards: list[Node] = []
        self.events: list[Node] = []
        self.participants: list[Node] = []
        self.teams: dict[str, str] = {}
        self.club_name: Text | None = None
        self.together: set[int] = set()
        self.ids: set[tuple[str, str]] = set()
        self._parser = parser
        parser.EntityDeclHandler = self._refuse_definition
        parser.AttlistDeclHandler = self._refuse_definition  # Expat gives each of them to each element.
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._add
        self._open: list[Node | None] = [Node("", 0, None)]
        """The elements that are open, within the document itself. None is one that is passed over."""

        self._leaf = ("", 0)
        self._text: list[str] = []
        self._length = self._elements = self._nodes = 0

    @property
    def is_one_session(self) -> bool:
        """Tell whether there is but one session and one section, each called 1 or A."""
        return len(self.ids) <= 2 and len(self.ids) == len(dict(self.ids)) and {"1", "A"} >= {*dict(self.ids).values()}

    @property
    def _line(self) -> int:
        return self._parser.CurrentLineNumber

    def _refuse_definition(self, *declaration: object) -> None:
        message = "The document defines entities or attributes, which are not read. Remove its DOCTYPE."
        raise NotationError("malformed_xml", message, self._line)

    def _count_element(self) -> None:
        """Count an element that begins; or raise `malformed_xml` for its depth, `document_too_large` for its number."""
        self._elements += 1
        if len(self._open) > MAX_DEPTH:
            message = f"Elements are nested deeper than {MAX_DEPTH}."
            raise NotationError("malformed_xml", message, self._line)
        if self._elements > MAX_ELEMENTS:
            raise _too_large(f"it has more than {MAX_ELEMENTS:,} elements", self._line)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._count_element()
        name, parent, node = name.upper(), self._open[-1], None
        is_team = parent is not None and (parent.name, name) == ("PARTICIPANTS", "TEAM")  # else it is a team's number
        number, team = attributes.get("TEAM_ID"), attributes.get("TEAM_NAME")
        if is_team and number and team:
            self.teams.setdefault(number.strip(), to_one_line(team[:_MAX_TEXT_LENGTH]))
        if parent and (is_team or name in _NODES):
            node = self._node(name, parent, attributes)
        elif parent and name in _LEAVES:
            self._leaf = (name, len(self._open))
            self._text, self._length = [], 0
        self._open.append(node)

    def _add(self, text: str) -> None:
        if self._leaf[0] and self._length < _MAX_TEXT_LENGTH:
            self._text.append(text[:_MAX_TEXT_LENGTH])
            self._length += len(text)

    def _end(self, name: str) -> None:
        self._open.pop()
        leaf, depth = self._leaf
        parent = self._open[-1]
        if not leaf or depth != len(self._open) or parent is None:
            return
        self._leaf = ("", 0)
        text = Text(to_one_line("".join(self._text)), self._line)
        if text.value:
            parent.texts.setdefault(leaf, text)
        if leaf == "CLUB_NAME" and parent.name == "CLUB" and self.club_name is None:
            self.club_name = text

    def _node(self, name: str, parent: Node, attributes: dict[str, str]) -> Node:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise _too_large(f"it has more than {MAX_NODES:,} boards, hands and tables", self._line)
        ids = {key: to_one_line(value[:_MAX_TEXT_LENGTH]) for key, value in attributes.items() if key in _IDS}
        self.ids |= {each for each in ids.items() if each[0] in ("SESSION_ID", "SECTION_ID")}
        node = Node(name, self._line, parent, ids)
        if name == "EVENT":
            self.events.append(node)
        elif name == "BOARD":
            (self.hand_boards if parent.name == "HANDSET" else self.boards).append(node)
        elif parent.name == "PARTICIPANTS":
            self.participants.append(node)
        elif parent.name == "BOARD":
            (parent.hands if name == "HAND" else parent.tables).append(node)
        return node


def parse(data: bytes) -> Document:
    """Parse a document; or raise NotationError: `malformed_xml` or `document_too_large`."""
    text = _decode(data)
    if text.count("&") > MAX_REFERENCES:
        raise _too_large(f"it has more than {MAX_REFERENCES:,} ampersands", 1)
    text = _REFERENCE.sub(_plain_reference, text)
    parser = ParserCreate("utf-8")
    parser.buffer_text = True
    document = Document(parser)
    try:
        parser.Parse(text.encode(), True)
    except ExpatError as error:
        message = f"The XML is not well formed: {errors.messages[error.code]}."
        raise NotationError("malformed_xml", message, error.lineno) from None
    return document
