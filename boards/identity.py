"""What tells events apart, and where a board stands in its event. Pure functions of a board's texts.

Both are stored with published boards, in rows whose format is boards.catalogue.stored_json.JSON_FORMAT.
"""

import json
import re
import unicodedata
from functools import lru_cache
from hashlib import sha256
from uuid import UUID

from django.utils.text import slugify

from bridge.dates import known_parts

MAX_SLUG_LENGTH = 64
HASH_LENGTH = 10
MAX_WORDS_LENGTH = MAX_SLUG_LENGTH - len("-2026-11-20-") - HASH_LENGTH
MAX_POSITION_LENGTH = 160
MAX_STAGE_LENGTH = 100
UNNUMBERED = 100_000
"""Boards without a number come after the greatest number."""

POSITION_TAIL_LENGTH = len("/000001/") + 32
"""What follows the stage in a position: the number of the board and the deal's id."""

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


def position_of(stage: str, number: int | None, deal_id: UUID) -> str:
    """Return a text that sorts the deals of an event: by stage, by board number, then by deal.

    All tables of a deal have one position. The numbers in a stage have leading zeros, so that round 10 follows round 9.
    """
    return f"{stage_key_of(stage)}/{number or UNNUMBERED:06}/{deal_id.hex}"


def stage_key_of(stage: str) -> str:
    """Return a text by which the stages of an event are sorted and compared."""
    return _NUMBER.sub(lambda found: found[0].zfill(5), fold(stage))[:MAX_STAGE_LENGTH]


def whole_stage(stage: str) -> str:
    """Return a stage or its key without a part of its matches: "Final" of "Final, Segment 2" or "Final 1st half"."""
    return _PART.sub("", stage)


def split_position(position: str) -> tuple[str, UUID]:
    """Return the key of the stage and the deal's id, of which `position_of` made the position."""
    return position[:-POSITION_TAIL_LENGTH], UUID(position[-32:])
