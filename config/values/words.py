"""Sentences with numbers in them."""


def format_count(count: int, noun: str) -> str:
    """Return "1 board" or "4,112 boards". The noun must be one whose plural ends in s."""
    return f"{count} {noun}" if count == 1 else f"{count:,} {noun}s"
