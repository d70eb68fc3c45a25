"""The reader's languages, and which of several labels suits them best."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import langcodes
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation.trans_real import parse_accept_lang_header

LONGEST_TAG = 35
"""Characters that every store of a tag has room for (RFC 5646 §4.4.1)."""


@dataclass(frozen=True, slots=True)
class Label:
    """`language` is its BCP 47 tag; "" where that is the page's own or no such tag."""

    text: str
    language: str = ""


def languages_of(request: HttpRequest) -> tuple[str, ...]:
    """What Accept-Language asks for, in lower case, best first; "*" and what is refused by q=0 are left out."""
    asked = parse_accept_lang_header(request.headers.get("Accept-Language", ""))
    return tuple(language for language, weight in asked if weight > 0 and language != "*")


def standard_tag(tag: str) -> str:
    """As BCP 47 writes it, at most LONGEST_TAG characters; "" for what is no tag. `sh` is short for `sr-Latn`."""
    standard = langcodes.standardize_tag(tag) if tag and langcodes.tag_is_valid(tag) else ""
    return standard if len(standard) <= LONGEST_TAG else ""


def best_label(labels: Mapping[str, Any], languages: Sequence[str], otherwise: str) -> Label:
    """Lookup as RFC 4647 §3.4 has it: the exact tag, then shorter ones, for each language in turn.

    Then English, then the first label there is by its key, then `otherwise`: also for labels that are no text.
    """
    texts = {key.lower(): key for key, label in labels.items() if isinstance(label, str) and label.strip()}
    for tag in lookups(languages):
        if tag in texts:
            return Label(labels[texts[tag]], language_attribute(texts[tag]))
    if not texts:
        return Label(otherwise)
    first = texts[min(texts)]
    return Label(labels[first], language_attribute(first))


def lookups(languages: Sequence[str]) -> Iterator[str]:
    """Tags to look for: each language and its shorter forms, none of which ends in a single letter; then English."""
    for language in (*languages, "en"):
        subtags = language.split("-")
        while subtags:
            yield "-".join(subtags)
            subtags.pop()
            if subtags and len(subtags[-1]) == 1:
                subtags.pop()


@lru_cache(maxsize=1024)
def language_attribute(key: str) -> str:
    """What the lang attribute says of a label under this key; "" where it has nothing to add."""
    return key if key != settings.LANGUAGE_CODE and langcodes.tag_is_valid(key) else ""
