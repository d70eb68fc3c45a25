"""Conditions that slices cannot decide: long auctions, phrases. Boards that may meet them are found and looked at."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from boards.models import Board
from boards.search.conditions import EVERY_BOARD, AllOf, AnyOf, Bid, Condition, Not, Words, every
from boards.search.facts import MAX_BEGINNING, MAX_RUN
from boards.search.index.keys import id_of
from boards.search.subject import short_call
from boards.search.words import TEXTS, words_of
from config.api.errors import ValidationFailed

MAX_AUCTIONS = 20_000
"""The boards that are looked at for a long auction. It takes 20 µs for each."""

MAX_TEXTS = 5_000
"""The boards that are looked at for a phrase. It takes 40 µs for each, if texts are short."""

CHUNK = 2_000

FindCandidates = Callable[[Condition, int], tuple[int, list[bytes]]]


def resolve(condition: Condition, find_candidates: FindCandidates, known: Condition = EVERY_BOARD) -> Condition:
    """Return the condition with the boards of each long auction and phrase, as far as they meet what is `known`.

    Raise ValidationFailed where they are too many.
    """
    match condition:
        case Bid(keys=None) | Words(keys=None) if is_long(condition):
            return replace(condition, keys=check(condition, known, find_candidates))
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
            return condition.keys is not None or not is_long(condition)
        case AllOf(parts=parts) | AnyOf(parts=parts):
            return all(map(is_decided, parts))
        case Not(part=part):
            return is_decided(part)
        case _:
            return True


def check(condition: Bid | Words, known: Condition, find_candidates: FindCandidates) -> tuple[bytes, ...]:
    """Return the keys of the boards that meet both conditions."""
    limit = MAX_TEXTS if isinstance(condition, Words) else MAX_AUCTIONS
    total, keys = find_candidates(every([known, condition]), limit)
    if total > limit:
        raise too_many(condition)
    read = words_of_boards if isinstance(condition, Words) else auctions_of_boards
    return tuple(
        key
        for start in range(0, len(keys), CHUNK)
        for key, text in read(keys[start : start + CHUNK])
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


def auctions_of_boards(keys: Sequence[bytes]) -> Iterator[tuple[bytes, str]]:
    rows = Board.objects.filter(pk__in=list(map(id_of, keys))).order_by().values_list("pk", "auction")
    auctions = {pk: f"-{'-'.join(map(short_call, auction or ()))}-" for pk, auction in rows}
    return ((key, auctions.get(id_of(key), "")) for key in keys)


def words_of_boards(keys: Sequence[bytes]) -> Iterator[tuple[bytes, str]]:
    boards = Board.objects.filter(pk__in=list(map(id_of, keys))).only("auction", *TEXTS).order_by().in_bulk()
    return ((key, words_of(boards[id_of(key)])) for key in keys if id_of(key) in boards)
