"""What labels may be, for the API and the admin alike: one rule, on the model."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError

from config.api.errors import BadRequest
from config.api.parsers import check_value
from config.api.renderers import dump_json

MAX_LABELS = 100
LONGEST_KEY = 64
LARGEST = 16 * 1024
"""Bytes of all labels as JSON: they stand on every board that is listed with their theme."""


def label_of(labels: Any, otherwise: str) -> str:
    """The English label, where there is one; also of labels that a form has yet to refuse."""
    label = labels.get("en") if isinstance(labels, Mapping) else None
    return label if label and isinstance(label, str) else otherwise


def validate_labels(value: Any) -> None:
    """An object with non-empty string keys, usually language tags, and any JSON that every store can keep."""
    if not isinstance(value, Mapping):
        raise ValidationError('Labels are an object, such as {"en": "Stayman"}.', code="not_an_object")
    if len(value) > MAX_LABELS:
        raise ValidationError(f"At most {MAX_LABELS} labels.", code="too_many")
    if any(not key.strip() for key in value):
        raise ValidationError('A label needs a key, usually a language tag such as "en".', code="empty_key")
    if any(len(key) > LONGEST_KEY for key in value):
        raise ValidationError(f"A label's key has at most {LONGEST_KEY} characters.", code="long_key")
    try:
        check_value(value)
    except BadRequest as error:
        raise ValidationError(error.message, code="unstorable") from error
    if len(dump_json(dict(value))) > LARGEST:
        raise ValidationError(f"All labels together have at most {LARGEST // 1024} KiB.", code="too_large")


def validate_text_labels(value: Any) -> None:
    """Labels whose values are all text."""
    validate_labels(value)
    if not all(isinstance(label, str) for label in value.values()):
        raise ValidationError("Each label is a text.", code="not_a_text")
