"""What may be asked of a board's facts: conditions, and how they are joined.

A condition on a fact that a board does not have is false, so that its negation is true.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from itertools import chain
from typing import Literal
from uuid import UUID

from bridge.dates import days_between
from bridge.scores import Won
from search.facts import MAX_RUN, Choice, Number, number
from search.subject import MAX_BEGINNING


@dataclass(frozen=True)
class Between:
    """The number is known, and from `low` to `high`. None leaves that end open."""

    fact: Number
    low: int | None = None
    high: int | None = None

    @cached_property
    def stored(self) -> tuple[int, int]:
        """Return the lowest and the highest stored form. No number has one when the first is the greater."""
        fact = self.fact
        low = 1 if self.low is None else max(1, -((fact.low - self.low) // fact.unit) + 1)
        high = fact.size if self.high is None else min(fact.size, (self.high - fact.low) // fact.unit + 1)
        return low, high


@dataclass(frozen=True)
class OneOf:
    """The choice is one of these values, by their stored forms."""

    fact: Choice
    values: tuple[str, ...]


@dataclass(frozen=True)
class Tagged:
    """The board has one of these tags. `since` is the NOTATION with which they came."""

    tags: tuple[str, ...]
    since: int = 1

    @property
    def name(self) -> str:
        """Return the first of the tags, "is:alerted", "" for none."""
        return next(iter(self.tags), "")


@dataclass(frozen=True)
class Bid:
    """The auction has these calls, "1N-P-2C": one after the other, or as its beginning. "?" is any call."""

    calls: str
    from_the_start: bool

    @property
    def is_decided(self) -> bool:
        """Tell whether slices can decide it."""
        if self.from_the_start:
            return self.calls.count("-") < MAX_BEGINNING
        has_ends = self.calls.strip("-?") == self.calls
        return has_ends and self.calls.count("-") < MAX_RUN

    @property
    def pattern(self) -> str:
        """Return the regular expression of the auctions that have the calls, as search.facts writes them."""
        return f"{'^' * self.from_the_start}-{self.calls.replace('?', '[^-]+')}-"


@dataclass(frozen=True)
class Words:
    """One of the board's texts has these words, "safety play", one after the other (search.words).

    One that `is_optional` asks nothing where no published board that meets all else has the words.
    """

    phrase: str
    is_optional: bool = False

    @property
    def is_decided(self) -> bool:
        """Tell whether slices can decide it: they do not know the order of several words."""
        return " " not in self.phrase


@dataclass(frozen=True)
class Compared:
    """What the table won in IMPs, or what its deal swung, is known, and from `low` to `high` (bridge.scores.Won).

    All tables of a deal decide it, so no slice does. Where one that `is_of_newest` may mean more tables than are
    compared, the search finds boards among the newest of them alone.
    """

    name: Literal["imps", "swing"]
    low: int | None = None
    high: int | None = None
    is_of_newest: bool = False

    def includes(self, won: Won) -> bool:
        value = won.imps if self.name == "imps" else won.swing
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


@dataclass(frozen=True)
class Numbered:
    """The board has one of these numbers: of those that were looked at, they meet what slices cannot decide."""

    numbers: frozenset[int]

    @cached_property
    def written(self) -> str:
        """Return the numbers as PostgreSQL and JSON read them, without the brackets. They may be very many."""
        return ",".join(map(str, self.numbers))


@dataclass(frozen=True)
class Votes:
    """The votes for the board less those against it are from `low` to `high`. None leaves that end open."""

    low: int | None = None
    high: int | None = None


@dataclass(frozen=True)
class ChangedSince:
    """The board was changed then or later."""

    moment: datetime


@dataclass(frozen=True)
class Among:
    """The board is one of these."""

    board_ids: tuple[UUID, ...]


@dataclass(frozen=True)
class AllOf:
    """All parts are true. It is true of every board when there are none."""

    parts: "tuple[Condition, ...]" = ()


@dataclass(frozen=True)
class AnyOf:
    """At least one part is true. It is true of no board when there are none."""

    parts: "tuple[Condition, ...]" = ()


@dataclass(frozen=True)
class Not:
    part: "Condition"


Condition = (
    Between | OneOf | Tagged | Bid | Words | Compared | Numbered | Votes | ChangedSince | Among | AllOf | AnyOf | Not
)


def exactly(name: str, value: int) -> Between:
    return Between(number(name), value, value)


def played_between(first: date | None, last: date | None) -> Condition:
    """Return the condition that a board was certainly played on these days. None leaves that end open."""
    days, parts = days_between(first, last), list[Condition]()
    if first:
        parts.append(Between(number("playedFrom"), low=days.first))
    if last:
        parts.append(Between(number("playedTo"), high=days.last))
    return every(parts)


EVERY_BOARD, NO_BOARD = AllOf(), AnyOf()


def every(parts: Iterable[Condition]) -> Condition:
    """Join conditions by "and". Conditions that are joined so already are taken apart, and numbers become one set."""
    flat = flattened(parts, AllOf, frozenset.intersection)
    return flat[0] if len(flat) == 1 else AllOf(tuple(flat))


def either(parts: Iterable[Condition]) -> Condition:
    """Join conditions by "or" in the same way. Those on one choice are merged."""
    flat = merge_alternatives(flattened(parts, AnyOf, frozenset.union))
    return flat[0] if len(flat) == 1 else AnyOf(tuple(flat))


def flattened(
    parts: Iterable[Condition], kind: type[AllOf | AnyOf], join: Callable[..., frozenset[int]]
) -> list[Condition]:
    flat = [each for part in parts for each in (part.parts if isinstance(part, kind) else (part,))]
    numbers = [part.numbers for part in flat if isinstance(part, Numbered)]
    if len(numbers) < 2:
        return flat
    return [*(part for part in flat if not isinstance(part, Numbered)), Numbered(join(*numbers))]


def merge_alternatives(parts: Iterable[Condition]) -> list[Condition]:
    """Return alternatives without repetitions: one condition where all are on the same choice, or all on tags."""
    flat = list(dict.fromkeys(parts))
    choices = [part for part in flat if isinstance(part, OneOf)]
    if len(choices) == len(flat) and len({part.fact for part in choices}) == 1:
        values = chain.from_iterable(part.values for part in choices)
        return [OneOf(choices[0].fact, tuple(dict.fromkeys(values)))]
    tagged = [part for part in flat if isinstance(part, Tagged)]
    if tagged and len(tagged) == len(flat):
        tags = chain.from_iterable(part.tags for part in tagged)
        return [Tagged(tuple(dict.fromkeys(tags)), max(part.since for part in tagged))]
    return flat


def leaves_of(condition: Condition) -> Iterator[Condition]:
    """Yield the conditions that a condition is made of, without what joins them and turns them round."""
    match condition:
        case AllOf(parts=parts) | AnyOf(parts=parts):
            for part in parts:
                yield from leaves_of(part)
        case Not(part=part):
            yield from leaves_of(part)
        case _:
            yield condition


def with_leaves(
    condition: Condition, change: Callable[[Condition, bool], Condition], *, is_negated: bool = False
) -> Condition:
    """Return the condition with what `change` makes of each leaf. It is told whether the leaf is negated."""
    match condition:
        case AllOf(parts=parts) | AnyOf(parts=parts):
            join = every if isinstance(condition, AllOf) else either
            return join(with_leaves(part, change, is_negated=is_negated) for part in parts)
        case Not(part=part):
            return Not(with_leaves(part, change, is_negated=not is_negated))
    return change(condition, is_negated)
