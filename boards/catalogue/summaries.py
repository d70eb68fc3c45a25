"""GET /api/boards/summary: how many of the boards found have which contract, result, declarer and so on.

A dimension is what boards are counted by: one fact of the index or two, or their themes.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict
from rest_framework import serializers

from accounts.models import Account
from boards.search.conditions import Condition
from boards.search.facts import FACTS
from boards.search.filters.parameters import BoardFilters, parse_selection
from boards.search.index.counting import Divider, count_values
from boards.search.index.finding import IS_PUBLISHED, count_boards
from config.api.serializers import ReadSerializer
from themes.labels import LabelCache, get_label_cache, get_revision

MAX_DIMENSIONS = 2
MAX_COUNTS = 1_000
"""The counts of one answer, the greatest. Boards of 200 themes and 36 contracts have some thousand."""

Value = str | int | None


def count_by(condition: Condition, *names: str) -> Counter[tuple[Value, ...]]:
    """Return how many boards that meet the condition have which values of these facts."""
    return count_values(condition, [FACTS[name] for name in names])


def count_boards_of_themes(theme_ids: Collection[UUID]) -> dict[UUID, int]:
    """Return the number of published boards of each theme."""
    boards = count_values(IS_PUBLISHED, [frozenset(theme_ids)])
    return {theme_id: boards[theme_id,] for theme_id in theme_ids}


def write_contract(values: Sequence[Value]) -> Value:
    level, denomination = values
    return "Pass" if level == 0 else f"{level}{denomination}" if level and denomination else None


@dataclass(frozen=True)
class Dimension:
    """What boards are counted by. `label` is for people; `facts` are empty for the themes."""

    name: str
    label: str
    facts: tuple[str, ...]
    write: Callable[[Sequence[Value]], Value] = lambda values: values[0]

    def dividers(self, labels: LabelCache) -> list[Divider]:
        return [FACTS[name] for name in self.facts] or [frozenset(labels.themes)]


DIMENSIONS = {
    each.name: each
    for each in (
        Dimension("contract", "Contract", ("level", "denomination"), write_contract),
        Dimension("result", "Result", ("result",)),
        Dimension("declarer", "Declarer", ("declarer",)),
        Dimension("denomination", "Denomination", ("denomination",)),
        Dimension("level", "Level", ("level",)),
        Dimension("vulnerability", "Vulnerability", ("vulnerability",)),
        Dimension("lead", "Opening lead", ("lead",)),
        Dimension("theme", "Theme", (), lambda values: str(values[0])),
        Dimension("difficulty", "Difficulty", ("difficulty",)),
        Dimension("makes", "Makes by double dummy", ("makeable",)),
    )
}


class DimensionsField(serializers.CharField):
    """One dimension or two different ones, with a comma between them."""

    def to_internal_value(self, data: Any) -> list[Dimension]:  # type: ignore[override]  # a list of what it names
        names = super().to_internal_value(data).split(",")
        unknown = [name for name in names if name not in DIMENSIONS]
        if unknown or len(names) > MAX_DIMENSIONS or len({*names}) < len(names):
            raise serializers.ValidationError(
                f"Give one or two of {', '.join(DIMENSIONS)}, with a comma between them.", code="invalid"
            )
        return [DIMENSIONS[name] for name in names]


class SummaryQuery(BoardFilters):
    by = DimensionsField(
        required=False,
        max_length=40,
        help_text=f"What to count by: {', '.join(DIMENSIONS)}, or two of them as in contract,result. contract unless"
        " given.",
    )


class SummarySerializer(ReadSerializer):
    by = serializers.ListField(child=serializers.CharField(), help_text="What the boards are counted by.")
    totalCount = serializers.IntegerField(help_text="The number of boards found.")
    omitted = serializers.IntegerField(
        help_text=f"How many further values there are, with fewer boards than the {MAX_COUNTS:,} that are shown."
    )
    counts = serializers.ListField(
        child=serializers.DictField(),
        help_text="The value of each dimension, null where it is not known, and `boards`, how many have it. The most"
        " frequent come first. `contract` is 4S or 3NT, whether doubled or not, or Pass; `level` is 0 for a board that"
        " was passed out; `result` counts from the contract; `theme` is an id: a board is counted under each of its"
        " themes; `makes` is yes or no.",
    )

    class Meta:
        ref_name = "BoardSummary"


class Summary(NamedTuple):
    """How many boards are found, and of them how many have which values."""

    dimensions: Sequence[Dimension]
    total: int
    counts: list[tuple[tuple[Value, ...], int]]


def summarize(query: QueryDict, caller: Account | AnonymousUser) -> Summary:
    """Count the published boards that the query finds. Raise ValidationError or ValidationFailed for a wrong one."""
    dimensions = SummaryQuery.parse(query).get("by") or [DIMENSIONS["contract"]]
    selection = parse_selection(query).for_caller(caller)
    labels = get_label_cache(get_revision())
    condition = selection.condition(labels)
    dividers = [divider for each in dimensions for divider in each.dividers(labels)]
    counts: Counter[tuple[Value, ...]] = Counter()
    for counted, boards in count_values(condition, dividers).items():
        rest = iter(counted)
        counts[tuple(each.write([*islice(rest, len(each.facts) or 1)]) for each in dimensions)] += boards
    return Summary(dimensions, count_boards(condition), sorted(counts.items(), key=most_first))


def most_first(entry: tuple[tuple[Value, ...], int]) -> tuple[Any, ...]:
    values, boards = entry
    return -boards, [(value is None, str(value)) for value in values]


def represent_summary(summary: Summary) -> Mapping[str, Any]:
    names = [dimension.name for dimension in summary.dimensions]
    shown = summary.counts[:MAX_COUNTS]
    return {
        "by": names,
        "totalCount": summary.total,
        "omitted": len(summary.counts) - len(shown),
        "counts": [dict(zip(names, values, strict=True)) | {"boards": boards} for values, boards in shown],
    }
