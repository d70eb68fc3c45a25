"""The tables of a deal: what was bid and won at each, in which order they stand, and which are held twice."""

from collections import Counter
from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from boards.models import parse_stored_contract
from bridge.board import seating_of, teams_of
from bridge.contract import Contract
from bridge.scores import Result, parse_adjustment, score_if_known
from bridge.vulnerability import Vulnerability

IS_OF_TEAMS = "board.home_team <> '' AND board.visit_team <> ''"
"""The SQL of a table that two teams played."""

IS_PAIRS = "board.home_team = ''"
"""The SQL of one that no team played at home, as in an evening of pairs."""


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
        """Tell whether the board is no table: a file of deals has brought it, and nobody played it."""
        return not (self.contract or self.adjustment or any(seating_of(self)))

    @property
    def compared(self) -> Result | None:
        """Return what is compared with other tables: the score, or what the director gave for it."""
        return parse_adjustment(self.adjustment) if self.adjustment else self.score

    @property
    def final_contract(self) -> Contract | None:
        is_played = self.contract and not self.adjustment
        return parse_stored_contract(self.contract, self.declarer) if is_played else None


@lru_cache(maxsize=4096)
def score_of(contract: str, declarer: str, vulnerability: str, tricks: int | None) -> int | None:
    """Return the score of these columns of a board. A page asks for it several times a table, of a thousand tables."""
    played = parse_stored_contract(contract, declarer) if contract else None
    return score_if_known(played, Vulnerability(vulnerability), tricks)


def table_order(table: Table) -> tuple[Any, ...]:
    """Return what sorts the tables of a deal: by match, the open room before the closed one, and by number."""
    place = table.table, table.pair_ns
    return *teams_of(table), table.room == "Closed", *map(number_in, place), *place, str(table.pk)


def number_in(text: str) -> int:
    """Return the number of a table or a pair, 0 for one that is a name."""
    return int(text) if text.isdecimal() and text.isascii() else 0


def without_copies(tables: Sequence[Table], first_owner: str = "") -> tuple[list[Table], str]:
    """Return each table once, and the account whose tables are shown where another holds them too, else "".

    A club's evening is often a player's as well: the first owner's tables count, else those of the account that has
    most of the deal. A board that is the deal alone stands for it only where there is no table.
    """
    tables = [table for table in tables if not table.is_deal_alone] or tables
    owners = Counter(table.owner_id for table in tables)
    if len(owners) < 2:
        return sorted(tables, key=table_order), ""
    ranked = sorted(owners, key=lambda owner: (owner != first_owner, -owners[owner], owner))
    held: Counter[Hashable] = Counter()
    kept: list[Table] = []
    for owner in ranked:
        of_owner: Counter[Hashable] = Counter()
        for table in tables:
            if table.owner_id == owner:
                of_owner[same_at(table)] += 1
                kept += [table] * (of_owner[same_at(table)] > held[same_at(table)])
        held |= of_owner
    return sorted(kept, key=table_order), ranked[0] if len(kept) < len(tables) else ""


def same_at(table: Table) -> Hashable:
    """Return what two accounts' records of one table have in common: who sat there, else all that happened."""
    seating: tuple[str, ...] = seating_of(table)
    if table.table or table.pair_ns or table.pair_ew:
        return seating
    return *seating, table.contract, table.declarer, table.tricks, table.opening_lead, table.adjustment
