from datetime import timedelta
from typing import Any

from rest_framework import serializers

from accounts.fields import AccountField
from config.api import fields
from config.api.serializers import StrictSerializer, model_string
from impersonation.models import Impersonation


class StartSerializer(StrictSerializer):
    """Whom to impersonate, why, and for how long."""

    accountId = AccountField(source="subject", help_text="The id of the account to impersonate.")
    reason = model_string(Impersonation, "reason", min_length=10, help_text="Why you need it. It is stored.")
    ticket = model_string(Impersonation, "ticket", required=False)
    ttlMinutes = fields.IntegerField(
        source="ttl",
        default=30,
        min_value=1,
        max_value=60,
        help_text="After how many minutes the impersonation ends by itself.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return {**attrs, "ttl": timedelta(minutes=attrs["ttl"])}


class StopSerializer(StrictSerializer):
    """The impersonation to stop."""

    impersonationId = fields.UUIDField(source="impersonation_id", help_text="The id from the answer that started it.")


class ImpersonationSerializer(serializers.Serializer):
    """An impersonation that is running."""

    impersonationId = serializers.UUIDField(source="id", help_text="Send it as X-Impersonation-Id.")
    actorId = serializers.CharField(source="actor_id", help_text="The account that impersonates.")
    accountId = serializers.CharField(source="subject_id", help_text="The account that is impersonated.")
    startedAt = fields.TimestampField(source="started_at", help_text="When it was started.")
    expiresAt = fields.TimestampField(source="expires_at", help_text="Never extended.")


class ActorSerializer(serializers.Serializer):
    """Who the caller is again."""

    actorId = serializers.CharField(source="actor_id", help_text="The account that impersonated.")
