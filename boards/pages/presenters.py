"""A board as pages show it: small among others, or large and alone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from urllib.parse import quote

from boards.drawing import diagram_of
from boards.models import Board
from config.values.languages import Label, best_label
from deals.bridge.auction import AUCTION_COLUMNS, Call, auction_rows
from deals.bridge.board import BoardRecord
from deals.bridge.diagram import Diagram
from deals.bridge.lin.writer import write_lin
from deals.bridge.names import DENOMINATIONS, format_score
from deals.bridge.plain_text import write_plain_text
from deals.bridge.play import NOT_PLAYED, play_leaders, to_columns
from deals.bridge.seats import Seat
from deals.par import Par, par_for
from themes.naming import NamedTheme, named

BBO = "https://www.bridgebase.com/tools/handviewer.html?lin="
LONGEST_LINK = 8000
"""Characters: what servers commonly take as an address."""


@dataclass(frozen=True, slots=True)
class ShownCall:
    """`note` is the number of its footnote, 0 for none."""

    call: Call
    note: int


@dataclass(frozen=True, slots=True)
class ShownCard:
    """`card` is "" where none was played."""

    card: str
    leads: bool
    wins: bool


@dataclass(frozen=True, slots=True)
class Trick:
    """`winner` is "" while the trick is not over."""

    cards: list[ShownCard]
    winner: str


class Tile:
    """Needs the queryset's `with_details()`; asks the database nothing itself."""

    def __init__(self, board: Board, languages: Sequence[str]) -> None:
        self.board = board
        self.languages = languages

    @cached_property
    def diagram(self) -> Diagram:
        return diagram_of(self.board)

    @property
    def record(self) -> BoardRecord:
        return self.diagram.record

    @property
    def name(self) -> str:
        return self.board.title or self.diagram.heading or "A board"

    @cached_property
    def themes(self) -> list[NamedTheme]:
        return named(self.board.themes.all(), self.languages)


class Sheet(Tile):
    """All that is known of a board. `shown` names the hands to practise with; empty for all of them."""

    seats = AUCTION_COLUMNS
    denominations = tuple(reversed(DENOMINATIONS))

    def __init__(self, board: Board, languages: Sequence[str], shown: Sequence[str] = ()) -> None:
        super().__init__(board, languages)
        self.shown = shown

    @cached_property
    def calls(self) -> list[list[ShownCall | None]]:
        """Rows from West to South; no rows without an auction."""
        rows = auction_rows(self.record.auction) if self.record.auction else []
        notes = iter(range(1, len(rows) * 4 + 1))
        return [
            [ShownCall(call, next(notes) if call.explanation else 0) if call else None for call in row]
            for row in rows
        ]

    @property
    def notes(self) -> list[ShownCall]:
        return [call for row in self.calls for call in row if call and call.note]

    @property
    def tricks(self) -> list[Trick]:
        """None where no more than the lead is known. The opening leader's card is leftmost: see `players`."""
        contract, cards = self.record.contract, self.record.play
        if contract is None or len(cards) < 2:
            return []
        leaders = play_leaders(contract, cards)
        return [
            trick(row, leaders[number], leaders[number + 1 : number + 2], self.players)
            for number, row in enumerate(to_columns(contract, cards))
        ]

    @property
    def players(self) -> Sequence[Seat]:
        """From the opening leader on."""
        contract = self.record.contract
        return contract.leader.clockwise() if contract and contract.leader else ()

    @property
    def double_dummy(self) -> list[tuple[str, list[int]]]:
        """Each seat's tricks in the order of `denominations`; no rows until it is computed."""
        table = self.board.deal.table
        if table is None:
            return []
        tricks = table.tricks()
        return [(seat.full_name, [tricks[seat][name] for name in self.denominations]) for seat in Seat]

    @property
    def par(self) -> Par | None:
        pars = self.board.deal.par
        return par_for(pars, self.board.vulnerability, self.board.dealer) if pars else None

    @property
    def par_score(self) -> str:
        return format_score(self.par["score"]) if self.par else ""

    @property
    def auction_system(self) -> Label | None:
        system = self.board.auction_system
        return best_label(system.labels, self.languages, system.identifier) if system else None

    @property
    def facts(self) -> dict[str, str]:
        """What else is known, by what it is called."""
        board = self.board
        facts = {"Event": board.event, "Site": board.site, "Date": board.date, "Scoring": board.scoring}
        return {name: value for name, value in facts.items() if value}

    @property
    def plain_text(self) -> str:
        return write_plain_text(self.record)

    @property
    def bbo_link(self) -> str:
        """Bridge Base Online's viewer showing this board, without the commentary; "" for one too long for a link."""
        lin = write_lin(replace(self.record, commentary="")).strip()
        link = BBO + quote(lin, safe="")
        return link if len(link) <= LONGEST_LINK else ""


def trick(row: Sequence[str], leader: Seat, winner: Sequence[Seat], players: Sequence[Seat]) -> Trick:
    cards = [
        ShownCard("" if card == NOT_PLAYED else card, player is leader, player in winner)
        for card, player in zip(row, players, strict=True)
    ]
    return Trick(cards, winner[0].full_name if winner else "")
