"""Labels, the names of a theme or an auction system by language: one rule for the API and the admin."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError

from config.values.strict_json import JsonError, check_value, dump_json

MAX_LABELS = 100
MAX_KEY_LENGTH = 64
MAX_BYTES = 16 * 1024
"""The limit counts all labels as JSON, since they stand on every board that is listed with their theme."""


def english_label(labels: Any, default: str) -> str:
    """Return the English label, or the default where there is none. Labels that nobody has validated are fine."""
    label = labels.get("en") if isinstance(labels, Mapping) else None
    return label if label and isinstance(label, str) else default


def validate_labels(value: Any) -> None:
    """Refuse all but an object with non-empty string keys, usually language tags, and JSON that every store keeps."""
    if not isinstance(value, Mapping):
        raise ValidationError('Labels are an object, such as {"en": "Stayman"}.', code="not_an_object")
    if len(value) > MAX_LABELS:
        raise ValidationError(f"Give at most {MAX_LABELS} labels.", code="too_many")
    if any(not key.strip() for key in value):
        raise ValidationError('A label needs a key, usually a language tag such as "en".', code="empty_key")
    if any(len(key) > MAX_KEY_LENGTH for key in value):
        raise ValidationError(f"A label's key has at most {MAX_KEY_LENGTH} characters.", code="long_key")
    try:
        check_value(value)
    except JsonError as error:
        raise ValidationError(str(error), code="unstorable") from error
    if len(dump_json(dict(value))) > MAX_BYTES:
        raise ValidationError(f"All labels together have at most {MAX_BYTES // 1024} KiB.", code="too_large")


def validate_text_labels(value: Any) -> None:
    """Refuse labels that `validate_labels` refuses, and those that are not text."""
    validate_labels(value)
    if not all(isinstance(label, str) for label in value.values()):
        raise ValidationError("Each label is a text.", code="not_a_text")
