import re
from typing import Any

from rest_framework import serializers

from accounts.fields import AccountIdField
from config.api import fields
from config.api.serializers import QuerySerializer, StrictSerializer
from themes.models import Theme

SLUG = re.compile(r"[A-Za-z0-9_-]{1,64}")


class ThemeQuery(QuerySerializer):
    types = serializers.CharField(
        required=False,
        allow_blank=True,
        help_text="Theme types, separated by commas. An unknown type matches nothing.",
    )

    def validate_types(self, value: str) -> list[str]:
        types = [item.strip() for item in value.split(",") if item.strip()]
        if not all(SLUG.fullmatch(item) for item in types):
            raise serializers.ValidationError(
                "Write a type with letters, digits, - and _ only, as in system_bidding.", code="invalid"
            )
        return types


class ThemeSerializer(StrictSerializer):
    instance: Theme  # The API changes themes and never creates one.

    id = serializers.UUIDField(read_only=True)
    type = fields.SlugField(max_length=64)
    userId = AccountIdField(source="owner_id", help_text="Written by staff only.")
    labels = fields.LabelsField()
    identifier = fields.SlugField(max_length=64, help_text="Unique within the type.")
    createdAt = fields.TimestampField(source="created_at", read_only=True)
    updatedAt = fields.TimestampField(source="updated_at", read_only=True)

    def get_fields(self) -> dict[str, serializers.Field]:
        declared = super().get_fields()
        request = self.context.get("request")
        declared["userId"].read_only = bool(
            request and request.user.is_authenticated and not request.user.is_staff
        )
        return declared

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        after = {name: attrs.get(name, getattr(self.instance, name)) for name in ("type", "identifier")}
        if Theme.objects.exclude(pk=self.instance.pk).filter(**after).exists():
            message = "There is a theme of this type with this identifier already."
            raise serializers.ValidationError(
                {"identifier": [serializers.ErrorDetail(message, code="identifier_taken")]}
            )
        return attrs
