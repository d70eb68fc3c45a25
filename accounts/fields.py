"""Serializer fields for other apps too: an account, an auction system and its JSON object, a country, a language."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.models import Account, AuctionSystem
from config.api.fields import NamedField, StringField
from config.api.serializers import UNKNOWN_FIELD, ReadSerializer, also_raising
from config.values.countries import NOT_A_COUNTRY, is_country
from config.values.languages import MAX_TAG_LENGTH, standard_tag


@extend_schema_field(serializers.CharField())
class AccountField(NamedField):
    """An existing account, written as its id."""

    default_error_messages = {"does_not_exist": "No account has this id."}

    def find(self, name: str) -> Account:
        account = Account.objects.filter(pk=name).first()
        if account is None:
            self.fail("does_not_exist")
        return account


class AccountIdField(AccountField):
    """An existing account, whose id is kept for the column of a foreign key."""

    def to_internal_value(self, data: object) -> str:
        account: Account = super().to_internal_value(data)
        return account.pk

    def to_representation(self, value: str) -> str:
        return value


class AuctionSystemSerializer(ReadSerializer):
    """A bidding system, such as Acol."""

    id = serializers.CharField(help_text="The id of the auction system.")
    identifier = serializers.CharField(help_text="A short name for programs.")
    labels = serializers.DictField(
        child=serializers.CharField(), help_text="Its name in each language, by language tag."
    )
    sortOrder = serializers.IntegerField(
        source="sort_order", help_text="Its place in lists. The smallest number comes first."
    )


class AuctionSystemField(serializers.Field):
    """An auction system. A request names it by {"id": …}, or by its id or identifier alone. An answer has all of it."""

    default_error_messages = {
        "invalid": 'Name an auction system by its id or identifier, or as {{"id": …}}.',
        "does_not_exist": "No auction system has this id or identifier.",
    }

    def to_internal_value(self, data: Any) -> AuctionSystem:
        return self.read_object(data) if isinstance(data, Mapping) else self.find(data)

    def read_object(self, data: Mapping[str, Any]) -> AuctionSystem:
        """Read the id alone, so that a client may send back the whole object that it was answered."""
        unknown = data.keys() - AuctionSystemSerializer().fields.keys()
        error = serializers.ErrorDetail(UNKNOWN_FIELD, code="unknown_field")
        with also_raising({name: [error] for name in unknown}):
            try:
                return self.find(data.get("id"))
            except serializers.ValidationError as invalid:
                if not unknown:
                    raise
                raise serializers.ValidationError({"id": invalid.detail}) from invalid

    def find(self, name: Any) -> AuctionSystem:
        if not isinstance(name, str):
            self.fail("invalid")
        system = AuctionSystem.objects.named(name)
        if system is None:
            self.fail("does_not_exist")
        return system

    def to_representation(self, value: AuctionSystem) -> dict[str, Any]:
        return AuctionSystemSerializer(value).data


class AuctionSystemFieldSchema(OpenApiSerializerFieldExtension):
    """The OpenAPI schema of AuctionSystemField, which differs between request and response."""

    target_class = AuctionSystemField

    def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        if direction == "response":
            return auto_schema.resolve_serializer(AuctionSystemSerializer, direction).ref
        system = auto_schema.resolve_serializer(AuctionSystemSerializer, "response")
        by_id = {**system.schema, "required": ["id"], "additionalProperties": False}
        return {"anyOf": [{"type": "string", "description": "Its id or identifier."}, by_id]}


class CountryField(StringField):
    default_error_messages = {"unknown": NOT_A_COUNTRY}

    def to_internal_value(self, data: Any) -> str:
        country = super().to_internal_value(data)
        if country and not is_country(country):
            self.fail("unknown")
        return country


class CountryFieldSchema(OpenApiSerializerFieldExtension):
    """The OpenAPI schema of CountryField. An answer may be blank, and have a code that ISO has withdrawn."""

    target_class = CountryField

    def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        schema: dict[str, Any] = auto_schema._map_serializer_field(self.target, direction, bypass_extensions=True)
        if direction == "request":
            schema["pattern"] = "^[A-Z]{2}$"
        return schema


class LanguageField(StringField):
    default_error_messages = {
        "unknown": f"Not a language tag of BCP 47 with at most {MAX_TAG_LENGTH} characters, such as en or pt-BR."
    }

    def to_internal_value(self, data: Any) -> str:
        tag = super().to_internal_value(data)
        standard = standard_tag(tag)
        if tag and not standard:
            self.fail("unknown")
        return standard
