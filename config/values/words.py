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


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is most like this one, in any case. None when none is like it."""
    spellings = {each.lower(): each for each in known}
    matches = get_close_matches(word[:MAX_COMPARED].lower(), spellings, n=1)
    return spellings[matches[0]] if matches else None
