"""Serializers that refuse what they do not know, instead of dropping it quietly."""

from collections.abc import Callable, Mapping
from functools import cached_property
from operator import attrgetter
from typing import Any, TypeVar

from django.db.models import Model
from django.http import QueryDict
from rest_framework import serializers

UNKNOWN = "There is no such field here."
NOT_WRITABLE = "This field cannot be written here."

Row = TypeVar("Row", bound=Model)


class StrictSerializer(serializers.Serializer):
    """A key that is no field, or a field this caller may not write, is an error that names it."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if isinstance(data, Mapping):
            self.refuse_unwritable(data)
        return super().to_internal_value(data)

    def refuse_unwritable(self, data: Mapping[str, Any]) -> None:
        refused = {}
        for name in data:
            field = self.fields.get(name)
            if field is None:
                refused[name] = [serializers.ErrorDetail(UNKNOWN, code="unknown_field")]
            elif field.read_only:
                refused[name] = [serializers.ErrorDetail(NOT_WRITABLE, code="read_only")]
        if refused:
            raise serializers.ValidationError(refused)

    def update(self, instance: Row, validated_data: dict[str, Any]) -> Row:
        """Writes the columns that change and no others: repeating a PATCH changes nothing, `updated_at` included."""
        changed = {name: value for name, value in validated_data.items() if getattr(instance, name) != value}
        for name, value in changed.items():
            setattr(instance, name, value)
        if changed:
            instance.save(update_fields=[*changed, "updated_at"])
        return instance


class WholeSerializer(StrictSerializer):
    """An object inside another, replaced as a whole: a PATCH too must give what it requires."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if self.root is self:
            return super().to_internal_value(data)
        # DRF asks the root whether missing fields are forgiven: this one is its own.
        return type(self)(context=self.context).to_internal_value(data)


AS_THEY_ARE = (
    serializers.BooleanField,
    serializers.CharField,
    serializers.ChoiceField,
    serializers.DictField,
    serializers.IntegerField,
    serializers.ListField,
    serializers.UUIDField,
)
"""Fields whose values the renderer writes without help, as long as the database keeps them in the right type."""


class ReadSerializer(serializers.Serializer):
    """For answers only: declared like any serializer, and so documented, but read by getters made once a response.

    Half the time of a serializer that asks each field about each row. Give no field a default or a child that
    changes values: those are not asked.
    """

    @cached_property
    def getters(self) -> list[tuple[str, Callable[[Any], Any]]]:
        return [(name, getter(field)) for name, field in self.fields.items()]

    def to_representation(self, instance: Any) -> dict[str, Any]:
        return {name: get(instance) for name, get in self.getters}


def getter(field: serializers.Field) -> Callable[[Any], Any]:
    """From a row to what stands in the answer for this field."""
    if isinstance(field, serializers.SerializerMethodField):
        return getattr(field.parent, field.method_name)
    value = attrgetter(".".join(field.source_attrs)) if field.source_attrs else lambda row: row
    if isinstance(field, AS_THEY_ARE):
        return value
    if isinstance(field, serializers.ListSerializer):
        return lambda row: field.to_representation(value(row))

    def represent(row: Any) -> Any:
        found = value(row)
        return None if found is None else field.to_representation(found)

    return represent


class QuerySerializer(serializers.Serializer):
    """Query parameters: unknown ones are ignored, one given twice is an error; a blank filter counts as absent."""

    @classmethod
    def parse(cls, query: QueryDict) -> dict[str, Any]:
        serializer = cls(data=query.dict())
        twice = [name for name, given in query.lists() if len(given) > 1 and name in serializer.fields]
        if twice:
            error = serializers.ErrorDetail("Give this parameter once.", code="repeated")
            raise serializers.ValidationError({name: [error] for name in twice})
        serializer.is_valid(raise_exception=True)
        return serializer.validated_data
