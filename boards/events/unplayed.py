"""Matches of teams that were not played: files have each of their boards as passed out.

Programs write so where a team gave up, or did not come. Nothing is made of such tables: they have no score, and no
other table is compared with them. A single board that everybody passed is a result, and so is one of a match that was
played. What two teams played in one part of a stage is looked at, as one account has it.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from itertools import chain
from typing import Any, NamedTuple

from boards.events.counting import MAX_EVENT_TABLES
from boards.events.listing import STORED
from boards.events.tables import IS_OF_TEAMS, Table, UnplayedTable, teams_of_match
from boards.identity import stage_key_of
from boards.models import Board, EventDeal
from bridge.board import teams_of
from config.database import fetch_rows, reading_connection
from config.edge.limits.dear_reads import take_permit_for


class Meeting(NamedTuple):
    """Two teams in a part of a stage of an event, as one account has it."""

    slug: str
    stage_key: str
    owner_id: str
    teams: frozenset[str]


class Results(NamedTuple):
    """What a meeting's records have: the deals that were passed out, the first and the last, and other results."""

    first: int
    last: int
    others: int


PASSED_OUT = "board.contract = 'Pass' AND board.adjustment = ''"
OF_STAGES = f"{STORED} JOIN wanted ON wanted.slug = event_id AND wanted.stage_key = event_deal.stage_key"
TABLES = f"SELECT count(*) FROM (SELECT 1 FROM {OF_STAGES} LIMIT {MAX_EVENT_TABLES + 1:d}) AS tables"
RESULTS = f"""
SELECT slug, wanted.stage_key, board.owner_id, board.home_team, board.visit_team,
    min(CASE WHEN {PASSED_OUT} THEN event_deal.id END), max(CASE WHEN {PASSED_OUT} THEN event_deal.id END),
    sum(CASE WHEN {PASSED_OUT} THEN 0 ELSE 1 END)
FROM {OF_STAGES} JOIN boards_board AS board ON board.id = stored.board_id AND board.published_at IS NOT NULL
WHERE {IS_OF_TEAMS} AND (board.contract <> '' OR board.adjustment <> '' OR board.tricks IS NOT NULL)
GROUP BY 1, 2, 3, 4, 5
"""


DealRows = Collection[tuple[EventDeal, list[Table]]]
"""Deals of events with their tables."""


def mark_unplayed(deals: DealRows, max_tables: int = MAX_EVENT_TABLES, *, are_whole: bool = False) -> DealRows:
    """Return the tables of these deals, those of a match that was not played as UnplayedTable.

    Where a team passed out a board, its stage is looked through, unless the stages have too many tables. That takes two
    statements, and many tables need a permit. Raise TooManyRunning when none gets free. Nothing is read where the deals
    `are_whole`: all that teams played in their stages.
    """
    passed_out = find_passed_out(deals)
    if are_whole:
        suspects = {meeting for meeting, passed in passed_out.items() if meeting.teams and len(passed) > 1}
        unplayed = without_results(deals, suspects)
    else:
        unplayed = read_unplayed({(meeting.slug, meeting.stage_key) for meeting in passed_out}, max_tables)
    if not unplayed:
        return deals
    return [(deal, [mark(table, deal, unplayed) for table in tables]) for deal, tables in deals]


def mark(table: Table, deal: EventDeal, unplayed: Collection[Meeting]) -> Table:
    is_in = is_passed_out_by_teams(table) and meeting_of(deal, table) in unplayed
    return UnplayedTable(*table) if is_in else table


def find_passed_out(deals: DealRows) -> dict[Meeting, set[int]]:
    """Return who passed out some of these deals, and which."""
    found: dict[Meeting, set[int]] = defaultdict(set)
    for deal, tables in deals:
        for table in filter(is_passed_out_by_teams, tables):
            found[meeting_of(deal, table)].add(deal.id)
    return found


def without_results(deals: DealRows, meetings: set[Meeting]) -> set[Meeting]:
    """Return those of these meetings that have no other result among the deals."""
    met = {meeting.teams for meeting in meetings}
    for deal, tables in deals if met else ():
        for table in tables:
            if teams_of_match(*teams_of(table)) in met and is_played(table):
                meetings.discard(meeting_of(deal, table))
    return meetings


def find_unplayed(boards: Iterable[Board]) -> list[Board]:
    """Return those of these boards whose match was not played, in the same way."""
    suspects = [
        (Meeting(slug, stage_key_of(board.stage), board.owner_id or "", teams_of_match(*teams_of(board))), board)
        for board in boards
        if board.published_at and is_passed_out_by_teams(board) and (slug := board.event_slug)
    ]
    unplayed = read_unplayed({(meeting.slug, meeting.stage_key) for meeting, _ in suspects}, MAX_EVENT_TABLES)
    return [board for meeting, board in suspects if meeting in unplayed]


def read_unplayed(stages: Collection[tuple[str, str]], max_tables: int) -> set[Meeting]:
    """Return who met in these stages, each of an event, and did not play."""
    if not stages:
        return set()
    wanted, values = rows_of(stages)
    ((tables,),) = fetch_rows(f"{wanted} {TABLES}", values)
    if tables > max_tables:
        return set()
    take_permit_for(tables)
    found: dict[Meeting, list[Results]] = defaultdict(list)
    for slug, stage_key, owner_id, home, visit, *results in fetch_rows(f"{wanted} {RESULTS}", values):
        found[Meeting(slug, stage_key, owner_id, teams_of_match(home, visit))].append(Results(*results))
    return {meeting for meeting, results in found.items() if meeting.teams and is_unplayed(results)}


def rows_of(stages: Collection[tuple[str, str]]) -> tuple[str, list[Any]]:
    """Return the SQL of the table `wanted` of these stages, each of an event, and its parameters."""
    if reading_connection().vendor == "postgresql":
        wanted = "SELECT * FROM unnest(%s::text[], %s::text[])"
        values: list[Any] = [*map(list, zip(*stages, strict=True))]
    else:
        wanted, values = f"VALUES {', '.join(['(%s, %s)'] * len(stages))}", [*chain.from_iterable(stages)]
    return f"WITH wanted(slug, stage_key) AS ({wanted})", values


def is_unplayed(results: Collection[Results]) -> bool:
    """Tell whether there are records of two deals or more, and each says that everybody passed."""
    passed_out = {deal for each in results for deal in (each.first, each.last)}
    return not any(each.others for each in results) and len(passed_out) > 1


def meeting_of(deal: EventDeal, table: Table) -> Meeting:
    return Meeting(deal.event_id, deal.stage_key, table.owner_id, teams_of_match(*teams_of(table)))


def is_played(table: Table) -> bool:
    """Tell whether something came of the board that is not a passed out one. RESULTS says it to the database."""
    return bool(table.contract or table.has_result) and not is_passed_out_by_teams(table)


def is_passed_out_by_teams(table: Table | Board) -> bool:
    return table.contract == "Pass" and not table.adjustment and all(teams_of(table))
