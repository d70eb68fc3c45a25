"""The page of a match of teams: both tables of each board, with their IMPs and victory points."""

from itertools import accumulate
from typing import Any

from django.http import Http404, HttpResponse
from django.urls import reverse

from boards.events.counting import CountedEvent
from boards.events.matches import Match, MatchBoard, by_teams
from boards.events.reading import read_team_deals
from boards.events.tables import fold_team, teams_of_match
from boards.identity import stage_key_of, whole_stage
from boards.models import Board
from config.api.pagination import Page
from config.api.serializers import model_string
from pages.evenings.events import parameters_of
from pages.presenters.events import EventView
from pages.site.base import PageNumberQuery, page_context, path_with_query

BOARDS_OF_PAGE = 48


class MatchQuery(PageNumberQuery):
    home = model_string(Board, "home_team", allow_blank=False)
    visit = model_string(Board, "visit_team", allow_blank=False)
    stage = model_string(Board, "stage", default="")


class MatchPage(EventView):
    """GET /events/{slug}/match?home&visit&stage&page → 200, 404 or 400: what two teams, in any order, played there."""

    query = MatchQuery

    def show(self, counted: CountedEvent, query: dict[str, Any]) -> HttpResponse:
        slug = counted.slug
        match = find_match(slug, query["stage"], query["home_team"], query["visit_team"])
        if match is None:
            raise Http404
        page = Page(query["page"], BOARDS_OF_PAGE, len(match.boards))
        rows = rows_of(match)[page.first_row : page.first_row + BOARDS_OF_PAGE]
        if not rows:
            raise Http404
        path = reverse("event-match", args=[slug])
        context = {
            "event": counted.event,
            "match": match,
            "heading": f"{match.home} – {match.visit}",
            "imps": "" if match.is_unplayed else write_imps(match.imps),
            "points": "" if match.is_unplayed else write_points(match),
            "parts": [
                (part, write_part(match, part), path_with_query(path, parameters_of(part))) for part in match.parts
            ],
            "rows": rows,
            **page_context(page, path, **parameters_of(match)),
        }
        return self.render_page("evenings/match.html", context, path=context["path"])


def find_match(slug: str, stage: str, home: str, visit: str) -> Match | None:
    """Return the match of two teams in a stage of the event, or in a part of one, or None."""
    stage_key, teams = stage_key_of(stage), teams_of_match(home, visit)
    deals = read_team_deals(slug, whole_stage(stage_key)) if teams else []
    asked = [deal for deal in deals if stage_key in (deal.stage_key, whole_stage(deal.stage_key))]
    tables = [tables[teams] for tables in (by_teams(deal.tables) for deal in asked) if teams in tables]
    if not tables:
        return None
    match = Match(stage_key, teams, tables)
    return match if match.compared or match.is_unplayed else None


def rows_of(match: Match) -> list[tuple[MatchBoard, tuple[int, int]]]:
    """Return the boards of a match, each with the IMPs of both teams up to it."""
    points = [board.imps or 0 for board in match.boards]
    home = accumulate(max(each, 0) for each in points)
    visit = accumulate(max(-each, 0) for each in points)
    return [*zip(match.boards, zip(home, visit, strict=True), strict=True)]


def write_part(match: Match, part: Match) -> str:
    return "not played" if part.is_unplayed else write_imps(imps_in(match, part))


def imps_in(match: Match, part: Match) -> tuple[int, int]:
    """Return the IMPs of a part, those of the match's home team first."""
    return part.imps if fold_team(part.home) == fold_team(match.home) else part.imps[::-1]


def write_imps(points: tuple[int, int]) -> str:
    return f"{points[0]} – {points[1]}"


def write_points(match: Match) -> str:
    home, visit = match.victory_points
    return f"{home:.2f} – {visit:.2f}"
