"""Conditions that slices cannot decide: long auctions, phrases. Boards that may meet them are found and looked at."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Protocol

from boards.models import Board
from boards.querysets import BoardQuerySet
from boards.search.conditions import EVERY_BOARD, AllOf, AnyOf, Bid, Condition, Not, Words, every
from boards.search.facts import MAX_BEGINNING, MAX_RUN
from boards.search.subject import short_call
from boards.search.words import TEXTS, words_of
from config.api.errors import ValidationFailed

MAX_AUCTIONS = 50_000
"""The boards that are looked at for a long auction. It takes 20 µs for each."""

MAX_TEXTS = 25_000
"""The boards that are looked at for a phrase. It takes 40 µs for each, if texts are short."""

CHUNK = 2_000


class Candidates(Protocol):
    """How many boards may meet a condition, and the numbers of the first of them."""

    @property
    def total(self) -> int: ...
    @property
    def numbers(self) -> list[int]: ...


FindCandidates = Callable[[Condition, int], Candidates]


def resolve(condition: Condition, find_candidates: FindCandidates, known: Condition = EVERY_BOARD) -> Condition:
    """Return the condition with the boards of each long auction and phrase, as far as they meet what is `known`.

    Raise ValidationFailed where they are too many.
    """
    match condition:
        case Bid(numbers=None) | Words(numbers=None) if is_long(condition):
            return replace(condition, numbers=check(condition, known, find_candidates))
        case AllOf(parts=parts):
            known = every([known, *(part for part in parts if is_decided(part))])
            resolved = tuple(resolve(part, find_candidates, known) for part in parts)
            return condition if resolved == parts else replace(condition, parts=resolved)
        case AnyOf(parts=parts):
            resolved = tuple(resolve(part, find_candidates, known) for part in parts)
            return condition if resolved == parts else replace(condition, parts=resolved)
        case Not(part=part):
            return Not(resolve(part, find_candidates, known))
        case _:
            return condition


def is_long(condition: Bid | Words) -> bool:
    if isinstance(condition, Words):
        return " " in condition.phrase
    return condition.calls.count("-") + 1 > (MAX_BEGINNING if condition.from_the_start else MAX_RUN)


def is_decided(condition: Condition) -> bool:
    """Tell whether slices decide the condition."""
    match condition:
        case Bid() | Words():
            return condition.numbers is not None or not is_long(condition)
        case AllOf(parts=parts) | AnyOf(parts=parts):
            return all(map(is_decided, parts))
        case Not(part=part):
            return is_decided(part)
        case _:
            return True


def check(condition: Bid | Words, known: Condition, find_candidates: FindCandidates) -> tuple[int, ...]:
    """Return the numbers of the boards that meet both conditions."""
    limit = MAX_TEXTS if isinstance(condition, Words) else MAX_AUCTIONS
    found = find_candidates(every([known, condition]), limit)
    if found.total > limit:
        raise too_many(condition)
    read = read_words if isinstance(condition, Words) else read_auctions
    return tuple(
        number
        for start in range(0, len(found.numbers), CHUNK)
        for number, text in read(Board.objects.filter(number__in=found.numbers[start : start + CHUNK]).order_by())
        if meets(condition, text)
    )


def meets(condition: Bid | Words, text: str) -> bool:
    if isinstance(condition, Words):
        return f" {condition.phrase} " in text
    calls = f"-{condition.calls}-"
    return text.startswith(calls) if condition.from_the_start else calls in text


def too_many(condition: Bid | Words) -> ValidationFailed:
    if isinstance(condition, Words):
        code, hint = "too_many_texts", "Add a condition, or leave the quotation marks away"
        message = f'More than {MAX_TEXTS:,} boards have all words of "{condition.phrase}". {hint}.'
    else:
        code = "too_many_auctions"
        hint = "Write its beginning (^=), or three calls of it"
        message = f"More than {MAX_AUCTIONS:,} auctions may have {condition.calls}. {hint}."
    return ValidationFailed(meta={"fields": {"q": [{"code": code, "message": message}]}})


def read_auctions(boards: BoardQuerySet) -> Iterator[tuple[int, str]]:
    for number, auction in boards.values_list("number", "auction"):
        yield number, f"-{'-'.join(map(short_call, auction or ()))}-"


def read_words(boards: BoardQuerySet) -> Iterator[tuple[int, str]]:
    return ((board.number, words_of(board)) for board in boards.only("number", "auction", *TEXTS))
