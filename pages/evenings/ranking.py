"""The ranking of an event's pairs."""

from typing import Any

from django.http import Http404, HttpResponse
from django.urls import reverse

from boards.events.counting import CountedEvent
from boards.events.file_rankings import FileField, read_file_rankings
from boards.events.own import Seat
from boards.events.ranking import Stage, read_stages
from boards.identity import stage_key_of, whole_stage
from boards.models import Board
from bridge.ranking import Field
from bridge.scores import Comparison
from config.api.pagination import Page
from config.api.serializers import model_string
from pages.presenters.events import EventView
from pages.site.base import PageNumberQuery, page_context, path_with_query

PAIRS_OF_PAGE = 15
"""The pairs of each field on a page. With two fields, in two ways and as the club gives it, it weighs under 60 kB."""


class StageQuery(PageNumberQuery):
    stage = model_string(Board, "stage", default="")


def stages_named(stages: list[Stage], name: str) -> list[Stage]:
    """Return the stage of this name, none where there is none, and all stages without a name."""
    key = whole_stage(stage_key_of(name))
    return [stage for stage in stages if not name or stage.key == key]


def stage_links(stages: list[Stage], path: str, **parameters: str) -> list[tuple[str, str]]:
    """Return the name of each stage with the address of a page of it, nothing for a single one."""
    found = [(stage.name or "Other boards", {**parameters, "stage": stage.name}) for stage in stages]
    return [(name, path_with_query(path, each)) for name, each in found] if len(found) > 1 else []


class RankingPage(EventView):
    """GET /events/{slug}/ranking?stage&page → 200 or 404: the pairs by what they won, a stage at a time."""

    query = StageQuery

    def show(self, counted: CountedEvent, query: dict[str, Any]) -> HttpResponse:
        slug = counted.slug
        stages = read_stages(slug)
        stage = next(iter(stages_named(stages, query["stage"])), None)
        if stage is None:
            raise Http404
        of_file = [each for each in read_file_rankings(slug, stages) if each.stage in (stage, None)]
        lengths = [len(field.places) for fields in stage.rankings.values() for field in fields]
        most = max([*lengths, *(len(field.places) for field in of_file)], default=0)
        page = Page(query["page"], PAIRS_OF_PAGE, most)
        if page.page > max(page.total_pages, 1):
            raise Http404
        path, own_path = reverse("event-ranking", args=[slug]), reverse("event-our", args=[slug])
        context = {
            "event": counted.event,
            "stage": stage,
            "stages": stage_links(stages, path),
            "file_rankings": [show_file_field(own_path, stage, field, page) for field in of_file],
            "rankings": [
                (comparison, [show_field(own_path, stage, field, page) for field in fields])
                for comparison, fields in stage.rankings.items()
            ],
            **page_context(page, path, stage=query["stage"]),
        }
        return self.render_page("evenings/ranking.html", context, path=context["path"])


def show_field(own_path: str, stage: Stage, field: Field, page: Page) -> dict[str, Any]:
    """Return a page of a field: its side, and its pairs with the addresses of their own evenings."""
    places = field.places[page.first_row : page.first_row + PAIRS_OF_PAGE]
    own = [address_of(own_path, stage, Seat(place.pair, side=field.side)) for place in places]
    return {"side": field.side, "places": list(zip(places, own, strict=True))}


def show_file_field(own_path: str, stage: Stage, field: FileField, page: Page) -> dict[str, Any]:
    """Return a page of a file's field. A pair of a ranking of the whole event may have sat in another stage."""
    shown = field.places[page.first_row : page.first_row + PAIRS_OF_PAGE]
    side = field.side if stage.has_two_fields else ""
    seats = [Seat(place.pair, side=side) if stage.seated(place.pair) else None for place in shown]
    own = [address_of(own_path, stage, seat) if seat else "" for seat in seats]
    return {
        "field": field,
        "says": {name: field.says(name) for name in ("boards", "points", "percentage")},
        "places": [(*each, field.is_shared(each[0].rank)) for each in zip(shown, own, strict=True)],
    }


def address_of(own_path: str, stage: Stage, seat: Seat) -> str:
    """Return the address of an evening as it was for those who sat there. `own_path` is that of all own evenings."""
    return path_with_query(own_path, parameters_of(stage, seat))


def parameters_of(stage: Stage, seat: Seat) -> dict[str, str]:
    name = "team" if stage.matches else "pair"
    return {name: seat.pair, "room": seat.room, "table": seat.table, "side": seat.side, "stage": stage.name}


HEADINGS = {
    Comparison.MATCHPOINTS: "Matchpoints",
    Comparison.IMPS: "Cross-IMPs",
    Comparison.BUTLER: "Butler",
    Comparison.BUTLER_WITHOUT_EXTREMES: "Butler",
}
