"""What the tables of a deal did after the same calls, and what became of it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bridge.auction import is_over
from bridge.contract import Contract

MOST_CONTRACTS = 2
"""The number of most frequent contracts that are named."""


class FieldTable(NamedTuple):
    """What was done at a table: its calls and, where they end the auction, the opening lead. "" is not a lead.

    The score is North-South's, None where it is not known, or where the director gave one.
    """

    calls: tuple[str, ...]
    lead: str = ""
    contract: Contract | None = None
    score: int | None = None

    @property
    def done(self) -> tuple[str, ...]:
        return (*self.calls, self.lead) if self.lead and is_over(self.calls) else self.calls


class FieldContract(NamedTuple):
    """A contract and how many tables ended in it."""

    contract: Contract
    tables: int


class FieldAnswer(NamedTuple):
    """What some tables did at a moment: a call or a lead, their most frequent contracts, and their mean score.

    The mean is from the asked side's view, and None if no score is known.
    """

    answer: str
    tables: int
    contracts: list[FieldContract]
    mean_score: float | None


def answers_at(tables: Iterable[FieldTable], before: Sequence[str], side: str) -> list[FieldAnswer]:
    """Return what the tables with these calls before did next, the most frequent first. A single one is not a field."""
    step, start = len(before), tuple(before)
    by_answer: dict[str, list[FieldTable]] = defaultdict(list)
    for table in tables:
        if len(table.done) > step and table.calls[:step] == start:
            by_answer[table.done[step]].append(table)
    answers = [summarize(answer, found, side) for answer, found in by_answer.items()]
    if sum(each.tables for each in answers) < 2:
        return []
    return sorted(answers, key=lambda each: (-each.tables, each.answer))


def summarize(answer: str, tables: Sequence[FieldTable], side: str) -> FieldAnswer:
    contracts = Counter(table.contract for table in tables if table.contract)
    scores = [table.score for table in tables if table.score is not None]
    mean = sum(scores) / len(scores) * (1 if side == "NS" else -1) if scores else None
    most = [FieldContract(*each) for each in contracts.most_common(MOST_CONTRACTS)]
    return FieldAnswer(answer, len(tables), most, mean)


def count_calls(tables: Iterable[FieldTable], calls: Sequence[str]) -> dict[int, Counter[str]]:
    """Return how many tables made which call after each beginning of these calls, as `decisions_of` takes them."""
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    for table in tables:
        for step, (made, own) in enumerate(zip(table.calls, calls, strict=False)):
            counts[step][made] += 1
            if made != own:
                break
    return counts
