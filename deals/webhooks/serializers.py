from rest_framework import serializers

from config.api import fields
from config.api.serializers import ReadSerializer
from deals.events.serializers import EventDataSerializer
from deals.models import FeedEvent


class WebhookSerializer(ReadSerializer):
    """An event of the feed as a webhook: named and ordered as Standard Webhooks asks for."""

    type = serializers.ChoiceField(choices=FeedEvent.Type.choices)
    timestamp = fields.TimestampField(source="created_at", help_text="When it happened.")
    id = serializers.CharField(source="cursor", help_text="The id of the event, as in the header webhook-id.")
    data = EventDataSerializer(source="*")  # type: ignore[assignment]  # the wire's name, not what is parsed
