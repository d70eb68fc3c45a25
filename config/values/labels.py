"""Labels, the names of a theme or an auction system by language: which are valid, and which suits a reader best."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from django.conf import settings
from django.core.exceptions import ValidationError

from config.values.languages import is_tag
from config.values.strict_json import JsonError, check_value, dump_json

MAX_LABELS = 100
MAX_BYTES = 16 * 1024
"""The most bytes that all labels of a theme have as JSON. They are sent with every board of the theme in a list."""


class Label(NamedTuple):
    """A text to show. `language` is its BCP 47 tag, or "" where that is the page's own or no tag at all."""

    text: str
    language: str = ""


def english_label(labels: Any, default: str) -> str:
    """Return the English label, or the default where there is none. Labels that nobody has validated are fine."""
    label = labels.get("en") if isinstance(labels, Mapping) else None
    return label if label and isinstance(label, str) else default


def validate_labels(value: Any) -> None:
    """Refuse all but an object of JSON that every store keeps. Its keys are any strings, usually language tags."""
    if not isinstance(value, Mapping):
        raise ValidationError('Labels must be an object, such as {"en": "Stayman"}.', code="not_an_object")
    if len(value) > MAX_LABELS:
        raise ValidationError(f"Give at most {MAX_LABELS} labels.", code="too_many")
    check_storable(value, MAX_BYTES, f"All labels together have at most {MAX_BYTES // 1024} KiB.")


def check_storable(value: Mapping[str, Any], max_bytes: int, too_large: str) -> None:
    """Raise ValidationError for JSON that not every store keeps, and with the sentence `too_large` for a longer one."""
    try:
        check_value(value)
    except JsonError as error:
        raise ValidationError(str(error), code="unstorable") from error
    if len(dump_json(dict(value))) > max_bytes:
        raise ValidationError(too_large, code="too_large")


def validate_text_labels(value: Any) -> None:
    """Refuse labels that `validate_labels` refuses, and those that are not text."""
    validate_labels(value)
    if not all(isinstance(label, str) for label in value.values()):
        raise ValidationError("Each label must be a text.", code="not_a_text")


def best_label(labels: Mapping[str, Any], languages: Sequence[str], default: str) -> Label:
    """Look the label up as RFC 4647 §3.4 does: for each language in turn the exact tag, then shorter ones.

    Fall back to English, then to the first label by its key, then to the default. Labels that are not text are ignored.
    """
    texts = {key.lower(): key for key, label in labels.items() if isinstance(label, str) and label.strip()}
    for tag in _fallback_tags(tuple(languages)):
        if tag in texts:
            return Label(labels[texts[tag]], _lang_attribute(texts[tag]))
    if not texts:
        return Label(default)
    first = texts[min(texts)]
    return Label(labels[first], _lang_attribute(first))


@lru_cache(maxsize=256)
def _fallback_tags(languages: tuple[str, ...]) -> tuple[str, ...]:
    """Return each language and its shorter forms, none of which ends in a single letter; then English."""
    tags: dict[str, None] = {}
    for language in (*languages, "en"):
        subtags = language.split("-")
        while subtags:
            tags["-".join(subtags)] = None
            subtags.pop()
            if subtags and len(subtags[-1]) == 1:
                subtags.pop()
    return tuple(tags)


@lru_cache(maxsize=1024)
def _lang_attribute(key: str) -> str:
    """Return the lang attribute for a label under this key, or "" where it would add nothing."""
    return key if key != settings.LANGUAGE_CODE and is_tag(key) else ""
