from datetime import timedelta
from typing import Any

from rest_framework import serializers

from accounts.fields import AccountField
from config.api import fields
from config.api.serializers import StrictSerializer, model_string
from impersonation.models import Impersonation


class StartSerializer(StrictSerializer):
    accountId = AccountField(source="subject")
    reason = model_string(Impersonation, "reason", min_length=10, help_text="Why you need it. It is stored.")
    ticket = model_string(Impersonation, "ticket", required=False)
    ttlMinutes = fields.IntegerField(source="ttl", default=30, min_value=1, max_value=60)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return {**attrs, "ttl": timedelta(minutes=attrs["ttl"])}


class StopSerializer(StrictSerializer):
    impersonationId = fields.UUIDField(source="impersonation_id")


class ImpersonationSerializer(serializers.Serializer):
    impersonationId = serializers.UUIDField(source="id")
    actorId = serializers.CharField(source="actor_id")
    accountId = serializers.CharField(source="subject_id")
    startedAt = fields.TimestampField(source="started_at")
    expiresAt = fields.TimestampField(source="expires_at", help_text="Never extended.")


class ActorSerializer(serializers.Serializer):
    actorId = serializers.CharField(source="actor_id")
