"""What services ask of deals: the views under /api/deals, their base class and renderers."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema, extend_schema_view
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.mixins import RetrieveModelMixin
from rest_framework.permissions import BasePermission
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import GenericViewSet

from config.api.errors import CursorExpired, DealInUse
from config.api.pagination import Cursor, CursorPage, CursorPageQuery, Page, cursor_list, read_page
from config.api.schema import NO_FIELDS, refusals
from config.api.schema_components import sends
from config.api.serializers import StrictSerializer
from config.api.views import ApiView, DeleteMixin, PatchMixin, stored_response
from deals import services
from deals.authentication import SERVICE, ApiKeyAuthentication
from deals.events.feed import read_latest, read_or_wait
from deals.events.serializers import LATEST, FeedPageSerializer, FeedQuery
from deals.exporting import export_pbn
from deals.models import Deal
from deals.serializers import (
    DealByCardsSerializer,
    DealByHandsSerializer,
    DealPageSerializer,
    DealPatchSerializer,
    DealQuery,
    DealSerializer,
    NewDealSerializer,
)


class HasApiKey(BasePermission):
    message = "Deals are for services with the API key."

    def has_permission(self, request: Request, view: APIView) -> bool:
        return request.auth == SERVICE


class ApiKeyView(ApiView):
    """A view for services that have the API key. Browsers have no use for it, so CORS never allows an origin."""

    authentication_classes = (ApiKeyAuthentication,)
    permission_classes = (HasApiKey,)
    vary = ("X-API-Key",)


CURSOR_LETTER = "c"
"""The letter of this list in cursors. Those of boards have others."""


@extend_schema_view(
    list=extend_schema(
        operation_id="listDeals",
        summary="List deals",
        description="Newest first.",
        parameters=[sends("Link", 200)],
        responses=DealPageSerializer,
    ),
    create=extend_schema(
        operation_id="createDeal",
        summary="Register a deal",
        description="If these 52 cards are stored already, the answer is a 200 with the stored deal.",
        parameters=[sends("Location", 200, 201)],
        request=PolymorphicProxySerializer(
            "NewDeal", [DealByCardsSerializer, DealByHandsSerializer], resource_type_field_name=None
        ),
        responses={201: DealSerializer, 200: DealSerializer},
    ),
    retrieve=extend_schema(
        operation_id="getDeal",
        summary="Read a deal",
        description="The cards, and the double-dummy table once it is computed.",
    ),
    partial_update=extend_schema(
        operation_id="updateDeal",
        summary="Change the source of a deal",
        description="Only the source can change: other cards would be another deal.",
        request=DealPatchSerializer,
        responses=DealSerializer,
    ),
    destroy=extend_schema(
        operation_id="deleteDeal",
        summary="Delete a deal",
        description="A deal that a board shows cannot be deleted.",
        responses={204: None, **refusals(DealInUse)},
    ),
)
class DealViewSet(PatchMixin, DeleteMixin, RetrieveModelMixin, ApiKeyView, GenericViewSet):
    """Deals, from server to server.

    GET /api/deals?page&pageSize&source → 200, newest first. With after=… of pagination.nextCursor instead of a page.
    POST /api/deals {cards | hands, source?} → 201 with Location, or 200 with the deal that has these 52 cards already.
    GET /api/deals/{id} → 200. PATCH {source} → 200. DELETE → 204, or 409 deal_in_use while a board shows the deal.
    PATCH and DELETE honour If-Match. The answer to a POST has the ETag that GET answers.
    POST /api/deals/{id}/double-dummy → 202: the worker will compute the table before others, unless it is known.
    GET /api/deals/{id}.pbn → 200 with a PBN file of the deal alone.
    """

    queryset = Deal.objects.none()
    serializer_class = DealSerializer
    etag_methods = ApiKeyView.etag_methods | {"POST"}
    queries = {"list": (CursorPageQuery, DealQuery)}
    lookup_value_converter = "any_uuid"

    def get_queryset(self) -> QuerySet[Deal]:
        deals = Deal.objects.all()
        return deals.select_for_update() if self.action in ("partial_update", "destroy") else deals

    def get_serializer_class(self) -> type:
        return DealPatchSerializer if self.action == "partial_update" else DealSerializer

    def represent(self, instance: Deal) -> dict[str, Any]:
        return DealSerializer(instance).data

    def list(self, request: Request) -> Response:
        parameters = request.query_params
        query = CursorPageQuery.parse_for(parameters, CURSOR_LETTER)
        deals = Deal.objects.newest_first().from_source(DealQuery.parse(parameters).get("source", ""))
        page: Page | CursorPage
        if after := query.get("after"):
            size = query["pageSize"]
            found = deals.read_after(after.moment, after.id, size + 1)
            page, found = CursorPage(size, deals.count(), len(found) > size), found[:size]
        else:
            page, found = read_page(deals, query)
        next_cursor = None
        if found and page.has_more:
            next_cursor = Cursor(CURSOR_LETTER, found[-1].created_at, found[-1].pk).encode()
        pagination, link = cursor_list(page, next_cursor, request.path, parameters, DealQuery)
        body = {"deals": DealSerializer(found, many=True).data, "pagination": pagination}
        return Response(body, headers={"Link": link})

    def create(self, request: Request) -> Response:
        new = NewDealSerializer(data=request.data)
        new.is_valid(raise_exception=True)
        deal, created = services.register_deal(**new.validated_data)
        return stored_response(self.represent(deal), created=created, route="deal-detail", key=deal.pk)

    def perform_destroy(self, instance: Deal) -> None:
        services.delete_deal(deal=instance)

    @extend_schema(
        operation_id="requestDoubleDummy",
        summary="Request the double-dummy table of a deal",
        description="The worker will compute it before those of imported files, unless it is known. Send an empty"
        " object, or no body.",
        request={"application/json": NO_FIELDS},
        responses={202: DealSerializer},
    )
    @action(detail=True, methods=["post"], url_path="double-dummy")
    def double_dummy(self, request: Request, pk: UUID) -> Response:
        deal = self.get_object()
        StrictSerializer(data=request.data).is_valid(raise_exception=True)
        services.request_double_dummy(deal=deal)
        return Response(self.represent(deal), status=status.HTTP_202_ACCEPTED)

    @extend_schema(
        operation_id="getDealAsPbn",
        summary="Read a deal as a PBN file",
        description="The file has the four hands and no auction.",
        parameters=[sends("Content-Disposition", 200)],
        responses={(200, "application/x-pbn"): OpenApiTypes.BINARY},
    )
    def pbn(self, request: Request, pk: UUID) -> Response:
        response = Response(export_pbn(self.get_object()))
        response["Content-Disposition"] = f'attachment; filename="deal-{pk}.pbn"'
        return response


class FileRenderer(BaseRenderer):
    """Encode a text that is a complete file, or answer with an empty body when there is none."""

    charset = "utf-8"

    def render(self, data: str | None, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        return b"" if data is None else data.encode(self.charset)


class PbnRenderer(FileRenderer):
    media_type = "application/x-pbn"
    format = "pbn"


class FeedView(ApiKeyView):
    """What happened to deals, boards and collections, in order, each event at least once.

    GET /api/deals/feed?after&limit&wait → 200 with the events after a cursor. With `wait` the answer waits up to that
    many seconds for an event, but comes at once when too many others wait: pause a second before you repeat the
    request. 400 for a cursor that this feed never gave; 410 cursor_expired when events after it are no longer kept.
    """

    queries = {"get": (FeedQuery,)}

    @extend_schema(
        operation_id="getDealFeed",
        summary="Follow the events",
        description="Events of deals, boards and collections in the order in which they were committed, each at least"
        " once, kept for 30 days unless the operator chose another period. With `wait` the answer waits"
        " up to that many seconds for an event, unless too many others wait.",
        responses={200: FeedPageSerializer, **refusals(CursorExpired)},
    )
    def get(self, request: Request) -> Response:
        query = FeedQuery.parse(request.query_params)
        after = query.get("after")
        if after == LATEST:
            page = read_latest()
        else:
            page = read_or_wait(after=after, limit=query["limit"], seconds=query["wait"])
        return Response(FeedPageSerializer(page).data)


@extend_schema_view(
    get=extend_schema(
        operation_id="getDealFeedAtFormerAddress",
        summary="Follow the events, at an older address",
        description="The same as /api/deals/feed, which is the address to use. This one stays.",
    )
)
class FormerFeedView(FeedView):
    """The feed at the address that it had before evenings were called events: GET /api/deals/events."""
