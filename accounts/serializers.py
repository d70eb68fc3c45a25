from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.fields import AuctionSystemField, CountryField, LanguageField
from accounts.models import Account
from accounts.roles import ABILITIES, abilities_of, writable_fields
from accounts.services import require_another_admin
from config.api import fields
from config.api.serializers import StrictSerializer, model_string


class AccountSerializer(StrictSerializer):
    """An account, as the caller may see it."""

    constraint_fields = {"organisation_unnamed": "organisationName", "erased": "isActive"}

    id = serializers.CharField(
        read_only=True, help_text="The subject (sub) of the identity provider's tokens. It never changes."
    )
    email = model_string(Account, "email", fields.EmailField, help_text='"" unless the caller may see it.')
    displayName = model_string(Account, "display_name")
    firstName = model_string(Account, "first_name")
    lastName = model_string(Account, "last_name")
    organisationName = model_string(Account, "organisation_name")
    country = model_string(Account, "country", CountryField)
    language = model_string(Account, "language", LanguageField)
    auctionSystem = AuctionSystemField(source="auction_system", help_text="The bidding system that the account plays.")
    isActive = fields.BooleanField(
        source="is_active", help_text="If this is false, every token of the account is refused."
    )
    role = fields.ChoiceField(
        choices=Account.Role.choices, help_text="What the account may do. Only admins give roles."
    )
    isOrganisation = fields.BooleanField(
        source="is_organisation", help_text="Whether the account belongs to an organisation, not to a person."
    )
    showEmailPublicly = fields.BooleanField(
        source="show_email_publicly", help_text="Whether everybody with an account sees the e-mail address."
    )
    avatarUrl = model_string(Account, "avatar_url")
    createdAt = fields.TimestampField(source="created_at", read_only=True, help_text="When the account was first seen.")
    updatedAt = fields.TimestampField(
        source="updated_at", read_only=True, help_text="When the account was last changed."
    )

    def get_fields(self) -> dict[str, serializers.Field]:
        declared = super().get_fields()
        caller = self.context["request"].user
        if caller.is_authenticated:
            for name in declared.keys() - writable_fields(caller):
                declared[name].read_only = True
        return declared

    def update(self, instance: Account, validated_data: dict[str, Any]) -> Account:
        """Store the changes. Raise LastAdmin when they would leave no active admin."""
        was_admin = instance.is_active_admin
        stays_admin = validated_data.get("role", instance.role) == Account.Role.ADMIN and validated_data.get(
            "is_active", instance.is_active
        )
        if was_admin and not stays_admin:
            require_another_admin(instance.pk)
        return super().update(instance, validated_data)

    def to_representation(self, instance: Account) -> dict[str, Any]:
        representation = super().to_representation(instance)
        caller = self.context["request"].user
        if not (instance.show_email_publicly or caller == instance or caller.is_staff):
            representation["email"] = ""
        return representation


class OwnAccountSerializer(AccountSerializer):
    """The caller's account, with what the caller may do now."""

    permissions = serializers.SerializerMethodField(
        help_text="What you may do now. Empty during an impersonation. New values may be added."
    )

    @extend_schema_field({"type": "array", "items": {"type": "string", "enum": sorted(ABILITIES)}})
    def get_permissions(self, account: Account) -> list[str]:
        is_own = self.context["request"].actor_id == account.pk
        return abilities_of(account) if is_own else []
