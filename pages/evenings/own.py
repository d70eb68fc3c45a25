"""An event as it was for those who sat in one place: where one says so, and what one then sees."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.http import Http404, HttpResponse
from django.urls import reverse

from boards.analysis import summarise_play
from boards.events.counting import CountedEvent
from boards.events.file_rankings import FileField, read_file_rankings
from boards.events.own import OwnResult, Seat, own_places, own_results, read_costs
from boards.events.ranking import Stage, read_stages
from boards.events.reading import read_pars
from boards.models import Board
from bridge.double_dummy import Par
from bridge.formats.rankings import GivenPlace
from bridge.names import SIDE_NAMES
from bridge.ranking import SIDES, natural_key
from bridge.verdict import describe_card
from config.api.fields import ChoiceField
from config.api.pagination import Page
from config.api.serializers import model_string
from config.database.rows import find_by_key
from pages.evenings.ranking import StageQuery, address_of, parameters_of, stage_links, stages_named
from pages.presenters.events import EventView
from pages.presenters.tables import TableQuery
from pages.site.base import page_context, path_with_query

BOARDS_OF_PAGE = 40
MAX_ANALYSED = 100
"""The boards among which the most costly card is looked for, the first ones."""
MAX_CHOICES = 240
"""The boards of a page, and the places of which a reader chooses one. With either a page weighs less than 70 kB."""


class SeatQuery(TableQuery, StageQuery):
    side = ChoiceField(choices=SIDES, required=False, allow_blank=True)
    team = model_string(Board, "home_team", required=False)


class OwnBoard(NamedTuple):
    """A board of one's own evening, and its par where it is computed."""

    result: OwnResult
    par: Par | None


class Highlight(NamedTuple):
    """A board worth another look: why, and a sentence where the card of its play is the reason."""

    reason: str
    result: OwnResult
    sentence: str = ""


class OurEveningPage(EventView):
    """GET /events/{slug}/our → 200: where did you sit? With ?pair=7, ?team=Lions or ?table=3 one's own evening, or 404.

    `side` says in which direction, where the pair, the team or the table does not. `stage` says which one, by default
    the first in which they sat there.
    """

    query = SeatQuery
    noindex = True

    def show(self, counted: CountedEvent, query: dict[str, Any]) -> HttpResponse:
        slug = counted.slug
        stages = read_stages(slug)
        pair = query.get("pair_ns") or query.get("home_team") or ""
        seat = Seat(pair, query.get("room", ""), query.get("table", ""), query.get("side", ""))
        named = stages_named(stages, query["stage"])
        if not named:
            raise Http404
        places = [(stage, seat.find(stage)) for stage in named]
        stage, found = next((each for each in places if any(each[1])), places[0])
        path = reverse("event-our", args=[slug])
        context = {
            "event": counted.event,
            "stage": stage,
            "stages": stage_links(stages, path, **parameters_of(stage, seat)),
            "name": name_of(stage, seat),
        }
        if max(map(len, found)) == 1:
            results = own_results(stage, found)
            context["is_alone"] = len(stages) == 1
            context["file_place"] = find_file_place(read_file_rankings(slug, stages), stage, seat.pair, results[0].side)
            return self.show_evening(stage, seat, results, context)
        is_wrong = any((seat.pair, seat.room, seat.table)) and not any(found)
        context |= {"choices": choose_from(path, stage, seat, is_found=any(found)), "is_wrong": is_wrong}
        return self.render_page("evenings/our_seat.html", context, status=404 if is_wrong else 200)

    def show_evening(self, stage: Stage, seat: Seat, results: list[OwnResult], context: dict[str, Any]) -> HttpResponse:
        page = Page(StageQuery.parse(self.request.GET)["page"], BOARDS_OF_PAGE, len(results))
        shown = results[page.first_row : page.first_row + BOARDS_OF_PAGE]
        if not shown:
            raise Http404
        pars = read_pars(result.deal for result in shown)
        highlights = find_highlights(results)
        context |= {
            "boards": [OwnBoard(result, pars.get(result.deal.deal_id)) for result in shown],
            "places": own_places(stage, results),
            "highlights": highlights,
            "practice": practice_path(context["event"].slug, highlights) if context["is_alone"] else "",
            "first": results[0].table.pk,
            **page_context(page, self.request.path, **parameters_of(stage, seat)),
        }
        return self.render_page("evenings/our_evening.html", context)


def practice_path(slug: str, highlights: Iterable[Highlight]) -> str:
    """Return the address of practice with these boards alone, "" where they have no numbers."""
    numbers = sorted({each.result.table.board_number or 0 for each in highlights} - {0})
    search = f"board={','.join(map(str, numbers))}"
    return path_with_query(reverse("practice"), {"event": slug, "q": search}) if numbers else ""


class FilePlace(NamedTuple):
    """The place of a pair in the ranking of a file, and whether others share it."""

    place: GivenPlace
    is_shared: bool


def find_file_place(fields: Iterable[FileField], stage: Stage, pair: str, side: str) -> FilePlace | None:
    """Return the place that a file gives a pair or a team in its stage, else in the whole event."""
    wanted = side if stage.has_two_fields else ""
    for field in sorted(fields, key=lambda field: field.stage is None):
        place = field.find(pair, wanted) if pair and field.stage in (stage, None) else None
        if place:
            return FilePlace(place, field.is_shared(place.rank))
    return None


def name_of(stage: Stage, seat: Seat) -> str:
    """Name a seat, as in "Pair 7", "Lions, North-South" and "Open room, table 3, East-West"."""
    pair = f"{'' if stage.matches else 'pair '}{seat.pair}" if seat.pair else ""
    room = f"{seat.room} room" if seat.room else ""
    table = f"table {seat.table}" if seat.table else ""
    name = ", ".join(filter(None, (pair, room, table, SIDE_NAMES.get(seat.side, ""))))
    return name[:1].upper() + name[1:]


def find_highlights(results: Sequence[OwnResult]) -> list[Highlight]:
    """Return the best result, the one that is farthest from the field, and the one with the most costly card."""
    compared = [result for result in results if result.points[0] is not None]
    swings = sorted((result for result in results if result.swing), key=lambda result: -abs(result.swing))
    best = max(compared, key=lambda result: result.points[0] or 0, default=None)
    found = []
    if best:
        is_both = swings[:1] == [best]
        found.append(Highlight("Best result and largest swing" if is_both else "Best result", best))
        swings = swings[is_both:]
        found += [Highlight("Next largest swing" if is_both else "Largest swing", swing) for swing in swings[:1]]
    costly = find_costly_card(results)
    return [*found, costly] if costly else found


def find_costly_card(results: Sequence[OwnResult]) -> Highlight | None:
    """Return the first board whose play has the card that cost its side most tricks. That board alone is read."""
    costs = read_costs([result.table.pk for result in results[:MAX_ANALYSED]])
    most = max(costs.values(), default=0)
    if not most:
        return None
    costly = next(result for result in results if costs.get(result.table.pk) == most)
    board = find_by_key(Board, costly.table.pk, "deal", "analysis")
    summary = summarise_play(board) if board else None
    if not summary or not summary.cards:  # the board was changed meanwhile
        return None
    return Highlight("Most costly card", costly, describe_card(max(summary.cards, key=lambda card: card.cost)))


def choose_from(path: str, stage: Stage, seat: Seat, *, is_found: bool) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the places that may be meant, by their side: each name with its address."""
    seats = [seat._replace(side=side) for side in SIDES] if is_found else choices_of(stage, seat)[:MAX_CHOICES]
    sides = {side: [each for each in seats if each.side == side] for side in ("", *SIDES)}
    return [
        (SIDE_NAMES.get(side, "Pairs"), [(short_name(each), address_of(path, stage, each)) for each in of_side])
        for side, of_side in sides.items()
        if of_side
    ]


def choices_of(stage: Stage, seat: Seat) -> list[Seat]:
    """Return all pairs or teams, or the tables where nobody is named, and where a table was given."""
    named = {
        Seat(pair, side=side if stage.has_two_fields else "")
        for pairs in stage.pairs.values()
        for side, pair in zip(SIDES, pairs, strict=True)
        if pair
    }
    if named and not (seat.room or seat.table):
        return sorted(named, key=lambda each: natural_key(each.pair))
    places = {(table.room, table.table) for deal in stage.deals for table in deal.tables} - {("", "")}
    ordered = sorted(places, key=lambda place: (place[0] == "Closed", natural_key(place[1])))
    return [Seat("", *place, side) for side in SIDES for place in ordered]


def short_name(seat: Seat) -> str:
    return seat.pair or " ".join(filter(None, (seat.room, seat.table)))
