"""Language tags, and which of several labels suits a reader best."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import langcodes
from django.conf import settings

MAX_TAG_LENGTH = 35
"""Characters that every store of a tag has room for (RFC 5646 §4.4.1)."""


@dataclass(frozen=True, slots=True)
class Label:
    """A text to show. `language` is its BCP 47 tag, or "" where that is the page's own or no tag at all."""

    text: str
    language: str = ""


def standard_tag(tag: str) -> str:
    """Return the tag as BCP 47 writes it, or "" for one that is not valid or longer than MAX_TAG_LENGTH."""
    standard = langcodes.standardize_tag(tag) if tag and langcodes.tag_is_valid(tag) else ""
    return standard if len(standard) <= MAX_TAG_LENGTH else ""


def best_label(labels: Mapping[str, Any], languages: Sequence[str], default: str) -> Label:
    """Look the label up as RFC 4647 §3.4 does: for each language in turn the exact tag, then shorter ones.

    Fall back to English, then to the first label by its key, then to the default. Labels that are no text are ignored.
    """
    texts = {key.lower(): key for key, label in labels.items() if isinstance(label, str) and label.strip()}
    for tag in _fallback_tags(languages):
        if tag in texts:
            return Label(labels[texts[tag]], _lang_attribute(texts[tag]))
    if not texts:
        return Label(default)
    first = texts[min(texts)]
    return Label(labels[first], _lang_attribute(first))


def _fallback_tags(languages: Sequence[str]) -> Iterator[str]:
    """Yield each language and its shorter forms, none of which ends in a single letter; then English."""
    for language in (*languages, "en"):
        subtags = language.split("-")
        while subtags:
            yield "-".join(subtags)
            subtags.pop()
            if subtags and len(subtags[-1]) == 1:
                subtags.pop()


@lru_cache(maxsize=1024)
def _lang_attribute(key: str) -> str:
    """Return the lang attribute for a label under this key, or "" where it would add nothing."""
    return key if key != settings.LANGUAGE_CODE and langcodes.tag_is_valid(key) else ""
