"""Serializer fields that accept one JSON type each: no "5" for 5, no 5 for "5", no "yes" for true."""

import re
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from config.values.descriptions import MAX_LENGTH, validate_description
from config.values.labels import validate_labels

MAX_IDS = 100
"""The ids of one query parameter."""

CANONICAL_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


class StringField(serializers.CharField):
    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class SlugField(StringField, serializers.SlugField):
    """A slug that is a string."""


class EmailField(StringField, serializers.EmailField):
    """An e-mail address that is a string."""


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
    """One of a fixed set of strings, in a body or a query. The error names the set and repeats nothing of the input."""

    default_error_messages = {"invalid_choice": "Give one of these: {choices}."}

    def to_internal_value(self, data: Any) -> Any:
        if data == "" and self.allow_blank:
            return ""
        if not isinstance(data, str) or data not in self.choice_strings_to_values:
            self.fail("invalid_choice", choices=", ".join(self.choice_strings_to_values))
        return self.choice_strings_to_values[data]


class UUIDField(serializers.UUIDField):
    def to_internal_value(self, data: Any) -> UUID:
        if not isinstance(data, str) or not CANONICAL_UUID.fullmatch(data):
            self.fail("invalid", value=data)
        return UUID(data)


IDS_SCHEMA = {"type": "string", "pattern": f"^[ ,]*({CANONICAL_UUID.pattern} *(,[ ,]*|$))*$"}


@extend_schema_field(IDS_SCHEMA)
class IdsField(serializers.Field):
    """A query parameter of at most MAX_IDS uuids with commas between them.

    The OpenAPI document has it as one string, since clients were generated that send one.
    """

    def to_internal_value(self, data: str) -> list[UUID]:
        ids = [item.strip(" ") for item in data.split(",") if item.strip(" ")]
        if len(ids) > MAX_IDS:
            raise serializers.ValidationError(f"Send {MAX_IDS} ids at most.", code="max_length")
        return [UUIDField().run_validation(item) for item in ids]


class TimestampField(serializers.DateTimeField):
    """A time as RFC 3339 in UTC, with Z and always six decimals, which isoformat() drops when they are zero."""

    def to_representation(self, value: datetime | None) -> str | None:
        return None if value is None else value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class ListField(serializers.ListField):
    """A list of at most `max_length` items. Its length is checked first, since each item costs time or a query."""

    def __init__(self, *, max_length: int, **options: Any) -> None:
        super().__init__(max_length=max_length, **options)
        self.limit = max_length

    def to_internal_value(self, data: Any) -> list[Any]:
        if isinstance(data, list) and len(data) > self.limit:
            self.fail("max_length", max_length=self.limit)
        return super().to_internal_value(data)


class NamedField(serializers.Field):
    """A thing that exists, written as a string that names it. A subclass looks it up in `find`."""

    max_length = 255

    def to_internal_value(self, data: Any) -> Any:
        return self.find(StringField(max_length=self.max_length).run_validation(data))

    def find(self, name: str) -> Any:
        """Return the thing with this name, or call `self.fail(…)`."""
        raise NotImplementedError  # only a subclass knows where its things are stored


@extend_schema_field(OpenApiTypes.OBJECT)
class LabelsField(serializers.JSONField):
    """An object of labels. Its keys are any strings, usually language tags; its values are any JSON."""

    default_validators = (validate_labels,)


@extend_schema_field(
    {"type": "object", "additionalProperties": {"type": "string", "minLength": 1, "maxLength": MAX_LENGTH}}
)
class DescriptionField(serializers.JSONField):
    """An object of plain texts by language tag."""

    default_validators = (validate_description,)
