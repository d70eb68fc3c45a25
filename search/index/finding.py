"""Finding boards: how many meet a condition, and which of them stand on a page, with what is read of each.

Slices cannot decide long auctions and phrases, and what a table won is decided by all tables of its deal. So a
condition is resolved first: the boards that may meet all of it are looked at, once for all that is asked of them, and
their numbers take the place of what only a look decides. A resolved condition is one statement for each page and count
of a request.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any, NamedTuple, TypeGuard

from bridge.scores import Won
from config.api.errors import ServiceUnavailable
from search.conditions import (
    EVERY_BOARD,
    NO_BOARD,
    AllOf,
    Between,
    Bid,
    Compared,
    Condition,
    Not,
    Numbered,
    OneOf,
    Tagged,
    Words,
    every,
    leaves_of,
    with_leaves,
)
from search.facts import DRAFT, PUBLISHED, Fact, number
from search.index.looking import LookedFor, look
from search.index.pages import IDS, Found, Reading, count, find, is_postgresql
from search.language.parsing import Code, QueryError

IS_PUBLISHED = Tagged((PUBLISHED,))
EITHER = Tagged((PUBLISHED, DRAFT))
NOTATION_OF_BOARD = number("notation")

MAX_AUCTIONS = 50_000
"""The boards that a search looks at for all of its auctions that slices cannot decide. It takes 7 µs for each."""

MAX_TEXTS = 25_000
"""The boards that a search looks at where it asks for a phrase. It takes 30 µs for each, if texts are short."""

MAX_ROWS = 200_000
"""The boards that a search looks at on SQLite, where their calls stand in rows. It takes 3 µs for each."""

MAX_COMPARED = 5_000
"""The boards that may be meant, and the tables of their deals. It takes 40 µs for each."""

FEW = 10
"""So many auctions or phrases take as long to be looked for as a board takes to be read. For more, fewer are read."""

MAX_OPTIONAL = 8
"""The optional words of a search that are asked for, by a statement each."""


def find_page(condition: Condition, first_row: int, limit: int, reading: Reading = IDS) -> Found:
    """Return the boards from `first_row` on, the newest first."""
    return find(resolved(condition), first_row, limit, None, reading)


def find_after(condition: Condition, number: int, limit: int, reading: Reading = IDS) -> Found:
    """Return the boards that follow a number, the newest first. `total` counts all that meet the condition."""
    return find(resolved(condition), 0, limit, number, reading)


def iterate_boards(condition: Condition, chunk: int, reading: Reading = IDS) -> Iterator[Found]:
    """Yield all boards that meet the condition, in pages. What slices cannot decide is looked through once."""
    condition = resolved(condition)
    found = find(condition, 0, chunk, None, reading)
    while found.numbers:
        yield found
        found = find(condition, 0, chunk, found.numbers[-1], reading)


def count_boards(condition: Condition) -> int:
    return count(resolved(condition))


Permit = Callable[[], AbstractContextManager[None]]
"""Returns what is entered while boards are looked at: the permit of a request, or nothing for a program."""


class Plan(NamedTuple):
    """What a condition is about, by one walk: facts that the index has, and what it cannot decide.

    Boards are looked at for auctions and phrases, `looked_for`, and the tables of their deals `compared` for what each
    won.
    """

    facts: list[Fact | Tagged]
    looked_for: list[LookedFor]
    compared: list[Compared]

    @property
    def is_decided(self) -> bool:
        return not (self.looked_for or self.compared)


def plan_of(condition: Condition) -> Plan:
    plan = Plan([], [], [])
    for leaf in leaves_of(condition):
        if isinstance(leaf, Between | OneOf):
            plan.facts.append(leaf.fact)
        elif isinstance(leaf, Tagged):
            plan.facts.append(leaf)
        elif isinstance(leaf, Compared):
            plan.compared.append(leaf)
        elif is_looked_for(leaf) and leaf not in plan.looked_for:
            plan.looked_for.append(leaf)
    return plan


def resolved(condition: Condition, permit: Permit = nullcontext) -> Condition:
    """Return the condition as the index can decide it, with a permit while boards are looked at or compared.

    Raise ServiceUnavailable where the index lacks facts of an update, and QueryError where too many boards would be
    looked at. A condition that is resolved stays as it is.
    """
    plan = plan_of(condition)
    check_known(*plan.facts)
    known = without_unknown_words(condition)
    if known is not condition:
        plan = plan_of(known)
    if plan.is_decided:
        return known
    with permit():
        if plan.looked_for:
            known = look_through(known, plan.looked_for)
        return compare(known, plan.compared) if plan.compared else known


def without_unknown_words(condition: Condition) -> Condition:
    """Return the condition without the optional words that no published board has which meets all else.

    All else is as much of it as the index decides. Other words are asked as any words are.
    """
    parts = condition.parts if isinstance(condition, AllOf) else (condition,)
    if not any(map(is_optional, parts)):
        return condition
    asked = [part for part in parts if not is_optional(part)]
    for part in [*filter(is_optional, parts)][:MAX_OPTIONAL]:
        words = [Words(word) for word in part.phrase.split()]
        if count(every([IS_PUBLISHED, *filter(is_decided, asked), *words])):
            asked.append(replace(part, is_optional=False))
    return every(asked)


def is_optional(condition: Condition) -> TypeGuard[Words]:
    return isinstance(condition, Words) and condition.is_optional


def is_decided(condition: Condition) -> bool:
    """Tell whether the index decides the condition, and no board has to be looked at or compared."""
    return plan_of(condition).is_decided


def is_looked_for(condition: Condition) -> TypeGuard[LookedFor]:
    """Tell whether only a look at a board decides the condition. Rows decide all but a "?" by themselves."""
    if not isinstance(condition, Bid | Words):
        return False
    if is_postgresql():
        return not condition.is_decided
    return isinstance(condition, Bid) and "?" in condition.calls


def look_through(condition: Condition, looked_for: Sequence[LookedFor]) -> Condition:
    """Return the condition with the numbers of boards in place of these auctions and phrases.

    Looked at are the boards that may meet all of it, and for which that is not certain whatever their auctions are:
    each once. Raise QueryError where they are too many.
    """
    most, least = bound(condition, is_upper=True), bound(condition, is_upper=False)
    unsure, limit = every([EITHER, most, Not(least)]), limit_of(looked_for)
    if count(unsure) > limit:
        raise too_many(looked_for, limit)
    return with_numbers(condition, look(unsure, limit, looked_for))


def limit_of(looked_for: Sequence[LookedFor]) -> int:
    """Return how many boards may be looked at for these."""
    boards = MAX_TEXTS if any(isinstance(each, Words) for each in looked_for) else MAX_AUCTIONS
    return (boards if is_postgresql() else MAX_ROWS) * FEW // max(FEW, len(looked_for))


def bound(condition: Condition, *, is_upper: bool) -> Condition:
    """Return what the index decides in place of the condition: which boards may meet it, or which certainly do."""

    def decide(leaf: Condition, is_negated: bool) -> Condition:
        if is_decided(leaf):
            return leaf
        if is_upper == is_negated:
            return NO_BOARD
        return leaf if is_looked_for(leaf) and is_postgresql() else EVERY_BOARD  # slices find more than meet it

    return with_leaves(condition, decide)


def with_numbers(condition: Condition, met: Mapping[Any, frozenset[int]]) -> Condition:
    """Return the condition with the numbers of the boards that meet what was looked for, or compared.

    A board that was not looked at is in none: whatever is said of it here, it meets the whole condition or does not.
    """
    return with_leaves(condition, lambda leaf, is_negated: Numbered(met[leaf]) if leaf in met else leaf)


class Comparer(NamedTuple):
    """What is read of each board that may be meant, and the function that compares the tables of these rows' deals.

    It returns what tables won by the numbers of their boards, and whether it compared all: where they are too many and
    `is_partial` is true, it compares those of the first rows.
    """

    reading: Reading
    compare: Callable[..., tuple[Mapping[int, Won], bool]]


COMPARERS: list[Comparer] = []
"""The one that compares tables. The app that stores them adds it when it starts (boards.apps)."""


def compare(condition: Condition, compared: Sequence[Compared]) -> Condition:
    """Return the condition with the boards of what tables won, as far as they meet all else that is asked.

    Where too many tables would be compared, those of the newest boards are, or QueryError is raised.
    """
    parts = condition.parts if isinstance(condition, AllOf) else (condition,)
    (comparer,) = COMPARERS
    found = find(every([IS_PUBLISHED, *filter(is_decided, parts)]), 0, MAX_COMPARED, None, comparer.reading)
    is_partial, is_whole = all(each.is_of_newest for each in compared), found.total <= MAX_COMPARED
    won, are_all = comparer.compare(found.rows if is_whole or is_partial else (), is_partial=is_partial)
    is_whole = is_whole and are_all
    if not (is_whole or is_partial):
        message = f"This compares more than {MAX_COMPARED:,} tables with those of the same deals."
        hint = "Add a condition, such as event= or date=, or write ~ before it to compare the newest boards."
        raise QueryError("too_many_tables", f"{message} {hint}")
    met = {each: frozenset(number for number, of in won.items() if each.includes(of)) for each in compared}
    decided = with_numbers(condition, met)
    return decided if is_whole else every([decided, Numbered(frozenset(won))])


def too_many(looked_for: Sequence[LookedFor], limit: int) -> QueryError:
    code: Code = "too_many_texts" if any(isinstance(each, Words) for each in looked_for) else "too_many_auctions"
    match looked_for:
        case [Words(phrase=phrase)]:
            message = f'More than {limit:,} boards have all words of "{phrase}".'
            hint = "Add a condition, or leave the quotation marks away."
        case [Bid(calls=calls)]:
            message = f"More than {limit:,} auctions may have {calls}."
            hint = "Write its beginning (^=), three calls of it that do not begin or end with ?, or add a condition."
        case _:
            message = f"More than {limit:,} boards may have one of {len(looked_for)} auctions or phrases."
            hint = "Ask for fewer of them, or add a condition."
    return QueryError(code, f"{message} {hint}")


def check_known(*facts: Fact | Tagged) -> None:
    """Raise ServiceUnavailable when boards of the index lack one of these facts, which came with an update.

    All other searches stay right meanwhile: what was known before is a part of what is known now.
    """
    newest = max(facts, key=lambda fact: fact.since, default=None)
    if newest and newest.since > 1 and count(lacking(newest.since)):
        raise ServiceUnavailable(
            f"Not all boards are indexed by {newest.name} yet, which came with an update. Search for it later, or by"
            " something else.",
            headers={"Retry-After": "60"},
        )


def lacking(notation: int) -> Condition:
    """Return the condition that an earlier notation has made a board's row."""
    return every([EITHER, Not(Between(NOTATION_OF_BOARD, low=notation))])
