"""What a PBN game takes from the games before it: "#" values, "##" headers, and the board of a further table."""

from dataclasses import dataclass, field

from bridge.board import TEXTS, BoardRecord
from bridge.errors import NotationError
from bridge.formats.pbn.tokens import Tag, Tags
from bridge.formats.raw_records import RawRecord, count_lines
from bridge.layout import MAX_DEAL_LENGTH
from bridge.seats import Seat

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
    """The line behind the last game."""
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

    def note_first_call(self, tags: Tags) -> None:
        auction = tags.by_name.get("Auction")
        first = next((text for kind, text in auction.elements() if kind == "word"), "") if auction else ""
        self.passes_are_written |= first.upper() in ("PASS", "P", "NB", "NOBID", "AP", "ALLPASS")

    def note_second_deal(self, tags: Tags, game: RawRecord) -> None:
        """Note that a board has two deals. A second Deal opens a game, as in files without blank lines.

        The first has then no table, and the second, on the next line, has no more of a board than its deal.
        """
        current, before = tags.by_name, self.previous
        is_second = "Deal" in before and "Deal" in current and game.line <= self.end
        is_split = not any(name in current for name in _BOARD_HEAD) and not any(name in before for name in _TABLE_TAGS)
        if is_second and is_split and any(name in current for name in _TABLE_TAGS):
            tags.again.append(before["Deal"])
        self.end = game.line + count_lines(game.data)

    def complete_table(self, tags: Tags) -> None:
        """Complete a further table of the previous game's board; see `read_pbn`."""
        current, before = tags.by_name, self.previous
        if _is_further_table(current, before):
            tags.again += [before[name] for name in ("Dealer", "Vulnerable") if name in before and name in current]
            for name, tag in tags_of_board(before).items():
                current.setdefault(name, tag)
        self.previous = current


def _is_further_table(current: dict[str, Tag], before: dict[str, Tag]) -> bool:
    """Tell whether a game has a table without a deal, and no other board than the game before, which has one."""
    if "Deal" in current or "Deal" not in before or not any(name in current for name in _TABLE_TAGS):
        return False
    board = current.get("Board")
    return board is None or ("Board" in before and board.value == before["Board"].value)


def _inheritable(value: str) -> str:
    """Return the value as later games take it: "" for one so long that each of them would take long to read."""
    return value if len(value) <= MAX_DEAL_LENGTH else ""
