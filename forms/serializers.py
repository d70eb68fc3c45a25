from rest_framework import serializers

from config.api import fields


class SubmissionSerializer(serializers.Serializer):
    id = serializers.UUIDField()
    form = serializers.CharField()
    createdAt = fields.TimestampField(source="created_at")


class FormSerializer(serializers.Serializer):
    name = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField()
    url = serializers.CharField(help_text="Where to POST it.")
    schema = serializers.DictField(help_text="JSON Schema of the body.")
