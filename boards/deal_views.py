"""Views under /api/deals that need boards: importing bridge files, and the boards of a deal."""

from dataclasses import asdict
from typing import Any, BinaryIO

from django.conf import settings
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.mixins import CreateModelMixin, DestroyModelMixin, ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from accounts.fields import AccountIdField
from accounts.identifiers import SYSTEM
from boards import services
from boards.files.importing import ImportReport, import_boards
from boards.files.upload_parsers import FormParser, LinParser, OctetStreamParser, PbnParser, TextParser
from boards.input_serializers import NewBoardSerializer, ThemeField
from boards.models import Board
from boards.serializers import BoardSerializer
from config.api.errors import Conflict
from config.api.schema import refusals
from config.api.serializers import QuerySerializer
from config.api.views import PatchMixin
from deals.base_views import ApiKeyView
from deals.bridge.files import FileFormat
from deals.models import Deal

FORMATS = {PbnParser.media_type: FileFormat.PBN, LinParser.media_type: FileFormat.LIN}


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
    record = serializers.IntegerField(help_text="The record's position in the file, from 1.")
    line = serializers.IntegerField()
    code = serializers.CharField()
    message = serializers.CharField()


class ImportReportSerializer(serializers.Serializer):
    created = serializers.IntegerField(help_text="The number of new deals.")
    existing = serializers.IntegerField(help_text="The number of deals that were stored already.")
    boards = serializers.IntegerField(help_text="The number of new boards.")
    failed = FailedRecordSerializer(many=True)
    dealIds = serializers.ListField(child=serializers.UUIDField())
    boardIds = serializers.ListField(child=serializers.UUIDField())


class UploadSerializer(serializers.Serializer):
    """A form with one file."""

    file = serializers.FileField()


class ImportView(ApiKeyView):
    """POST /api/deals/import?publish&theme&userId&atomic with a PBN or LIN file as the body or the only file of a form.

    application/x-pbn and application/x-lin name the format. With another type the beginning of the file decides.

    → 200 with what was created, what was stored already, and each invalid record with its line. The valid records are
    stored. With atomic=true an invalid record is a 400 with meta.failed, and nothing is stored.
    """

    parser_classes = (PbnParser, LinParser, TextParser, OctetStreamParser, FormParser)

    @extend_schema(
        parameters=[ImportQuery],
        request={
            "application/x-pbn": OpenApiTypes.BINARY,
            "application/x-lin": OpenApiTypes.BINARY,
            "application/octet-stream": OpenApiTypes.BINARY,
            "text/plain": OpenApiTypes.STR,
            "multipart/form-data": UploadSerializer,
        },
        responses={200: ImportReportSerializer, **refusals(Conflict)},
    )
    def post(self, request: Request) -> Response:
        query = ImportQuery.parse(request.query_params)
        file, media_type = get_uploaded_file(request)
        with file:
            report = import_boards(
                file=file,
                file_format=FORMATS.get(media_type),
                owner_id=query.get("userId", SYSTEM),
                themes=[query["theme"]] if "theme" in query else [],
                publish=query["publish"],
                atomic=query["atomic"],
            )
        return Response(represent_report(report))


def get_uploaded_file(request: Request) -> tuple[BinaryIO, str]:
    """Return the body, or the one file of a multipart form, and its media type."""
    data: Any = request.data
    if hasattr(data, "read"):
        return data, request.content_type.partition(";")[0].strip().lower()
    files = [file for _, files in request.FILES.lists() for file in files]
    if len(files) != 1:
        error = serializers.ErrorDetail(
            "Send one PBN or LIN file, as the body or as the only file of a form.", code="required"
        )
        raise serializers.ValidationError({"file": [error]})
    return files[0], files[0].content_type


def represent_report(report: ImportReport) -> dict[str, Any]:
    return {
        "created": report.created,
        "existing": report.existing,
        "boards": report.boards,
        "failed": [asdict(error) for error in report.failed],
        "dealIds": list(report.deal_ids),
        "boardIds": list(report.board_ids),
    }


@extend_schema_view(
    create=extend_schema(request=NewBoardSerializer, responses={201: BoardSerializer, 200: BoardSerializer}),
    list=extend_schema(responses=BoardSerializer(many=True)),
    partial_update=extend_schema(
        request=NewBoardSerializer, responses={200: BoardSerializer, **refusals(Conflict)}
    ),
)
class DealBoardViewSet(
    PatchMixin, CreateModelMixin, DestroyModelMixin, ListModelMixin, ApiKeyView, GenericViewSet
):
    """The boards that show a deal.

    GET /api/deals/{deal_id}/boards → 200, an array, drafts included, oldest first.
    POST publishes one → 201, or 200 when a board with the same fingerprint exists: the answer is that board.
    PATCH /api/deals/{deal_id}/boards/{id} → 200, or 409 when the change would make it equal to another board.
    DELETE /api/deals/{deal_id}/boards/{id} → 204.
    """

    queryset = Board.objects.none()
    serializer_class = NewBoardSerializer
    lookup_value_converter = "uuid"

    def get_queryset(self) -> QuerySet[Board]:
        boards = (
            Board.objects.filter(deal_id=self.kwargs["deal_id"]).with_details().order_by("created_at", "id")
        )
        return boards.select_for_update(of=("self",)) if self.action == "partial_update" else boards

    def represent(self, instance: Board) -> dict[str, Any]:
        return BoardSerializer(instance).data

    def list(self, request: Request, deal_id: str) -> Response:
        get_object_or_404(Deal, pk=deal_id)
        return Response(BoardSerializer(self.get_queryset(), many=True).data)

    def create(self, request: Request, deal_id: str) -> Response:
        deal = get_object_or_404(Deal, pk=deal_id)
        new = NewBoardSerializer(data=request.data, context={"layout": deal.layout})
        new.is_valid(raise_exception=True)
        board, created = services.publish_board(deal=deal, **new.validated_data)
        response = Response(
            self.represent(self.get_queryset().get(pk=board.pk)),
            status=status.HTTP_201_CREATED if created else status.HTTP_200_OK,
        )
        response["Location"] = settings.PUBLIC_BASE_URL + reverse("board-detail", args=[board.pk])
        return response

    def perform_update(self, serializer: Any) -> None:
        services.change_board(board=serializer.instance, **serializer.validated_data)
