"""GET /api/boards/summary: how many of the boards found have which contract, result, declarer and so on.

A dimension is what boards are counted by: one fact of the index or two, their themes, or their event.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any, NamedTuple
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict
from rest_framework import serializers

from accounts.models import Account
from boards.searching.parameters import BoardFilters, parse_selection
from bridge.names import SEAT_KEYS, SEAT_NAMES, SIDE_NAMES
from config.api.serializers import ReadSerializer
from config.database.rows import as_uuid
from search.conditions import Condition
from search.facts import FACTS
from search.index.counting import ByFact, ByTag, Divider, count_values
from search.index.finding import IS_PUBLISHED, count_boards, resolved
from themes.labels import get_label_cache, get_revision

MAX_DIMENSIONS = 2
MAX_COUNTS = 1_000
"""The counts of one answer, the greatest. Boards of 200 themes and 36 contracts have some thousand."""

POINTS_OF_HAND = (0, 8, 12, 15, 18, 20)
POINTS_OF_SIDE = (0, 16, 20, 23, 25, 27, 30, 33)
"""The ranges of high-card points, by the lowest of each: those of an opening, and of a game or a slam."""

SIDES = {"ns": SIDE_NAMES["NS"], "ew": SIDE_NAMES["EW"]}

BY_THEME = ByTag(
    kind="theme",
    keys="SELECT id FROM themes_theme",
    read=as_uuid,
    column="of_theme.theme_id",
    join="JOIN boards_board_themes AS of_theme ON of_theme.board_id = boards_board.id",
    divides_all=False,
)
BY_EVENT = ByTag(
    kind="event",
    keys="SELECT slug FROM boards_event",
    read=lambda slug: slug or None,
    column="of_event.event_id",
    join="JOIN boards_publishedboard AS stored ON stored.board_id = boards_board.id"
    " LEFT JOIN boards_eventdeal AS of_event ON of_event.id = stored.event_deal_id",
    divides_all=True,
)

Value = str | int | None


def count_by(condition: Condition, *names: str) -> Counter[tuple[Value, ...]]:
    """Return how many boards that meet the condition have which values of these facts."""
    return count_values(condition, by_facts(*names))


def count_boards_of_themes(theme_ids: Collection[UUID]) -> dict[UUID, int]:
    """Return the number of published boards of each theme."""
    boards = count_values(IS_PUBLISHED, [BY_THEME])
    return {theme_id: boards[theme_id,] for theme_id in theme_ids}


def by_facts(*names: str) -> tuple[Divider, ...]:
    return tuple(ByFact(FACTS[name]) for name in names)


def write_contract(values: Sequence[Value]) -> Value:
    level, denomination = values
    return "Pass" if level == 0 else f"{level}{denomination}" if level and denomination else None


def write_opening(values: Sequence[Value]) -> Value:
    return str(values[0]).replace("N", "NT") if values[0] else None


@dataclass(frozen=True)
class Dimension:
    """What boards are counted by. `label` is for people, and `help_text` says what the value is in an answer.

    `write` makes the value of what the dividers count. Values of a scale are numbers, or ranges that begin with one.
    """

    name: str
    label: str
    help_text: str
    dividers: tuple[Divider, ...]
    write: Callable[[Sequence[Any]], Value] = lambda values: values[0]
    is_number: bool = False
    is_scale: bool = False

    def field(self) -> serializers.Field:
        field_class = serializers.IntegerField if self.is_number else serializers.CharField
        return field_class(allow_null=True, help_text=self.help_text)


def choice(name: str, label: str, help_text: str, fact: str = "") -> Dimension:
    return Dimension(name, label, help_text, by_facts(fact or name))


def number(name: str, label: str, help_text: str, fact: str = "") -> Dimension:
    return Dimension(name, label, help_text, by_facts(fact or name), is_number=True, is_scale=True)


def points(key: str, whose: str, starts: tuple[int, ...]) -> Dimension:
    """Declare the points of a hand or of a side, by ranges."""
    ranges = {low: f"{low}-{following - 1}" for low, following in pairwise(starts)}
    ranges[starts[-1]] = f"{starts[-1]}+"
    help_text = f"{whose}'s high-card points: {', '.join(ranges.values())}."
    divider = ByFact(FACTS[f"{key}.hcp"], starts)
    return Dimension(
        f"{key}Hcp", f"Points of {whose}", help_text, (divider,), lambda values: ranges[values[0]], is_scale=True
    )


DIMENSIONS = {
    each.name: each
    for each in (
        Dimension(
            "contract",
            "Contract",
            "4S or 3NT, whether doubled or not, or Pass.",
            by_facts("level", "denomination"),
            write_contract,
        ),
        number("result", "Result", "Tricks above the contract, or below it: 0 is made, -1 one down."),
        Dimension(
            "made",
            "Made or down",
            "Whether the contract was made: yes or no.",
            (ByFact(FACTS["result"], (-13, 0)),),
            lambda values: {-13: "no", 0: "yes"}.get(values[0]),
        ),
        choice("declarer", "Declarer", "N, E, S or W."),
        choice("denomination", "Denomination", "C, D, H, S or NT."),
        number("level", "Level", "The contract's, 0 for a board that was passed out."),
        choice("vulnerability", "Vulnerability", "None, NS, EW or All."),
        Dimension(
            "opening",
            "Opening bid",
            "The first bid, 1C to 7NT. Null when nobody bid, too.",
            by_facts("opening"),
            write_opening,
        ),
        choice("lead", "Opening lead", "A card, the suit first: HK."),
        number("trumps", "Number of trumps", "Cards of the trump suit that declarer and dummy hold."),
        choice("split", "Trump fit", "Declarer's and dummy's trumps, the longer holding first: 4-3."),
        number("fit", "Declarer's longest fit", "Cards of the longest suit of declarer and dummy together."),
        *(
            number(f"{key}Fit", f"{name}'s longest fit", f"Cards of {name}'s longest suit together.", f"{key}.fit")
            for key, name in SIDES.items()
        ),
        *(points(key, name, POINTS_OF_HAND) for key, name in zip(SEAT_KEYS, SEAT_NAMES.values(), strict=True)),
        *(points(key, name, POINTS_OF_SIDE) for key, name in SIDES.items()),
        Dimension("event", "Event", "An event's slug. Null for a board of no event.", (BY_EVENT,)),
        Dimension(
            "theme",
            "Theme",
            "A theme's id. A board is counted under each of its themes.",
            (BY_THEME,),
            lambda values: str(values[0]),
        ),
        choice("difficulty", "Difficulty", "beginner, intermediate, advanced or expert."),
        choice("makes", "Makes by double dummy", "Whether the contract makes by double dummy: yes or no.", "makeable"),
    )
}


class DimensionsField(serializers.CharField):
    """One dimension or two different ones, with a comma between them."""

    def to_internal_value(self, data: Any) -> list[Dimension]:  # type: ignore[override]  # a list of what it names
        names = super().to_internal_value(data).split(",")
        unknown = [name for name in names if name not in DIMENSIONS]
        if unknown or len(names) > MAX_DIMENSIONS or len({*names}) < len(names):
            raise serializers.ValidationError(
                f"Give one or two of {', '.join(DIMENSIONS)}, separated by a comma.", code="invalid"
            )
        return [DIMENSIONS[name] for name in names]


class SummaryQuery(BoardFilters):
    by = DimensionsField(
        required=False,
        max_length=40,
        help_text=f"What to count by: {', '.join(DIMENSIONS)}, or two of them: contract,result. Default: contract.",
    )


class CountSerializer(ReadSerializer):
    """How many boards have these values. It has the dimensions that are asked for."""

    optional_fields = tuple(DIMENSIONS)

    boards = serializers.IntegerField(help_text="How many boards have these values.")

    def get_fields(self) -> dict[str, serializers.Field]:
        return {**{each.name: each.field() for each in DIMENSIONS.values()}, **super().get_fields()}

    class Meta:
        ref_name = "BoardCount"


class SummarySerializer(ReadSerializer):
    by = serializers.ListField(child=serializers.CharField(), help_text="What the boards are counted by.")
    totalCount = serializers.IntegerField(help_text="The number of boards found.")
    omitted = serializers.IntegerField(
        help_text=f"How many more values exist, with fewer boards than the {MAX_COUNTS:,} that are shown."
    )
    counts = CountSerializer(
        many=True,
        help_text="The value of each requested dimension, null if it is not known, and `boards`, how many have it."
        " The most frequent come first.",
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
    condition = resolved(selection.condition(get_label_cache(get_revision())))
    dividers = [divider for each in dimensions for divider in each.dividers]
    counts: Counter[tuple[Value, ...]] = Counter()
    for counted, boards in count_values(condition, dividers).items():
        rest = iter(counted)
        counts[tuple(each.write([*islice(rest, len(each.dividers))]) for each in dimensions)] += boards
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
