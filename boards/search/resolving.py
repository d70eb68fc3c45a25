"""Conditions that slices cannot decide: long auctions. The boards that may meet them are found first and looked at."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from boards.models import Board
from boards.search.conditions import All, Any, Bid, Condition, Not
from boards.search.facts import MAX_BEGINNING, MAX_RUN
from boards.search.keys import id_of
from boards.search.subject import short_call
from config.api.errors import ValidationFailed

MAX_CHECKED = 20_000
"""The boards that are looked at for one condition. It takes 20 µs for each."""

CHUNK = 2_000

FindCandidates = Callable[[Condition, int], tuple[int, list[bytes]]]


def resolve(condition: Condition, find_candidates: FindCandidates) -> Condition:
    """Return the condition with the boards of each long auction. Raise ValidationFailed where they are too many."""
    match condition:
        case Bid(keys=None) if is_long(condition):
            return replace(condition, keys=check(condition, find_candidates))
        case All(parts=parts) | Any(parts=parts):
            resolved = tuple(resolve(part, find_candidates) for part in parts)
            return condition if resolved == parts else replace(condition, parts=resolved)
        case Not(part=part):
            return Not(resolve(part, find_candidates))
        case _:
            return condition


def is_long(bid: Bid) -> bool:
    return bid.calls.count("-") + 1 > (MAX_BEGINNING if bid.from_the_start else MAX_RUN)


def check(bid: Bid, find_candidates: FindCandidates) -> tuple[bytes, ...]:
    """Return the keys of the boards whose auction has these calls."""
    total, keys = find_candidates(bid, MAX_CHECKED)
    if total > MAX_CHECKED:
        reason = {
            "code": "too_many_auctions",
            "message": f"More than {MAX_CHECKED:,} auctions may have {bid.calls}. Write more calls, or fewer.",
        }
        raise ValidationFailed(meta={"fields": {"q": [reason]}})
    return tuple(key for chunk in batched_keys(keys) for key in matching(bid, chunk))


def batched_keys(keys: Sequence[bytes]) -> list[Sequence[bytes]]:
    return [keys[start : start + CHUNK] for start in range(0, len(keys), CHUNK)]


def matching(bid: Bid, keys: Sequence[bytes]) -> list[bytes]:
    rows = Board.objects.filter(pk__in=list(map(id_of, keys))).order_by().values_list("pk", "auction")
    auctions = {pk: f"-{'-'.join(map(short_call, auction or ()))}-" for pk, auction in rows}
    wanted = f"-{bid.calls}-"
    if bid.from_the_start:
        return [key for key in keys if auctions.get(id_of(key), "").startswith(wanted)]
    return [key for key in keys if wanted in auctions.get(id_of(key), "")]
