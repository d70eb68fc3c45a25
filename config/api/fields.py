"""Serializer fields that take JSON types at their word: no "5" for 5, no 5 for "5", no "yes" for true."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from rest_framework import serializers

CANONICAL_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
MAX_LABELS = 100


class StringField(serializers.CharField):
    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class SlugField(serializers.SlugField):
    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class EmailField(serializers.EmailField):
    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class IntegerField(serializers.IntegerField):
    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return data


class BooleanField(serializers.BooleanField):
    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class ChoiceField(serializers.ChoiceField):
    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("invalid_choice", input=data)
        return super().to_internal_value(data)


class UUIDField(serializers.UUIDField):
    def to_internal_value(self, data: Any) -> UUID:
        if not isinstance(data, str) or not CANONICAL_UUID.fullmatch(data):
            self.fail("invalid", value=data)
        return UUID(data)


class TimestampField(serializers.DateTimeField):
    """RFC 3339 in UTC with Z and always six decimals (isoformat() drops them when they are zero)."""

    def to_representation(self, value: datetime | None) -> str | None:
        return None if value is None else value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class NamedField(serializers.Field):
    """Something that exists, written as a string that names it: `find` gives it, or fails."""

    longest = 255

    def to_internal_value(self, data: Any) -> Any:
        return self.find(StringField(max_length=self.longest).run_validation(data))

    def find(self, name: str) -> Any:
        raise NotImplementedError


class LabelsField(serializers.JSONField):
    """An object of labels: non-empty string keys, usually language tags; values any JSON."""

    default_error_messages = {
        "not_an_object": 'Labels are an object, such as {{"en": "Stayman"}}.',
        "empty_key": 'A label needs a key, usually a language tag such as "en".',
        "long_key": "A label's key has at most 64 characters.",
        "too_many": f"At most {MAX_LABELS} labels.",
    }

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, Mapping):
            self.fail("not_an_object")
        if len(data) > MAX_LABELS:
            self.fail("too_many")
        if any(not key.strip() for key in data):
            self.fail("empty_key")
        if any(len(key) > 64 for key in data):
            self.fail("long_key")
        return dict(data)
