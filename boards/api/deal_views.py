"""The boards of a deal, under /api/deals."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from boards.catalogue.serializers import BoardSerializer
from boards.input_serializers import BoardChangesSerializer, NewBoardSerializer
from boards.models import Board
from boards.services.boards import change_board, publish_board
from config.api.errors import Conflict
from config.api.schema import refusals
from config.api.schema_components import sends
from config.api.views import DeleteMixin, PatchMixin, require_body
from config.database.transactions import retry_conflicts
from deals.models import Deal
from deals.views import ApiKeyView


@extend_schema_view(
    create=extend_schema(
        summary="Publish a board of a deal",
        description="The answer is a 200 with the stored board when there is one with the same contents already.",
        parameters=[sends("Location", 200, 201)],
        request=NewBoardSerializer,
        responses={201: BoardSerializer, 200: BoardSerializer},
    ),
    list=extend_schema(
        summary="List the boards of a deal",
        description="All boards that show the deal, drafts included, oldest first.",
        responses=BoardSerializer(many=True),
    ),
    partial_update=extend_schema(
        summary="Change a board of a deal",
        description="Fields that are not sent stay as they are.",
        request=BoardChangesSerializer,
        responses={200: BoardSerializer, **refusals(Conflict)},
    ),
    retrieve=extend_schema(
        summary="Read a board of a deal",
        description="A draft too, with the ETag that a change expects in If-Match.",
        responses=BoardSerializer,
    ),
    destroy=extend_schema(
        summary="Delete a board of a deal", description="Its votes go with it. The deal stays.", responses={204: None}
    ),
)
class DealBoardViewSet(PatchMixin, DeleteMixin, ApiKeyView, GenericViewSet):
    """The boards that show a deal.

    GET /api/deals/{deal_id}/boards → 200, an array, drafts included, oldest first.
    POST publishes one → 201, or 200 when a board with the same fingerprint exists: the answer is that board.
    GET /api/deals/{deal_id}/boards/{id} → 200, a draft too, with the ETag that PATCH expects in If-Match.
    PATCH /api/deals/{deal_id}/boards/{id} → 200, or 409 when the change would make it equal to another board.
    {"published": true} publishes a draft, and false makes a draft of a published board, whose votes stay.
    DELETE /api/deals/{deal_id}/boards/{id} → 204. It honours If-Match, as PATCH does.
    The answers to POST and PATCH have the ETag that GET answers.
    """

    queryset = Board.objects.none()
    serializer_class = BoardChangesSerializer
    etag_methods = ApiKeyView.etag_methods | {"POST"}
    lookup_value_converter = "any_uuid"

    def get_queryset(self) -> QuerySet[Board]:
        boards = Board.objects.filter(deal_id=self.kwargs["deal_id"]).with_details().order_by("created_at", "id")
        if self.action in ("partial_update", "destroy"):
            return boards.select_for_update(of=("self",))
        return boards

    def represent(self, instance: Board) -> dict[str, Any]:
        return BoardSerializer(instance).data

    def list(self, request: Request, deal_id: UUID) -> Response:
        get_object_or_404(Deal, pk=deal_id)
        return Response(BoardSerializer(self.get_queryset(), many=True).data)

    def retrieve(self, request: Request, deal_id: UUID, pk: UUID) -> Response:
        return Response(self.represent(self.get_object()))

    def create(self, request: Request, deal_id: UUID) -> Response:
        require_body(request)
        deal = get_object_or_404(Deal, pk=deal_id)
        new = NewBoardSerializer(data=request.data, context={"layout": deal.layout})
        new.is_valid(raise_exception=True)
        return self.publish_new(deal, new.validated_data)

    @retry_conflicts
    @transaction.atomic
    def publish_new(self, deal: Deal, arguments: dict[str, Any]) -> Response:
        """Publish the board, and read the answer in the same transaction, before anybody can delete the board."""
        board, created = publish_board(deal=deal, **arguments)
        response = Response(
            self.represent(self.get_queryset().get(pk=board.pk)),
            status=status.HTTP_201_CREATED if created else status.HTTP_200_OK,
        )
        response["Location"] = settings.PUBLIC_BASE_URL + reverse("board-detail", args=[board.pk])
        return response

    def perform_update(self, serializer: Any) -> None:
        serializer.instance = change_board(board=serializer.instance, **serializer.validated_data)
