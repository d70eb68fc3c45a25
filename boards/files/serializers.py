"""Serializers of the import: its query, its form and its report."""

from typing import Any

from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

from accounts.fields import AccountIdField
from boards.files.points import MAX_DIFFERENT
from boards.files.reports import MAX_CHANGES, MAX_SKIPPED, MAX_WARNINGS
from boards.input_serializers import ThemeField
from config.api.fields import ChoiceField
from config.api.serializers import (
    UNKNOWN_FIELD,
    QuerySerializer,
    ReadSerializer,
    StrictSerializer,
    also_raising,
    shared_instance,
)

CONTRADICTION = "The query and the form give this parameter different values. Give it once."
ONE_FILE = "Send one bridge file, either as the body or in the field `file` of a form."


@extend_schema_field(OpenApiTypes.BOOL)
class FlagField(ChoiceField):
    """A parameter that is true or false, in capitals or not: Python writes True. No other spelling is valid."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=["true", "false"], default=False, **kwargs)

    def to_internal_value(self, data: Any) -> bool:
        return super().to_internal_value(data.lower()) == "true"


class ImportParameters(serializers.Serializer):
    publish = FlagField(help_text="Publish the boards. Otherwise new boards are drafts.")
    atomic = FlagField(help_text="Import nothing when a record is not valid.")
    dryRun = FlagField(help_text="Store nothing. The answer reports what an import would do.")
    strict = FlagField(help_text="Refuse each record that would otherwise be repaired or kept without a part.")
    renumbered = FlagField(
        help_text="The boards were renumbered. Do not compare dealer and vulnerability with the new numbers."
    )
    theme = ThemeField(required=False, help_text="The id or identifier of a theme that all the boards get.")
    userId = AccountIdField(required=False, help_text="The id of the account that owns the boards. Default: system.")


class ImportQuery(ImportParameters, QuerySerializer):
    """The parameters of an import, in its query or in its form."""

    @classmethod
    def parse_form(cls, query: QueryDict, form: QueryDict, files: MultiValueDict) -> dict[str, Any]:
        """Return the valid parameters of a form and its query together, by source.

        Raise ValidationError that names each parameter that is not valid or has another value in the query, each field
        that does not exist, and the file unless there is exactly one.
        """
        together, errors = query.copy(), find_form_errors(form, files)
        in_query = cls.read_stated(query)
        for name, values in cls.read_stated(form).items():
            if in_query.get(name, values) != values:
                errors[name] = [ErrorDetail(CONTRADICTION, code="contradiction")]
            together.setlist(name, values)
        with also_raising(errors):
            return cls.parse(together)

    @classmethod
    def read_stated(cls, data: QueryDict) -> dict[str, list[str]]:
        """Return the parameters that a query or a form states, without those that state a flag's default.

        Generated clients send defaults of their own accord, in the query and in the form. So a flag is true where
        either says so.
        """
        values = {name: data.getlist(name) for name in cls.names() & data.keys()}
        flags = {name for name in values if isinstance(shared_instance(cls).fields[name], FlagField)}
        stated = {name: [value.lower() for value in values[name]] for name in flags}
        return {name: value for name, value in {**values, **stated}.items() if name not in flags or value != ["false"]}


def find_form_errors(form: QueryDict, files: MultiValueDict) -> dict[str, list[ErrorDetail]]:
    """Return an error for each field that does not exist, a file under a parameter's name too, and for the file."""
    unknown = (form.keys() - ImportQuery.names() | files.keys()) - {"file"}
    errors = {name: [ErrorDetail(UNKNOWN_FIELD, code="unknown_field")] for name in unknown}
    if len(files.getlist("file")) != 1 or "file" in form:
        errors["file"] = [ErrorDetail(ONE_FILE, code="required")]
    return errors


class RecordSerializer(ReadSerializer):
    record = serializers.IntegerField(help_text="The record's position in the file, from 1.")
    board = serializers.CharField(help_text='The board\'s number as the file writes it, or "".')


class RecordRemarkSerializer(RecordSerializer):
    """What there is to say of a record of the file."""

    line = serializers.IntegerField(help_text="The line of the file that is wrong, from 1.")
    code = serializers.CharField(help_text="The problem or the repair, as a code for programs.")
    message = serializers.CharField(help_text="The problem or the repair, as a sentence for people.")


class MergedRecordSerializer(RecordSerializer):
    """A record whose board was stored already, and has got texts from it."""

    boardId = serializers.UUIDField(source="board_id", help_text="The id of the board.")


class CorrectedRecordSerializer(MergedRecordSerializer):
    """A record of a table that was stored with something else. The board keeps its id, its votes and its links."""

    old = serializers.CharField(help_text="The board's former values that changed, as a text for people.")
    new = serializers.CharField(help_text="Its present values.")


class PointsDifferenceSerializer(RecordSerializer):
    """A table of which the file has other points for North-South than the pages of this service."""

    table = serializers.CharField(help_text="The pairs, the table or the room, for people.")
    ours = serializers.CharField(help_text="North-South's points here, in the unit of the file.")
    theirs = serializers.CharField(help_text="North-South's points in the file.")


class PointsReportSerializer(ReadSerializer):
    """The points that the file gives its tables, held against those that its own records make. They are not stored."""

    compared = serializers.IntegerField(help_text="The number of tables whose points could be compared.")
    agreed = serializers.IntegerField(help_text="The number of those whose points agree.")
    different = PointsDifferenceSerializer(
        source="first_different", many=True, help_text=f"The others: the first {MAX_DIFFERENT}."
    )


class ImportReportSerializer(serializers.Serializer):
    """What an import has stored. With dryRun it is what an import would store."""

    dryRun = serializers.BooleanField(
        source="dry_run",
        help_text="true: nothing was stored. dealIds, boardIds and `merged` then name only what was stored before.",
    )
    created = serializers.IntegerField(help_text="The number of new deals.")
    existing = serializers.IntegerField(help_text="The number of deals that were stored already.")
    boards = serializers.IntegerField(help_text="The number of new boards.")
    failed = RecordRemarkSerializer(many=True, help_text="The records that were refused and left out.")
    warnings = RecordRemarkSerializer(
        many=True,
        help_text="What was repaired in records that were kept, or left out of them: the first "
        f"{MAX_WARNINGS:,} warnings.",
    )
    warningsCount = serializers.IntegerField(source="warnings_count", help_text="The number of all warnings.")
    skipped = RecordRemarkSerializer(
        many=True,
        help_text=f"Records that are not deals, such as scores in a report: the first {MAX_SKIPPED:,}.",
    )
    skippedCount = serializers.IntegerField(
        source="skipped_count", help_text="The number of all records that were skipped."
    )
    merged = MergedRecordSerializer(
        many=True,
        help_text=f"The records that added texts to boards that were stored already: the first {MAX_CHANGES:,}.",
    )
    mergedCount = serializers.IntegerField(source="merged_count", help_text="The number of all these records.")
    corrected = CorrectedRecordSerializer(
        many=True,
        help_text="The records that have corrected a table of an event that was stored already: the first "
        f"{MAX_CHANGES:,}.",
    )
    correctedCount = serializers.IntegerField(
        source="corrected_count", help_text="The number of all records that have corrected a table."
    )
    points = PointsReportSerializer(
        help_text="How the file's own points, matchpoints or IMPs, compare with those computed here."
    )
    rankings = serializers.IntegerField(
        source="rankings.count",
        help_text="The number of rankings in the file, for its events or their stages.",
    )
    dealIds = serializers.ListField(
        source="deal_ids", child=serializers.UUIDField(), help_text="The ids of the deals, in the order of the file."
    )
    boardIds = serializers.ListField(
        source="board_ids", child=serializers.UUIDField(), help_text="The ids of the boards, in the order of the file."
    )


class UploadSerializer(ImportParameters, StrictSerializer):
    """A form with one file. It may have the parameters of the query, too."""

    file = serializers.FileField(help_text="The bridge file: PBN, LIN, a ZIP of them, and others.")
