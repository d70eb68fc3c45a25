"""A form's JSON Schema (2020-12), read off its serializer, so that the two cannot differ."""

from typing import Any

from rest_framework import serializers

from forms.declarations import Form

FORMATS = {serializers.EmailField: "email", serializers.UUIDField: "uuid"}


def json_schema(form: Form) -> dict[str, Any]:
    declared = form.serializer().fields
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": form.title,
        "description": form.description,
        "type": "object",
        "properties": {name: property_schema(field) for name, field in declared.items()},
        "required": [name for name, field in declared.items() if field.required],
        "additionalProperties": False,
    }


def property_schema(field: serializers.Field) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string", "title": str(field.label)}
    if not getattr(field, "allow_blank", False):
        schema["minLength"] = 1
    if longest := getattr(field, "max_length", None):
        schema["maxLength"] = longest
    if isinstance(field, serializers.ChoiceField):
        schema["enum"] = list(field.choices)
    for kind, name in FORMATS.items():
        if isinstance(field, kind):
            schema["format"] = name
    if field.help_text:
        schema["description"] = str(field.help_text)
    return schema
