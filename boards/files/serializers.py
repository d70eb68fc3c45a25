"""Serializers of the import: its query, its form and its report."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.fields import AccountIdField
from boards.input_serializers import ThemeField
from config.api.serializers import QuerySerializer


@extend_schema_field(OpenApiTypes.BOOL)
class FlagField(serializers.ChoiceField):
    """A query parameter that is true or false. No other spelling is valid."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=["true", "false"], default=False, **kwargs)

    def to_internal_value(self, data: Any) -> bool:
        return super().to_internal_value(data) == "true"


class ImportQuery(QuerySerializer):
    publish = FlagField(help_text="Publish the boards. Otherwise new boards are drafts.")
    atomic = FlagField(help_text="Import nothing when a record is not valid.")
    theme = ThemeField(required=False, help_text="The id or identifier of a theme that all the boards get.")
    userId = AccountIdField(
        required=False, help_text="The id of the account that owns the boards. Default: system."
    )


class FailedRecordSerializer(serializers.Serializer):
    """A record of the file that was left out, and why."""

    record = serializers.IntegerField(help_text="The record's position in the file, from 1.")
    line = serializers.IntegerField(help_text="The line of the file that is wrong, from 1.")
    code = serializers.CharField(help_text="What is wrong, for programs.")
    message = serializers.CharField(help_text="What is wrong, for people.")


class ImportReportSerializer(serializers.Serializer):
    """What an import has stored."""

    created = serializers.IntegerField(help_text="The number of new deals.")
    existing = serializers.IntegerField(help_text="The number of deals that were stored already.")
    boards = serializers.IntegerField(help_text="The number of new boards.")
    failed = FailedRecordSerializer(
        many=True, help_text="The records that are not valid. They were left out."
    )
    dealIds = serializers.ListField(
        child=serializers.UUIDField(), help_text="The ids of the deals, in the order of the file."
    )
    boardIds = serializers.ListField(
        child=serializers.UUIDField(), help_text="The ids of the boards, in the order of the file."
    )


class UploadSerializer(serializers.Serializer):
    """A form with one file, whichever name its field has."""

    file = serializers.FileField(required=False, help_text="The PBN or LIN file.")
