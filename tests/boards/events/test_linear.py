"""Twice the tables of an event cost at most 2.5 times as much, however they are divided into deals."""

from collections.abc import Callable
from uuid import UUID

from boards.events.listing import DealResults
from boards.events.matches import find_matches, find_standings
from boards.events.own import Seat, own_places, own_results
from boards.events.ranking import list_fields, stages_of
from boards.events.reading import ListedDeal, group_tables
from boards.events.swings import compare_deal
from boards.events.tables import Table
from boards.identity import stage_key_of
from boards.models import EventDeal
from pages.presenters.tables import TableChoice, choices_of
from tests.linear import assert_linear

VALUES = {"board_number": 1, "vulnerability": "None", "contract": "4S", "declarer": "S", "tricks": 10, "dealer": "N"}
EMPTY = Table._make(VALUES.get(name, "") for name in Table._fields)
LEAST = 250
OF_DEAL = 100


def deals_of(tables: int, of_deal: int, *, are_teams: bool = False) -> list[ListedDeal]:
    """Return so many tables of deals, each with a pair that has no other number, or of matches in three rounds."""
    rows = []
    for index in range(tables):
        deal, number = divmod(index, of_deal)
        key = UUID(int=index + 1)
        room, match = ("Open", "Closed")[number % 2], number // 2
        table = EMPTY._replace(
            pk=key, table=str(number), tricks=5 + index % 9, pair_ns=str(number), pair_ew=f"E{number}"
        )
        if are_teams:
            teams = {"home_team": f"Lions {match}", "visit_team": f"Bears {match}", "stage": f"Round {deal % 3}"}
            table = table._replace(room=room, pair_ns="", pair_ew="", **teams)
        event_deal = EventDeal(
            pk=deal + 1,
            event_id="evening",
            stage_key=stage_key_of(table.stage),
            board_number=deal,
            deal_id=UUID(int=deal + 1),
        )
        rows.append((event_deal, [*table]))
    return group_tables(sorted(rows, key=lambda row: row[0].key), are_whole=True)


def rank(deals: list[ListedDeal]) -> object:
    return list_fields(stages_of(deals))


def look_as_a_pair(deals: list[ListedDeal]) -> object:
    (stage,) = stages_of(deals)
    results = own_results(stage, Seat("1").find(stage))
    return own_places(stage, results)


def play_matches(deals: list[ListedDeal]) -> object:
    matches = find_matches(deals)
    return [match.imps for match in matches], find_standings(matches)


def show(deals: list[ListedDeal]) -> object:
    tables = [deal.tables for deal in deals]
    TableChoice(pair="1").alternatives(tables)
    return choices_of(tables, TableChoice()), [DealResults(each).usual_contract for each in tables]


def swing(deals: list[ListedDeal]) -> object:
    return [compare_deal(deal.tables) for deal in deals]


def test_twice_the_tables_of_pairs_cost_twice_as_much() -> None:
    works: tuple[Callable[[list[ListedDeal]], object], ...] = (rank, look_as_a_pair, show, swing)
    for work in works:
        assert_linear(lambda tables: deals_of(tables, OF_DEAL), work, LEAST)
        assert_linear(lambda tables: deals_of(tables, tables), work, LEAST)


def test_twice_the_tables_of_teams_cost_twice_as_much() -> None:
    for work in (rank, play_matches):
        assert_linear(lambda tables: deals_of(tables, OF_DEAL, are_teams=True), work, LEAST)
        assert_linear(lambda tables: deals_of(tables, tables, are_teams=True), work, LEAST)
