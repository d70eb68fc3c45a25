"""What one PBN game takes from the games before it."""

from dataclasses import dataclass, field

from deals.bridge.errors import NotationError
from deals.bridge.pbn.tokens import Tag, Tags

_INHERITED = ("Event", "Site", "Date", "Board", "Scoring", "Description", "BidSystemNS", "BidSystemEW")
"""The tags we keep that may be "#"."""

_NOT_INHERITED = ("Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Auction", "Play")
_OF_THE_BOARD = ("Event", "Site", "Date", "Board", "Dealer", "Vulnerable", "Deal", "Scoring")
_OF_THE_TABLE = ("Auction", "Declarer", "Contract", "Play", "Result")


def refuse_inheritance(tags: Tags) -> None:
    """`forbidden_inheritance` for a "#" where PBN 2.1 §4.8 forbids it."""
    for name in _NOT_INHERITED:
        tag = tags.by_name.get(name)
        if tag and tag.value.startswith("#"):
            message = f"{name} cannot be taken from an earlier game ({tag.value[:20]})."
            raise NotationError("forbidden_inheritance", message, tag.line)


@dataclass(slots=True)
class Context:
    """What a game takes from the games before it."""

    nearest: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    previous: dict[str, Tag] = field(default_factory=dict)

    def inherit(self, tags: Tags) -> None:
        """PBN 2.1 §4.8. A plain value also replaces a "##" one for the games that follow."""
        for name in _INHERITED:
            tag = tags.by_name.get(name)
            if tag is not None:
                tag.value = self.nearest[name] = self._real_value(name, tag.value)
            elif name in self.headers:
                tags.by_name[name] = Tag(name, self.headers[name], 0)

    def _real_value(self, name: str, value: str) -> str:
        if value == "#":
            return self.nearest.get(name, "")
        if value.startswith("##"):
            self.headers[name] = value[2:]
        elif name in self.headers:
            self.headers[name] = value
        return value.removeprefix("##")

    def follow(self, tags: Tags) -> None:
        """Complete a further table of the previous game's board; see `read_pbn`."""
        given, before = tags.by_name, self.previous
        if "Deal" not in given and "Deal" in before and any(name in given for name in _OF_THE_TABLE):
            board = given.get("Board")
            if board is None or ("Board" in before and board.value == before["Board"].value):
                for name in _OF_THE_BOARD:
                    if name in before:
                        given.setdefault(name, before[name])
        self.previous = given
