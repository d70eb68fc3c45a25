"""What a PBN game takes from the games before it: "#" values, "##" headers, and the board of a further table."""

from dataclasses import dataclass, field

from deals.bridge.board import TEXTS
from deals.bridge.errors import NotationError
from deals.bridge.formats.pbn.tokens import Tag, Tags
from deals.bridge.layout import MAX_DEAL_LENGTH

_PLAYERS = ("North", "East", "South", "West")
_INHERITED = ("Board", "BidSystemNS", "BidSystemEW", *_PLAYERS, *(text.tag for text in TEXTS.values()))
"""The tags that we keep and that may be "#"."""

_NOT_INHERITED = ("Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Auction", "Play")
_BOARD_TAGS = ("Board", "Dealer", "Vulnerable", "Deal", *(text.tag for text in TEXTS.values() if text.shared))
_TABLE_TAGS = ("Auction", "Declarer", "Contract", "Play", "Result", "AdjustedScore")


def refuse_inheritance(tags: Tags) -> None:
    """Raise `forbidden_inheritance` for a "#" where PBN 2.1 §4.8 forbids it."""
    for name in _NOT_INHERITED:
        tag = tags.by_name.get(name)
        if tag and tag.value.startswith("#"):
            message = f'{name} is "{tag.value[:20]}", but PBN never takes {name} from an earlier game.'
            raise NotationError("forbidden_inheritance", message, tag.line, name)


@dataclass(slots=True)
class Context:
    """What the games read so far leave to the next: values for "#", values of "##", and the tags of the last one."""

    nearest: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    previous: dict[str, Tag] = field(default_factory=dict)
    passes_are_written: bool = False
    """Whether an auction of this file has begun with Pass. Then the file leaves none out."""

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

    def note_first_call(self, tags: Tags) -> None:
        auction = tags.by_name.get("Auction")
        first = next((text for kind, text in auction.elements() if kind == "word"), "") if auction else ""
        self.passes_are_written |= first.upper() in ("PASS", "P", "AP", "ALLPASS")

    def complete_table(self, tags: Tags) -> None:
        """Complete a further table of the previous game's board; see `read_pbn`."""
        current, before = tags.by_name, self.previous
        if "Deal" not in current and "Deal" in before and any(name in current for name in _TABLE_TAGS):
            board = current.get("Board")
            if board is None or ("Board" in before and board.value == before["Board"].value):
                for name in _BOARD_TAGS:
                    if name in before and _inheritable(before[name].value):
                        current.setdefault(name, before[name])
        self.previous = current


def _inheritable(value: str) -> str:
    """Return the value as later games take it: "" for one so long that each of them would take long to read."""
    return value if len(value) <= MAX_DEAL_LENGTH else ""
