"""What tells events and their stages apart. Pure functions of a board's texts.

Both are stored for published boards (boards.models.EventDeal). Who changes what they return, changes
boards.catalogue.stored_json.JSON_FORMAT too.
"""

import json
import re
import unicodedata
from functools import lru_cache
from hashlib import sha256

from django.utils.text import slugify

from bridge.dates import known_parts

MAX_SLUG_LENGTH = 64
HASH_LENGTH = 10
MAX_WORDS_LENGTH = MAX_SLUG_LENGTH - len("-2026-11-20-") - HASH_LENGTH
MAX_STAGE_LENGTH = 100
UNNUMBERED = 100_000
"""Boards without a number come after the greatest number."""

_NUMBER = re.compile(r"[0-9]+")
_WORD = "(?:segment|half|set|stanza|quarter)"
_PART = re.compile(
    rf"[\s,;:/(–-]*+(?:\b{_WORD}\s?[0-9]+(?:\s?(?:of|/)\s?[0-9]+)?"
    rf"|\b(?:[0-9]+\s?(?:st|nd|rd|th)|first|second|third|fourth|last)\s{_WORD})\)?\Z",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def slug_of(name: str, date: str, site: str) -> str:
    """Return the slug of the event with this name, date and site, or "" for a board that belongs to none.

    It is the same in every process and for ever: words that people can read, and a hash of all three. Upper and lower
    case and the number of blanks make no difference.
    """
    if not (folded := fold(name)):
        return ""
    words = slugify(name)[:MAX_WORDS_LENGTH].strip("-_") or "event"
    digest = sha256(json.dumps([folded, fold(date), fold(site)]).encode()).hexdigest()[:HASH_LENGTH]
    return "-".join((words, *known_parts(date), digest))


def fold(text: str) -> str:
    """Return the text as it is compared: without regard to case, to blanks, and to how accents are encoded."""
    return unicodedata.normalize("NFC", " ".join(text.split())).casefold()


def stage_key_of(stage: str) -> str:
    """Return a text by which the stages of an event are sorted and compared.

    Its numbers have leading zeros, so that round 10 follows round 9.
    """
    return _NUMBER.sub(lambda found: found[0].zfill(5), fold(stage))[:MAX_STAGE_LENGTH]


def whole_stage(stage: str) -> str:
    """Return a stage or its key without a part of its matches: "Final" of "Final, Segment 2" or "Final 1st half"."""
    return _PART.sub("", stage)
