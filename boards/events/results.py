"""What came of a deal at all its tables: the best score, the worst, and the contract of most."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from boards.events.tables import Table
from bridge.contract import Contract


class UsualContract(NamedTuple):
    """The contract that most tables were in, and at how many."""

    contract: Contract
    tables: int


class DealResults:
    """The tables of a deal. Scores are North-South's. A table without a contract or a result has none."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self.tables = tables

    def __len__(self) -> int:
        return len(self.tables)

    @cached_property
    def scored(self) -> list[tuple[int, Table]]:
        """Return the tables with their scores, the best one for North-South first."""
        scored = [(table.score, table) for table in self.tables]
        return sorted([(score, table) for score, table in scored if score is not None], key=lambda row: -row[0])

    @property
    def best(self) -> tuple[int, Table] | None:
        return self.scored[0] if self.scored else None

    @property
    def worst(self) -> tuple[int, Table] | None:
        return self.scored[-1] if self.scored else None

    @property
    def spread(self) -> int | None:
        """Return the points between the best and the worst score, or None with fewer than two scores."""
        return self.scored[0][0] - self.scored[-1][0] if len(self.scored) > 1 else None

    @cached_property
    def usual_contract(self) -> UsualContract | None:
        """Return the contract of most tables, whichever partner declared. Of equals it is the first table's."""
        contracts = [contract for table in self.tables if (contract := table.final_contract)]
        if not contracts:
            return None
        counts = Counter(map(contract_of_side, contracts))
        first = max(contracts, key=lambda contract: counts[contract_of_side(contract)])
        return UsualContract(first, counts[contract_of_side(first)])


def contract_of_side(contract: Contract) -> tuple[str, str]:
    return contract.text, contract.declarer.side if contract.declarer else ""
