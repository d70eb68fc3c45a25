"""The tables of a deal: what was bid and won at each, in which order they stand, and which are held twice."""

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from boards.identity import fold
from boards.models import parse_stored_contract
from bridge.board import seating_of, teams_of
from bridge.contract import Contract
from bridge.ranking import natural_key
from bridge.scores import Result, parse_adjustment, score_if_known
from bridge.vulnerability import Vulnerability

IS_OF_TEAMS = "board.home_team <> '' AND board.visit_team <> ''"
"""The SQL of a table that two teams played."""

IS_PAIRS = "board.home_team = ''"
"""The SQL of one that no team played at home, as in an evening of pairs."""


Teams = frozenset[str]
"""The two teams of a match, folded."""


class Table(NamedTuple):
    """What was bid and won at a table. Its columns are those of a board."""

    pk: UUID
    board_number: int | None
    room: str
    table: str
    home_team: str
    visit_team: str
    pair_ns: str
    pair_ew: str
    vulnerability: str
    contract: str
    declarer: str
    opening_lead: str
    tricks: int | None
    scoring: str
    title: str
    deal_title: str
    stage: str
    dealer: str
    adjustment: str
    owner_id: str
    published_at: Any

    @property
    def is_unplayed(self) -> bool:
        """Tell whether its match was not played, though the record says that everybody passed."""
        return False

    @property
    def score(self) -> int | None:
        """Return North-South's points, or None when contract or result is not known or the director gave a score."""
        if self.adjustment:
            return None
        return score_of(self.contract, self.declarer, self.vulnerability, self.tricks)

    @property
    def has_result(self) -> bool:
        """Tell whether something came of the board here. HAS_RESULT says it to the database."""
        return self.tricks is not None or self.contract == "Pass" or bool(self.adjustment)

    @property
    def is_deal_alone(self) -> bool:
        """Tell whether the board is not a table: a file of deals has brought it, and nobody played it."""
        return not (self.contract or self.adjustment or any(seating_of(self)))

    @property
    def compared(self) -> Result | None:
        """Return what is compared with other tables: the score, or what the director gave for it."""
        if self.adjustment:
            return parse_adjustment(self.adjustment)
        return score_of(self.contract, self.declarer, self.vulnerability, self.tricks)

    @property
    def instead(self) -> str:
        """Return what stands in the place of a contract: the director's score, or that nobody played."""
        return "not played" if self.is_unplayed else self.adjustment

    @property
    def final_contract(self) -> Contract | None:
        is_played = self.contract and not self.adjustment
        return parse_stored_contract(self.contract, self.declarer) if is_played else None


class UnplayedTable(Table):
    """A table of a match that was not played (boards.events.unplayed). Nothing came of the board here."""

    __slots__ = ()

    @property
    def is_unplayed(self) -> bool:
        return True

    @property
    def score(self) -> None:
        return None

    compared = score

    @property
    def has_result(self) -> bool:
        return False

    @property
    def final_contract(self) -> None:
        return None


@lru_cache(maxsize=4096)
def score_of(contract: str, declarer: str, vulnerability: str, tricks: int | None) -> int | None:
    """Return the score of these columns of a board. A page asks for it several times a table, of a thousand tables."""
    played = parse_stored_contract(contract, declarer) if contract else None
    return score_if_known(played, Vulnerability(vulnerability), tricks)


@lru_cache(maxsize=1024)
def fold_team(name: str) -> str:
    """Return the name as it is compared. The same few are folded for hundreds of tables."""
    return fold(name)


@lru_cache(maxsize=1024)
def teams_of_match(home: str, visit: str) -> Teams:
    """Return the two teams in any order and spelling that files use, and nothing where they are not known."""
    teams = frozenset(filter(None, map(fold_team, (home, visit))))
    return teams if len(teams) == 2 else frozenset()


def table_order(table: Table) -> tuple[Any, ...]:
    """Return what sorts the tables of a deal: by match, the open room before the closed one, and by number."""
    return *teams_of(table), table.room == "Closed", order_of_names(table.table, table.pair_ns), table.pk


@lru_cache(maxsize=1024)
def order_of_names(*names: str) -> tuple[Any, ...]:
    """Return what sorts a table and a pair. An evening has the same few of both for each of its deals."""
    return *map(number_in, names), *map(natural_key, names)


def number_in(text: str) -> int:
    """Return the number of a table or a pair, 0 for one that is a name."""
    return int(text) if text.isdecimal() and text.isascii() else 0


def rank_owners(tables: Sequence[Table], club: Collection[str]) -> list[str]:
    """Return the accounts that hold these tables in the order in which they count (boards.events.owners).

    The accounts of the club come first, then who published the first of the tables. How many tables an account holds
    does not matter.
    """
    owners = {table.owner_id for table in tables}
    if len(owners) < 2:
        return [*owners]
    first: dict[str, tuple[Any, UUID]] = {}
    for table in tables:
        published = table.published_at, table.pk
        first[table.owner_id] = min(first.get(table.owner_id, published), published)
    return sorted(owners, key=lambda owner: (owner not in club, first[owner]))


def few_of(tables: Sequence[Table], most: int) -> Sequence[Table]:
    """Return the tables of a deal if they are so few, else those of the first account, else nothing."""
    if len(tables) > most:
        tables = [table for table in tables if table.owner_id == tables[0].owner_id]
    return tables if len(tables) <= most else ()


class DealTables(NamedTuple):
    """The tables of a deal, each once, those of the first account first.

    `shown_of` is the account whose tables are shown where another holds them too, else "". `lead` is the first
    account's board where it has the deal alone, and only others played it.
    """

    tables: list[Table]
    shown_of: str = ""
    lead: Table | None = None

    @property
    def board(self) -> Table:
        """Return the board that stands for the deal, with its number and its title."""
        return self.lead or self.tables[0]


def without_copies(tables: Sequence[Table], club: Collection[str] = (), first_owner: str = "") -> DealTables:
    """Return each table once: as the first owner has it, else as the first account of `rank_owners` that holds it.

    A club's evening is often a player's as well. A board that is the deal alone stands for it only where there is no
    table.
    """
    played = [table for table in tables if not table.is_deal_alone] or tables
    if len({table.owner_id for table in tables}) < 2:
        return DealTables(sorted(played, key=table_order))
    ranked = sorted(rank_owners(tables, club), key=lambda owner: owner != first_owner)
    by_owner: dict[str, list[Table]] = defaultdict(list)
    for table in sorted(played, key=table_order):
        by_owner[table.owner_id].append(table)
    held: Counter[Hashable] = Counter()
    kept: list[Table] = []
    for owner in ranked:
        of_owner: Counter[Hashable] = Counter()
        for table in by_owner[owner]:
            of_owner[same_at(table)] += 1
            kept += [table] * (of_owner[same_at(table)] > held[same_at(table)])
        held |= of_owner
    lead = min((table for table in tables if table.owner_id == ranked[0]), key=table_order)
    has_copies = len(kept) < len(played)
    return DealTables(kept, kept[0].owner_id * has_copies, None if kept[0].owner_id == ranked[0] else lead)


def same_at(table: Table) -> Hashable:
    """Return what two accounts' records of one table have in common: who sat there, else all that happened."""
    seating: tuple[str, ...] = seating_of(table)
    if table.table or table.pair_ns or table.pair_ew or (table.room and all(teams_of(table))):
        return seating
    return *seating, table.contract, table.declarer, table.tricks, table.opening_lead, table.adjustment
