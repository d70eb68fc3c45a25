"""The views under /api/boards, and those of the boards of a deal under /api/deals."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from drf_spectacular.helpers import forced_singular_serializer
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.permissions import AllowAny
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from boards.api.practice import BoardPracticeSerializer, represent_practice
from boards.catalogue.answers import LIST_QUERIES, answer_list, stream_list, voter_of
from boards.catalogue.chosen_fields import BoardFieldsQuery, choose_fields, parse_fields
from boards.catalogue.reading import Search, read_board, represent_boards
from boards.catalogue.summaries import SummaryQuery, SummarySerializer, represent_summary, summarize
from boards.drawing.svg_diagrams import SVG_POLICY, render_svg
from boards.events.reading import EVENT
from boards.files.exporting import stream_file, write_file
from boards.input_serializers import BoardChangesSerializer, NewBoardSerializer
from boards.models import Board
from boards.querysets import BoardQuerySet
from boards.records import diagram_of
from boards.searching.parameters import COLLECTION, ApiFilters, parse_list, parse_selection
from boards.serializers import BoardPageSerializer, BoardSerializer
from boards.services.boards import change_board, publish_board
from boards.services.stories import lock_tables
from bridge.formats.files import FileFormat
from config.api.errors import Conflict, PermissionRefused
from config.api.negotiation import JSONRenderer, NdjsonRenderer
from config.api.schema import refusals
from config.api.schema_components import sends
from config.api.views import PRIVATE, ApiView, DeleteMixin, PatchMixin, require_body, stored_response
from config.database.transactions import retried_transaction
from config.edge.limits.dear_reads import keep_permit
from config.edge.limits.exports import stream
from deals.models import Deal
from deals.views import ApiKeyView, FileRenderer, PbnRenderer


class LinRenderer(FileRenderer):
    media_type = "application/x-lin"
    format = "lin"


class SvgRenderer(FileRenderer):
    media_type = "image/svg+xml"
    format = "svg"


PBN_FILE = {(200, "application/x-pbn"): OpenApiTypes.BINARY}
LIN_FILE = {(200, "application/x-lin"): OpenApiTypes.BINARY}
SVG_FILE = {(200, "image/svg+xml"): OpenApiTypes.BINARY}


@extend_schema_view(
    list=extend_schema(
        operation_id="listBoards",
        summary="List boards",
        description="Public for published boards. A board must match all filters. An unknown theme, event, account or"
        " collection matches nothing. With `published=false` the list has drafts: members see their own,"
        " staff see all.",
        parameters=[sends("Link", 200)],
        responses={
            (200, JSONRenderer.media_type): BoardPageSerializer,
            (200, NdjsonRenderer.media_type): forced_singular_serializer(BoardSerializer),
            **refusals(PermissionRefused),
        },
    ),
    retrieve=extend_schema(
        operation_id="getBoard",
        summary="Read a board",
        description="Public for published boards. Only its owner and staff can read a draft.",
    ),
)
class BoardViewSet(ApiView, GenericViewSet):
    """Boards. Everybody may read the published ones. Drafts are for their owner and for staff.

    GET /api/boards?page&pageSize&sort&fields with the filters of boards.searching.filters → 200.
    GET /api/boards?after=… with pagination.nextCursor of an earlier answer, instead of a page.
    GET /api/boards?ids=…&collection=… → 200, those of these boards that are there. ids has all of them on a page.
    GET /api/boards with Accept: application/x-ndjson → 200, all boards found, streamed, one a line, without ETag.
    GET /api/boards?published=false&userId=me → 200, drafts, with the same parameters. 401 without a token, and 403 for
    a member who does not ask for userId=me.
    GET /api/boards/summary?by=contract,result with the same filters → 200, how many boards found have which values.
    GET /api/boards/{id} → 200.
    GET /api/boards/{id}/practice → 200, whom practice asks, and what the field did at each decision.
    GET /api/boards/{id}.pbn → 200, a PBN file.
    GET /api/boards/{id}.lin → 200, a LIN file. LIN has no place for most texts, such as the event,
    nor for the auction system and a contract without its auction.
    GET /api/boards/{id}.svg → 200, the hand diagram as a picture.
    GET /api/boards.pbn, /api/boards.lin with the same filters → 200, all boards found as one file, streamed, without
    ETag. The boards of an event are in the order of their numbers.
    """

    queryset = Board.objects.none()
    serializer_class = BoardSerializer
    permission_classes = (AllowAny,)
    lookup_value_converter = "any_uuid"
    public_read = True
    queries = {
        "list": LIST_QUERIES,
        "summary": (SummaryQuery,),
        "export": (ApiFilters,),
        "export_lin": (ApiFilters,),
    }

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Let no cache keep what a collection has: it may be one by link, which its owner may take back."""
        if COLLECTION in request.query_params:
            response.setdefault("Cache-Control", PRIVATE)
        return super().finalize_response(request, response, *args, **kwargs)

    def get_renderers(self) -> list[BaseRenderer]:
        """Offer the list as a stream too."""
        renderers: list[BaseRenderer] = super().get_renderers()
        return [*renderers, NdjsonRenderer()] if self.action == "list" else renderers

    @property
    def default_response_headers(self) -> dict[str, str]:
        headers: dict[str, str] = super().default_response_headers
        return {**headers, "Vary": "Accept"} if self.action == "list" else headers

    def get_queryset(self) -> BoardQuerySet:
        return Board.objects.visible_to(self.request.user).with_details()

    def list(self, request: Request) -> Response | StreamingHttpResponse:
        if request.accepted_renderer.format == NdjsonRenderer.format:
            lines = stream_list(request.query_params, request.user)
            return stream(request, "boards", lines, NdjsonRenderer.media_type)
        search = Search(parse_list(request.query_params, request.user), keep_permit)
        body, link = answer_list(request.path, request.query_params, search, voter_of(request.user))
        return Response(body, headers={"Link": link})

    @extend_schema(
        operation_id="summarizeBoards",
        summary="Count published boards by contract, result and more",
        description="Public. Exact counts of the boards that the filters find, by the values of one dimension or two:"
        " how often each contract was bid, and with which result.",
        responses=SummarySerializer,
    )
    @action(detail=False)
    def summary(self, request: Request) -> Response:
        with keep_permit():
            summary = summarize(request.query_params, request.user)
        return Response(represent_summary(summary))

    def retrieve(self, request: Request, pk: UUID) -> Response:
        """Answer with the stored JSON of a published board. A draft has none."""
        voter = voter_of(request.user)
        board = read_board(pk, voter) or represent_boards([self.get_object()], voter)[0]
        return Response(board)

    @extend_schema(
        operation_id="getBoardAsPbn",
        summary="Read a board as a PBN file",
        description="The file has all that PBN can say of the board.",
        parameters=[sends("Content-Disposition", 200)],
        responses=PBN_FILE,
    )
    def pbn(self, request: Request, pk: UUID) -> Response:
        return self.file(FileFormat.PBN)

    @extend_schema(
        operation_id="getBoardAsLin",
        summary="Read a board as a LIN file",
        description="LIN has no place for most texts, such as the event, nor for the auction system and a contract"
        " without its auction.",
        parameters=[sends("Content-Disposition", 200)],
        responses=LIN_FILE,
    )
    def lin(self, request: Request, pk: UUID) -> Response:
        return self.file(FileFormat.LIN)

    @extend_schema(
        operation_id="getBoardPractice",
        summary="Read which seat practice asks at a board, and what the field did",
        description="Which seat has a decision, after how many calls, and all decisions of the auction, each with"
        " what other tables of the event did after the same calls. It gives the auction away.",
        responses=BoardPracticeSerializer,
    )
    @action(detail=True)
    def practice(self, request: Request, pk: UUID) -> Response:
        return Response(represent_practice(self.get_object()))

    def file(self, file_format: FileFormat) -> Response:
        board = self.get_object()
        response = Response(write_file(board, file_format))
        response["Content-Disposition"] = f'attachment; filename="board-{board.pk}.{file_format}"'
        return response

    @extend_schema(
        operation_id="getBoardAsSvg",
        summary="Read the hand diagram of a board as a picture",
        description="An SVG picture of the four hands, the board number, the dealer and the vulnerability.",
        responses=SVG_FILE,
    )
    def svg(self, request: Request, pk: UUID) -> Response:
        picture = render_svg(diagram_of(self.get_object()))
        return Response(picture, headers={"Content-Security-Policy": SVG_POLICY})

    @extend_schema(
        operation_id="exportBoardsAsPbn",
        summary="Export published boards as one PBN file",
        description="Public. All boards that the filters find, newest first, or in the order of their numbers with the"
        " filter event, as a stream without an ETag.",
        parameters=[sends("Content-Disposition", 200)],
        responses=PBN_FILE,
    )
    def export(self, request: Request) -> StreamingHttpResponse:
        return self.export_file(FileFormat.PBN, PbnRenderer)

    @extend_schema(
        operation_id="exportBoardsAsLin",
        summary="Export published boards as one LIN file",
        description="Public. All boards that the filters find, one a line, in the order of the PBN file. LIN has"
        " no place for most texts, such as the event, nor for the auction system and a contract without its auction.",
        parameters=[sends("Content-Disposition", 200)],
        responses=LIN_FILE,
    )
    def export_lin(self, request: Request) -> StreamingHttpResponse:
        return self.export_file(FileFormat.LIN, LinRenderer)

    def export_file(self, file_format: FileFormat, renderer: type[FileRenderer]) -> StreamingHttpResponse:
        """Stream the boards that the query finds. Those of one event are in the order of their numbers."""
        selection = parse_selection(self.request.query_params, ApiFilters).for_caller(self.request.user)
        slug = selection.filters.get(EVENT)
        chunks = stream_file(selection, file_format)
        content_type = f"{renderer.media_type}; charset={renderer.charset}"
        response = stream(self.request, "boards", chunks, content_type)
        response["Content-Disposition"] = f'attachment; filename="{slug or "boards"}.{file_format}"'
        return response


@extend_schema_view(
    create=extend_schema(
        operation_id="publishBoard",
        summary="Publish a board of a deal",
        description="If a board with the same contents exists already, the answer is a 200 with that board.",
        parameters=[sends("Location", 200, 201)],
        request=NewBoardSerializer,
        responses={201: BoardSerializer, 200: BoardSerializer},
    ),
    list=extend_schema(
        operation_id="listDealBoards",
        summary="List the boards of a deal",
        description="All boards that show the deal, drafts included, oldest first.",
        responses=BoardSerializer(many=True),
    ),
    partial_update=extend_schema(
        operation_id="updateBoard",
        summary="Change a board of a deal",
        description="Fields that you do not send stay unchanged.",
        request=BoardChangesSerializer,
        responses={200: BoardSerializer, **refusals(Conflict)},
    ),
    retrieve=extend_schema(
        operation_id="getDealBoard",
        summary="Read a board of a deal",
        description="A draft too, with the ETag that a change expects in If-Match.",
        responses=BoardSerializer,
    ),
    destroy=extend_schema(
        operation_id="deleteBoard",
        summary="Delete a board of a deal",
        description="Its votes go with it. The deal stays.",
        responses={204: None},
    ),
)
class DealBoardViewSet(PatchMixin, DeleteMixin, ApiKeyView, GenericViewSet):
    """The boards that show a deal.

    GET /api/deals/{deal_id}/boards?fields → 200, an array, drafts included, oldest first.
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
    queries = {"list": (BoardFieldsQuery,)}

    def get_queryset(self) -> QuerySet[Board]:
        boards = Board.objects.filter(deal_id=self.kwargs["deal_id"]).with_details().order_by("created_at", "id")
        if self.action in ("partial_update", "destroy"):
            return boards.select_for_update(of=("self",))
        return boards

    def get_object(self) -> Board:
        """Lock the other tables of the deal with a board that is changed: they may get its story."""
        if self.action == "partial_update":
            lock_tables(self.kwargs["pk"], deal=self.kwargs["deal_id"])
        board: Board = super().get_object()
        return board

    def represent(self, instance: Board) -> dict[str, Any]:
        return BoardSerializer(instance).data

    def list(self, request: Request, deal_id: UUID) -> Response:
        get_object_or_404(Deal, pk=deal_id)
        fields = parse_fields(request.query_params)
        boards = BoardSerializer(self.get_queryset(), many=True).data
        return Response(choose_fields([*boards], fields))

    def retrieve(self, request: Request, deal_id: UUID, pk: UUID) -> Response:
        return Response(self.represent(self.get_object()))

    def create(self, request: Request, deal_id: UUID) -> Response:
        require_body(request)
        deal = get_object_or_404(Deal, pk=deal_id)
        new = NewBoardSerializer(data=request.data, context={"layout": deal.layout})
        new.is_valid(raise_exception=True)
        return self.publish_new(deal, new.validated_data)

    @retried_transaction
    def publish_new(self, deal: Deal, arguments: dict[str, Any]) -> Response:
        """Publish the board, and read the answer in the same transaction, before anybody can delete the board."""
        board, created = publish_board(deal=deal, **arguments)
        body = self.represent(self.get_queryset().get(pk=board.pk))
        return stored_response(body, created=created, route="board-detail", key=board.pk)

    def perform_update(self, serializer: Any) -> None:
        serializer.instance = change_board(board=serializer.instance, **serializer.validated_data)
