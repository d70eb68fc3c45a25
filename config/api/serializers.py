"""Serializers that refuse what they do not know instead of dropping it, and take their rules from the model."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from functools import cache
from typing import Any, ClassVar, TypeVar

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.db.models import Model
from django.http import QueryDict
from rest_framework import serializers
from rest_framework.settings import api_settings

from config.api.fields import StringField

MAX_UNKNOWN_KEYS = 20
"""A body with more keys than its fields and these is refused before any of them is looked at."""

UNKNOWN_FIELD = "This field does not exist. Remove it."
READ_ONLY_FIELD = "You cannot write this field. Leave it out."

Row = TypeVar("Row", bound=Model)
Shared = TypeVar("Shared", bound=serializers.Serializer)


def model_string(
    model: type[Model],
    column: str,
    field_class: type[serializers.CharField] = StringField,
    **options: Any,
) -> serializers.CharField:
    """Return a serializer field with the length, blankness, validators and help text of the model's column.

    `options` override these, and add what a column does not know, such as `required=False`. The field reads the column
    under any name of its own when the column's name has an underscore; else both must have the same name.
    """
    described: Any = model._meta.get_field(column)
    # Those of the column's class, an e-mail address or a slug, come with the field's class too.
    validators = [
        validator
        for validator in described.validators
        if validator not in described.default_validators and not isinstance(validator, MaxLengthValidator)
    ]
    from_model = {
        "source": column if "_" in column else None,
        "max_length": described.max_length,
        "allow_blank": described.blank,
        "help_text": described.help_text or None,
        "validators": validators or None,
    }
    return field_class(**{**from_model, **options})


def wire_name(column: str) -> str:
    """Return the name that a column has in JSON: boardNumber for board_number."""
    first, *others = column.split("_")
    return first + "".join(map(str.capitalize, others))


@contextmanager
def also_raising(errors: Mapping[str, list[serializers.ErrorDetail]]) -> Iterator[None]:
    """Raise ValidationError with these errors, if there are any, together with those that the block raises."""
    try:
        yield
    except serializers.ValidationError as error:
        if not errors:
            raise
        detail: Any = error.detail
        raise serializers.ValidationError({**detail, **errors}) from error
    if errors:
        raise serializers.ValidationError(dict(errors))


class StrictSerializer(serializers.Serializer):
    """A serializer that refuses each key that is not a field, or a field that this caller may not write, by name.

    `constraint_fields` maps the violation_error_code of a constraint of the model to the field that gets the error. If
    it names any, the model's constraints are checked on the row as the change would leave it.
    """

    constraint_fields: ClassVar[Mapping[str, str]] = {}

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Report the keys that are refused together with all that is wrong with the others.

        Refuse far more keys than fields before: naming each costs 30 µs, and a body has thousands.
        """
        keys = data if isinstance(data, Mapping) else ()
        if len(keys) > len(self.fields) + MAX_UNKNOWN_KEYS:
            reason = f"There are {len(keys):,} keys, but only {len(self.fields)} fields. Leave out the others."
            errors = [serializers.ErrorDetail(reason, code="too_many_keys")]
            raise serializers.ValidationError({api_settings.NON_FIELD_ERRORS_KEY: errors})
        refused = {}
        for name in keys:
            field = self.fields.get(name)
            if field is None:
                refused[name] = [serializers.ErrorDetail(UNKNOWN_FIELD, code="unknown_field")]
            elif field.read_only:
                refused[name] = [serializers.ErrorDetail(READ_ONLY_FIELD, code="read_only")]
        with also_raising(refused):
            return super().run_validation(data)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check the constraints of the model. A subclass with rules of its own calls this too."""
        if self.constraint_fields and isinstance(self.instance, Model):
            row = copy(self.instance)
            for name, value in attrs.items():
                setattr(row, name, value)
            self.check_constraints(row)
        return attrs

    def check_constraints(self, row: Model) -> None:
        """Raise ValidationError with the model's code and sentence for each constraint that the row violates."""
        try:
            row.validate_constraints()
        except ValidationError as error:
            refused: dict[str, list[serializers.ErrorDetail]] = {}
            for violation in (each for errors in error.error_dict.values() for each in errors):
                name = self.constraint_fields.get(violation.code or "", api_settings.NON_FIELD_ERRORS_KEY)
                detail = serializers.ErrorDetail(violation.messages[0], code=violation.code or "invalid")
                refused.setdefault(name, []).append(detail)
            raise serializers.ValidationError(refused) from error

    def update(self, instance: Row, validated_data: dict[str, Any]) -> Row:
        """Write the columns that change and no others: repeating a PATCH changes nothing, not even `updated_at`."""
        changed = {name: value for name, value in validated_data.items() if getattr(instance, name) != value}
        for name, value in changed.items():
            setattr(instance, name, value)
        if changed:
            instance.save(update_fields=[*changed, "updated_at"])
        return instance


class WholeSerializer(StrictSerializer):
    """An object inside another that is replaced as a whole: even a PATCH must give all the fields it requires."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if self.root is self:
            return super().to_internal_value(data)
        # DRF asks the root whether missing fields are forgiven. A copy without a parent is its own root.
        return type(self)(context=self.context).to_internal_value(data)


class ReadSerializer(serializers.Serializer):
    """A serializer for answers only."""


class QuerySerializer(serializers.Serializer):
    """Query parameters: a repeated one is an error, a blank filter counts as absent.

    An unknown one is ignored by pages, and refused under /api (config.api.unknown_parameters). Each parameter is
    checked by its field and its `validate_…` method, and by nothing else. One instance of each class reads the queries
    of all threads, because making one copies every field: so such a method may only use its value.
    """

    @classmethod
    def parse(cls, query: QueryDict) -> dict[str, Any]:
        """Return the valid parameters by source. Raise ValidationError that names each of the others."""
        serializer = shared_instance(cls)
        error = [serializers.ErrorDetail("Give this parameter once.", code="repeated")]
        repeated = {name: error for name, values in query.lists() if len(values) > 1 and name in serializer.fields}
        with also_raising(repeated):
            return serializer.to_internal_value(query.dict())

    @classmethod
    def names(cls) -> frozenset[str]:
        return frozenset(shared_instance(cls).fields)

    def to_internal_value(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Validate as REST framework does, but without a look at the optional parameters that are absent."""
        values: dict[str, Any] = {}
        errors: dict[str, Any] = {}
        for name, field in self.fields.items():
            if name not in data and not field.required and field.default is serializers.empty:
                continue
            validate = getattr(self, f"validate_{name}", None)
            try:
                value = field.run_validation(data.get(name, serializers.empty))
                values[field.source or name] = validate(value) if validate else value
            except serializers.ValidationError as error:
                errors[name] = error.detail
        if errors:
            raise serializers.ValidationError(errors)
        return values


@cache
def shared_instance(serializer_class: type[Shared]) -> Shared:
    """Return the one instance of the class. It never holds data, so that nothing in it changes.

    To make one takes longer than to use it.
    """
    return serializer_class()
