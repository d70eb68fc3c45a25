"""Sentences with numbers and times in them, and the nearest of some words."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from difflib import get_close_matches

from django.utils import timezone
from django.utils.timesince import timesince


def format_count(count: int, noun: str) -> str:
    """Return "1 board" or "4,112 boards". The noun must be one whose plural ends in s."""
    return f"{count} {noun}" if count == 1 else f"{count:,} {noun}s"


def format_age(moment: datetime) -> str:
    """Return "just now", or "3 hours ago". A moment that another machine's clock puts into the future is now."""
    now = timezone.now()
    return f"{timesince(moment, now, depth=1)} ago" if now - moment >= timedelta(minutes=1) else "just now"


MAX_COMPARED = 40
"""The characters of a word that are compared with the words that there are."""

LONG = 7
"""Letters of a word that may have several slips, when at least MIN_LIKENESS of the letters are right."""

MIN_LIKENESS = 0.75
"""Less would find "auction" in "section"."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that this one, in any case, is with a slip. None when there is none."""
    spellings = {each.lower(): each for each in known}
    word = word[:MAX_COMPARED].lower()
    near = [each for each in get_close_matches(word, spellings) if is_slip(word, each)]
    if not near and len(word) >= LONG:
        near = get_close_matches(word, spellings, cutoff=MIN_LIKENESS)
    return spellings[near[0]] if near else None


def is_slip(word: str, known: str) -> bool:
    """Tell whether the words differ in one place: some letters more or fewer, another letter, or two exchanged."""
    start = count_equal(word, known)
    word, known = word[start:], known[start:]
    end = count_equal(word[::-1], known[::-1])
    word, known = word[: len(word) - end], known[: len(known) - end]
    return not word or not known or len(word) == len(known) == 1 or (len(word) == 2 and word == known[::-1])


def count_equal(first: str, second: str) -> int:
    """Return how many letters both words begin with."""
    return next(
        (place for place, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
    )
