"""Descriptions: plain texts of a few paragraphs, by language. config.values.labels finds the one for a reader."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError

from config.values.labels import check_storable
from config.values.languages import standard_tag

MAX_LENGTH = 2000
"""Characters of one text."""
MAX_BYTES = 16 * 1024
"""The most bytes that all texts of a description have as JSON. Each process keeps them."""


def validate_description(value: Any) -> None:
    """Refuse all but an object of texts that are not blank. Its keys are language tags as BCP 47 writes them."""
    if not isinstance(value, Mapping):
        raise ValidationError('A description must be an object, such as {"en": "A text."}.', code="not_an_object")
    if not all(isinstance(text, str) and text.strip() for text in value.values()):
        raise ValidationError("Each description must be a text. Leave out a language without one.", code="not_a_text")
    if any(len(text) > MAX_LENGTH for text in value.values()):
        raise ValidationError(f"A description has at most {MAX_LENGTH} characters.", code="max_length")
    if not all(tag and standard_tag(tag) == tag for tag in value):
        raise ValidationError(
            "Each key is a language tag as BCP 47 writes it, such as en or pt-BR.", code="unknown_language"
        )
    check_storable(value, MAX_BYTES, f"All languages of a description together have at most {MAX_BYTES // 1024} KiB.")
