"""Presenters: what the templates show of a board, in a list (BoardPreview), alone (BoardDetail), or to its owner.

The address of a theme's page has its identifier, not its id (decision 0038).
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import count
from typing import NamedTuple

from django.urls import reverse

from accounts.models import Account
from boards.analysis import PlaySummary, summarise_play, verdict_of
from boards.catalogue.serializers import links_of
from boards.models import Board, CardCosts, PublicationReview
from boards.models.names import full_name_of, name_of, origin_of
from boards.records import diagram_of, facts_of, record_of
from boards.services.reviews import Publishing, publishing
from bridge.auction import AUCTION_COLUMNS, Call, in_rows
from bridge.board import BoardRecord
from bridge.diagram import Diagram
from bridge.double_dummy import Par, par_for, split_par_contract
from bridge.formats.handviewer import write_handviewer
from bridge.formats.plain_text import write_plain_text
from bridge.lessons import read_lesson
from bridge.names import DENOMINATIONS, format_call, format_score
from bridge.replay import Position, next_caller, positions, record_at
from bridge.seats import Seat
from bridge.verdict import Verdict
from config.values.labels import Label, best_label
from pages.presenters.playing import TableView, Trick, build_tricks
from themes.labels import LabelCache, label_themes
from themes.models import Theme


class AnnotatedCall(NamedTuple):
    """A call and the number of the footnote that explains it, 0 for none. Without a call it is the next one to come."""

    call: Call | None
    footnote: int = 0


class ShownPart(NamedTuple):
    """A part of a commentary, and whether it draws the hands of its seats."""

    text: str
    seats: tuple[Seat, ...]
    is_drawn: bool

    @property
    def hands(self) -> tuple[str, ...]:
        """Return the names of the hands to draw. Four stand above the commentary already."""
        return tuple(seat.key for seat in self.seats) if self.is_drawn and len(self.seats) < len(Seat) else ()

    @property
    def in_words(self) -> str:
        """Name the hands, as in "North, South"; "" where the commentary does not say which."""
        return "all four hands" if len(self.seats) == len(Seat) else ", ".join(seat.full_name for seat in self.seats)


class BoardPreview:
    """A board in a list. Read its deal and auction system with it, so that no board costs a query of its own."""

    denominations = tuple(reversed(DENOMINATIONS))

    def __init__(self, board: Board, themes: Iterable[Theme], languages: Sequence[str]) -> None:
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
        return Diagram(self.shown)

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

    @cached_property
    def tricks(self) -> list[Trick]:
        """Return the tricks with their cards in the order of `players`. There are none when only the lead is known."""
        contract, cards = self.shown.contract, self.shown.play
        if contract is None or len(cards) < 2:
            return []
        costly = self.play_summary.cards if self.play_summary else ()
        return build_tricks(contract, cards, {played.card: played.cost for played in costly})

    @cached_property
    def table(self) -> TableView | None:
        """Return the table at the position, None for the whole board."""
        return TableView(self.record, self.position, self.costs) if self.position else None

    @cached_property
    def verdict(self) -> list[Verdict]:
        """Return the sentences about the board, unless all they could say is the result, which stands above them."""
        verdict = verdict_of(self.board)
        return verdict if any(sentence.code != "result" for sentence in verdict) else []

    @property
    def players(self) -> Sequence[Seat]:
        """Return the seats clockwise, starting with the opening leader."""
        contract = self.record.contract
        return contract.leader.clockwise() if contract and contract.leader else ()

    @property
    def par_score(self) -> str:
        return format_score(self.par["score"]) if self.par else ""

    @cached_property
    def auction_system(self) -> Label | None:
        system = self.board.auction_system
        return best_label(system.labels, self.languages, system.identifier) if system else None

    @cached_property
    def lesson(self) -> list[ShownPart]:
        """Return the parts of the commentary. Hands that an earlier part has drawn are only named."""
        parts = read_lesson(self.board.commentary)
        drawn = {seats: number for number, (_, seats) in reversed([*enumerate(parts)])}
        return [ShownPart(part.text, part.seats, drawn[part.seats] == number) for number, part in enumerate(parts)]

    @property
    def facts(self) -> dict[str, str]:
        """Return what is known of where and how the board was played, by its labels."""
        return facts_of(self.board)

    @property
    def plain_text(self) -> str:
        return write_plain_text(self.record)

    @property
    def links(self) -> dict[str, str]:
        """Return the paths of the board's files by the names of LinksSerializer."""
        return links_of(self.board, base_url="")

    @property
    def bbo_link(self) -> str:
        return write_handviewer(self.record)


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
        super().__init__(board, (), ())
        self.number = number

    @property
    def heading(self) -> str:
        return self.diagram.heading or f"Deal {self.number}"

    @property
    def par_line(self) -> str:
        """Return the par as a club prints it; "" until it is computed."""
        return format_par(self.par) if self.par else ""


def format_par(par: Par) -> str:
    """Write a par as in "NS +420: 4♠ NS"."""
    score = par["score"]
    side = f"{'NS' if score > 0 else 'EW'} +{abs(score)}" if score else "0"
    return f"{side}: {', '.join(map(format_par_contract, par['contracts']))}"


def format_par_contract(text: str) -> str:
    """Write "EW 5DX-2" as "5♦X-2 EW"."""
    bid, rest, side = split_par_contract(text)
    return f"{format_call(bid)}{rest}\u00a0{side}" if bid else "passed out"


def may_publish() -> bool:
    return publishing() is not Publishing.OFF


def word_for_publishing() -> str:
    return "Publish" if publishing() is Publishing.OPEN else "Ask staff to publish"


class OwnBoard:
    """A board of whoever looks at it. Select its review with it in a list."""

    def __init__(self, board: Board) -> None:
        self.board = board

    @property
    def name(self) -> str:
        return name_of(self.board) or "Untitled board"

    @property
    def origin(self) -> str:
        return origin_of(self.board)

    @cached_property
    def review(self) -> PublicationReview | None:
        return getattr(self.board, "review", None)

    @property
    def is_waiting(self) -> bool:
        return self.review is not None and self.review.is_waiting

    @property
    def sentence(self) -> str:
        """Return what staff answered, "" when they did not."""
        return self.review.sentence if self.review else ""

    @property
    def can_be_published(self) -> bool:
        return may_publish() and self.board.published_at is None and not self.is_waiting

    @property
    def can_be_withdrawn(self) -> bool:
        return self.board.published_at is not None or self.is_waiting

    @property
    def word_for_publishing(self) -> str:
        return word_for_publishing()


def own_board_of(board: Board, reader: Account | None) -> OwnBoard | None:
    """Return what a page shows of a board to its owner, and None for any other reader."""
    return OwnBoard(board) if reader and reader.pk == board.owner_id else None


def theme_path(theme: Theme, labels: LabelCache) -> str:
    """Return the path of the theme's page, with its type where other types have the identifier too.

    Older labels are good enough: the page is found by either form.
    """
    start = reverse("themes-page")
    if labels.name_of(theme) == theme.identifier:
        return f"{start}/{theme.identifier}"
    return f"{start}/{theme.type}/{theme.identifier}"
