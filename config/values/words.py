"""Sentences with numbers and times in them."""

from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.timesince import timesince


def format_count(count: int, noun: str) -> str:
    """Return "1 board" or "4,112 boards". The noun must be one whose plural ends in s."""
    return f"{count} {noun}" if count == 1 else f"{count:,} {noun}s"


def format_age(moment: datetime) -> str:
    """Return "just now", or "3 hours ago". A moment that another machine's clock puts into the future is now."""
    now = timezone.now()
    return f"{timesince(moment, now, depth=1)} ago" if now - moment >= timedelta(minutes=1) else "just now"
