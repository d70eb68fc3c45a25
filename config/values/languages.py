"""Language tags (BCP 47)."""

import langcodes

MAX_TAG_LENGTH = 35
"""Characters that every store of a tag has room for (RFC 5646 §4.4.1)."""


def standard_tag(tag: str) -> str:
    """Return the tag as BCP 47 writes it, or "" for one that is not valid or longer than MAX_TAG_LENGTH."""
    standard = langcodes.standardize_tag(tag) if tag and langcodes.tag_is_valid(tag) else ""
    return standard if len(standard) <= MAX_TAG_LENGTH else ""
