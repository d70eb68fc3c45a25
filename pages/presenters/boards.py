"""Presenters: what the templates show of a board, in a list (BoardPreview), alone (BoardDetail), or to its owner.

The address of a theme's page has its identifier, not its id (decision 0038).
"""

from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from itertools import count
from typing import NamedTuple
from uuid import UUID

from django.urls import reverse

from accounts.models import Account
from boards.analysis import PlaySummary, summarise_play, verdict_of
from boards.models import Board, CardCosts, PublicationReview
from boards.models.names import full_name_of, heading_of, name_of, origin_of, table_of, title_of
from boards.records import diagram_of, record_of
from boards.services.reviews import Publishing, publishing
from bridge.auction import AUCTION_COLUMNS, Call, in_rows
from bridge.board import BoardRecord
from bridge.cards import DECK
from bridge.diagram import Diagram
from bridge.double_dummy import Par, par_for, split_par_contract
from bridge.lessons import read_lesson
from bridge.names import DENOMINATIONS, format_call
from bridge.replay import Position, next_caller, positions, record_at
from bridge.seats import Seat
from bridge.verdict import below_heading, sign_of
from config.values.labels import Label, best_label
from pages.presenters.playing import Steps, TableView
from themes.labels import LabelCache, label_themes
from themes.models import Theme


class AnnotatedCall(NamedTuple):
    """A call and the number of the footnote that explains it, 0 for none. Without a call it is the next one to come."""

    call: Call | None
    footnote: int = 0


class Sentence(NamedTuple):
    """A sentence about a board, and "+", "−" or "=" for what it says of its side."""

    text: str
    sign: str


class ShownPart(NamedTuple):
    """A part of a commentary, the hands that it shows in words, "" for none, and the names of those to draw."""

    text: str
    in_words: str
    hands: list[str]


class BoardPreview:
    """A board in a list. Read its deal and auction system with it, so that no board costs a query of its own."""

    denominations = tuple(reversed(DENOMINATIONS))

    def __init__(self, board: Board, themes: Iterable[Theme] = (), languages: Sequence[str] = ()) -> None:
        self.board = board
        self.themes = label_themes(themes, languages)
        self.languages = languages

    @cached_property
    def diagram(self) -> Diagram:
        return diagram_of(self.board)

    @property
    def name(self) -> str:
        return name_of(self.board) or "Untitled board"

    @property
    def name_in_event(self) -> str:
        """Return the name where its event stands already: the title, else the number, else the event all the same."""
        return title_of(self.board) or heading_of(self.board) or name_of(self.board)

    @property
    def full_name(self) -> str:
        """Return the name and where the board was played, which together tell it from all others."""
        return full_name_of(self.board) or self.name

    @property
    def origin(self) -> str:
        """Return where the board was played, as far as its name does not say so."""
        return origin_of(self.board)

    @cached_property
    def double_dummy(self) -> list[tuple[Seat, list[int]]]:
        """Return each seat with its tricks in the order of `denominations`. There are no rows until it is computed."""
        table = self.board.deal.table
        if table is None:
            return []
        tricks = table.tricks()
        return [(seat, [tricks[seat][name] for name in self.denominations]) for seat in Seat]

    @cached_property
    def par(self) -> Par | None:
        pars = self.board.deal.par
        return par_for(pars, self.board.vulnerability, self.board.dealer) if pars else None


class BoardDetail(BoardPreview):
    """A board on its own page.

    `visible_hands` names the hands that are shown; when it is empty all of them are. `step` is the number of a moment
    of `stops`, and the last one for a larger number. Without it everything is shown. `costs` is the stored answer to
    what each card would cost, for a reader who wants to see it.
    """

    seats = AUCTION_COLUMNS

    def __init__(
        self,
        board: Board,
        themes: Iterable[Theme],
        languages: Sequence[str],
        visible_hands: Sequence[str] = (),
        step: int | None = None,
        costs: CardCosts | None = None,
    ) -> None:
        super().__init__(board, themes, languages)
        self.visible_hands = visible_hands
        self.step = step
        self.costs = costs

    @cached_property
    def record(self) -> BoardRecord:
        return record_of(self.board)

    @cached_property
    def diagram(self) -> Diagram:
        return Diagram(self.record)

    @cached_property
    def stops(self) -> list[Position]:
        """Return the moments that the reader steps through."""
        return positions(self.record)

    def steps_on(self, path: str, **parameters: str) -> Steps:
        """Return where the reader is on the page with this path, and the addresses of the other steps."""
        last = len(self.stops) - 1
        return Steps(path, parameters, min(self.step or 0, last), last)

    @cached_property
    def position(self) -> Position | None:
        """Return the moment that is shown, None for the whole board."""
        return None if self.step is None else self.stops[min(self.step, len(self.stops) - 1)]

    @cached_property
    def shown(self) -> BoardRecord:
        """Return the record as it stands at the position."""
        return record_at(self.record, self.position) if self.position else self.record

    @cached_property
    def shown_diagram(self) -> Diagram:
        """Return the hands at the position. After the last of 52 cards they are those that were dealt."""
        is_played = self.position is not None and self.position.cards == len(DECK)
        return self.diagram if is_played else Diagram(self.shown)

    @property
    def shown_hands(self) -> Sequence[str]:
        """Return the hands that are shown, () for all: those asked for, and after the lead dummy's (Law 41)."""
        contract = self.shown.contract
        is_led = self.position is not None and self.position.cards > 0
        if not self.visible_hands or not is_led or contract is None or contract.declarer is None:
            return self.visible_hands
        return tuple(dict.fromkeys((*self.visible_hands, contract.declarer.partner.key)))

    @property
    def next_caller(self) -> Seat | None:
        return next_caller(self.record, self.position.calls) if self.position else None

    @property
    def hides_outcome(self) -> bool:
        """Tell whether the result is folded: while hands are hidden, and before the last moment."""
        return bool(self.visible_hands) or (self.position is not None and self.position != self.stops[-1])

    @cached_property
    def auction_table(self) -> list[list[AnnotatedCall | None]]:
        """Return the calls in rows from West to South. There are no rows without an auction."""
        numbers = count(1)
        calls = self.shown.auction.calls if self.shown.auction else ()
        cells = [AnnotatedCall(call, next(numbers) if call.explanation else 0) for call in calls]
        return in_rows(self.record.dealer, [*cells, *[AnnotatedCall(None)] * bool(self.next_caller)])

    @cached_property
    def explained_calls(self) -> list[AnnotatedCall]:
        return [call for row in self.auction_table for call in row if call and call.footnote]

    @cached_property
    def play_summary(self) -> PlaySummary | None:
        """Return what the cards of the play cost. While hands are hidden it would tell what they hold."""
        return None if self.visible_hands else summarise_play(self.board)

    @property
    def costly_cards(self) -> dict[str, int]:
        """Return the tricks that cards cost which were played, as far as the play is analysed."""
        return {played.card: played.cost for played in self.play_summary.cards} if self.play_summary else {}

    @property
    def has_tricks(self) -> bool:
        """Tell whether more is known of the play than the lead."""
        return self.shown.contract is not None and len(self.shown.play) > 1

    @cached_property
    def table(self) -> TableView | None:
        """Return the table at the position, None for the whole board."""
        return TableView(self.record, self.position, self.costs) if self.position else None

    @cached_property
    def verdict(self) -> list[Sentence]:
        """Return the sentences about the board but for its result, which is the headline of the page."""
        found = (verdict for verdict in verdict_of(self.board) if verdict.code != "result")
        return [Sentence(below_heading(verdict), sign_of(verdict)) for verdict in found]

    @cached_property
    def auction_system(self) -> Label | None:
        system = self.board.auction_system
        return best_label(system.labels, self.languages, system.identifier) if system else None

    @cached_property
    def commentaries(self) -> list[tuple[str, list[ShownPart]]]:
        """Return the parts of what is said of the deal and of this table, with their headings."""
        said = ("About this deal", self.board.deal_commentary), ("Commentary", self.board.commentary)
        return [(heading, show_parts(text)) for heading, text in said]

    @property
    def lessons(self) -> list[tuple[str, list[ShownPart]]]:
        """Return those of several parts, which open one by one."""
        return [(heading, parts) for heading, parts in self.commentaries if len(parts) > 1]

    @property
    def remarks(self) -> list[str]:
        """Return those of one part, which stand before what double dummy says."""
        return [parts[0].text for _, parts in self.commentaries if len(parts) == 1]


def show_parts(commentary: str) -> list[ShownPart]:
    """Return the parts of a commentary. Hands that stand above it or in an earlier part are only named."""
    shown, drawn = [], set()
    for text, seats in read_lesson(commentary):
        has_all = len(seats) == len(Seat)
        words = "all four hands" if has_all else ", ".join(seat.full_name for seat in seats)
        hands = [] if has_all or seats in drawn else [seat.key for seat in seats]
        shown.append(ShownPart(text, words, hands))
        drawn.add(seats)
    return shown


class PracticeDetail(BoardDetail):
    """A board to practise with: one hand and the auction so far. The step after the last call shows everything."""

    @cached_property
    def stops(self) -> list[Position]:
        return [stop for stop in super().stops if not stop.cards]

    @property
    def is_revealed(self) -> bool:
        return self.step is not None and self.step >= len(self.stops)

    @cached_property
    def position(self) -> Position | None:
        return None if self.is_revealed else super().position

    @property
    def hides_outcome(self) -> bool:
        return not self.is_revealed


class HandRecord(BoardPreview):
    """A board on a sheet of hand records. `number` is its number in the list, from 1."""

    def __init__(self, board: Board, number: int) -> None:
        super().__init__(board)
        self.number = number

    @property
    def heading(self) -> str:
        return self.diagram.heading or f"Deal {self.number}"


def format_par(par: Par) -> str:
    """Write a par as in "NS +420: 4♠ NS"."""
    score = par["score"]
    side = f"{'NS' if score > 0 else 'EW'} +{abs(score)}" if score else "0"
    return f"{side}: {', '.join(map(format_par_contract, par['contracts']))}"


def format_par_contract(text: str) -> str:
    """Write "EW 5DX-2" as "5♦X-2 EW"."""
    bid, rest, side = split_par_contract(text)
    return f"{format_call(bid)}{rest}\u00a0{side}" if bid else "passed out"


class OwnBoard(BoardPreview):
    """A board as its owner sees it. Select its review with it in a list."""

    publishing = staticmethod(publishing)

    @cached_property
    def review(self) -> PublicationReview | None:
        return getattr(self.board, "review", None)

    @property
    def is_waiting(self) -> bool:
        return self.review is not None and self.review.is_waiting

    @property
    def name_in_evening(self) -> str:
        """Name the board among those of its evening: "Board 11, Count to thirteen, table 3, 3 v 7"."""
        parts = heading_of(self.board), title_of(self.board), *table_of(self.board)
        return ", ".join(filter(None, parts)) or "Untitled board"

    @property
    def can_be_published(self) -> bool:
        return publishing() is not Publishing.OFF and not self.can_be_withdrawn

    @property
    def can_be_withdrawn(self) -> bool:
        return self.board.published_at is not None or self.is_waiting


def corrects_all(reader: Account | None) -> bool:
    """Tell whether somebody is logged in to the admin who may change boards."""
    return reader is not None and reader.is_staff and reader.has_perm("boards.change_board")


@cache
def boards_path() -> str:
    """Return the path of the list of boards. To reverse it for each of hundreds of links would be slow."""
    return reverse("gallery")


def board_link(pk: UUID, text: str) -> str:
    """Link a text of markup to the page of a board."""
    return f'<a href="{boards_path()}/{pk}">{text}</a>'


def theme_path(theme: Theme, labels: LabelCache) -> str:
    """Return the path of the theme's page, with its type where other types have the identifier too.

    Older labels are good enough: the page is found by either form.
    """
    start = reverse("themes-page")
    if labels.name_of(theme) == theme.identifier:
        return f"{start}/{theme.identifier}"
    return f"{start}/{theme.type}/{theme.identifier}"
