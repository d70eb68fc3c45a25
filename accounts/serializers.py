from collections.abc import Mapping
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from iso3166 import countries_by_alpha2
from rest_framework import serializers

from accounts.models import Account, AuctionSystem
from config.api import fields
from config.api.serializers import UNKNOWN_FIELD, ReadSerializer, StrictSerializer, model_string
from config.values.languages import MAX_TAG_LENGTH, standard_tag

WRITABLE_BY_SELF = frozenset(
    {
        "displayName",
        "firstName",
        "lastName",
        "organisationName",
        "country",
        "language",
        "auctionSystem",
        "isOrganisation",
        "showEmailPublicly",
        "avatarUrl",
    }
)
WRITABLE_BY_STAFF = WRITABLE_BY_SELF | {"email", "isActive"}
WRITABLE_BY_ADMIN = WRITABLE_BY_STAFF | {"role"}


def writable_fields(caller: Account) -> frozenset[str]:
    """Return the fields that this caller may write in an account that it may change."""
    if caller.is_superuser:
        return WRITABLE_BY_ADMIN
    return WRITABLE_BY_STAFF if caller.is_staff else WRITABLE_BY_SELF


class AuctionSystemSerializer(ReadSerializer):
    id = serializers.CharField()
    identifier = serializers.CharField()
    labels = serializers.DictField(
        child=serializers.CharField(), help_text="Its name in each language, by language tag."
    )
    sortOrder = serializers.IntegerField(source="sort_order")


class AuctionSystemField(serializers.Field):
    """An auction system. It is sent as {"id": …} or as its id or identifier alone, and answered whole."""

    default_error_messages = {
        "invalid": 'Name an auction system by its id or identifier, or as {{"id": …}}.',
        "does_not_exist": "There is no auction system {name}.",
    }

    def to_internal_value(self, data: Any) -> AuctionSystem:
        name = self.read_id(data) if isinstance(data, Mapping) else data
        if not isinstance(name, str):
            self.fail("invalid")
        system = AuctionSystem.objects.named(name)
        if system is None:
            self.fail("does_not_exist", name=name)
        return system

    @staticmethod
    def read_id(data: Mapping[str, Any]) -> Any:
        """Return the id alone, so that a client may send back the whole object that it was answered."""
        unknown = data.keys() - AuctionSystemSerializer().fields.keys()
        if unknown:
            error = serializers.ErrorDetail(UNKNOWN_FIELD, code="unknown_field")
            raise serializers.ValidationError({name: [error] for name in unknown})
        return data.get("id")

    def to_representation(self, value: AuctionSystem) -> dict[str, Any]:
        return AuctionSystemSerializer(value).data


class AuctionSystemFieldSchema(OpenApiSerializerFieldExtension):
    """The OpenAPI schema of AuctionSystemField, which differs between request and response."""

    target_class = AuctionSystemField

    def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        if direction == "response":
            return auto_schema.resolve_serializer(AuctionSystemSerializer, direction).ref
        by_id = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
        return {"oneOf": [{"type": "string", "description": "Its id or identifier."}, by_id]}


class CountryField(fields.StringField):
    default_error_messages = {"unknown": "Not a country of ISO 3166-1: give two capital letters, such as NL."}

    def to_internal_value(self, data: Any) -> str:
        country = super().to_internal_value(data)
        if country and country not in countries_by_alpha2:
            self.fail("unknown")
        return country


class LanguageField(fields.StringField):
    default_error_messages = {
        "unknown": f"Not a language tag of BCP 47 with at most {MAX_TAG_LENGTH} characters, such as en or pt-BR."
    }

    def to_internal_value(self, data: Any) -> str:
        tag = super().to_internal_value(data)
        standard = standard_tag(tag)
        if tag and not standard:
            self.fail("unknown")
        return standard


class AccountSerializer(StrictSerializer):
    """An account as `request.user` sees it. What that caller may not write is read-only."""

    constraint_fields = {"organisation_unnamed": "organisationName"}

    id = serializers.CharField(read_only=True)
    email = model_string(Account, "email", fields.EmailField, help_text='"" unless the caller may see it.')
    displayName = model_string(Account, "display_name")
    firstName = model_string(Account, "first_name")
    lastName = model_string(Account, "last_name")
    organisationName = model_string(Account, "organisation_name")
    country = model_string(Account, "country", CountryField)
    language = model_string(Account, "language", LanguageField)
    auctionSystem = AuctionSystemField(source="auction_system")
    isActive = fields.BooleanField(source="is_active")
    role = fields.ChoiceField(choices=Account.Role.choices)
    isOrganisation = fields.BooleanField(source="is_organisation")
    showEmailPublicly = fields.BooleanField(source="show_email_publicly")
    avatarUrl = model_string(Account, "avatar_url")
    createdAt = fields.TimestampField(source="created_at", read_only=True)
    updatedAt = fields.TimestampField(source="updated_at", read_only=True)

    def get_fields(self) -> dict[str, serializers.Field]:
        declared = super().get_fields()
        caller = self.context["request"].user
        if caller.is_authenticated:
            for name in declared.keys() - writable_fields(caller):
                declared[name].read_only = True
        return declared

    def to_representation(self, instance: Account) -> dict[str, Any]:
        shown = super().to_representation(instance)
        caller = self.context["request"].user
        if not (instance.show_email_publicly or caller == instance or caller.is_staff):
            shown["email"] = ""
        return shown
