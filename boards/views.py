from uuid import UUID

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.mixins import RetrieveModelMixin
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from boards.catalogue.reading import read_board, read_page
from boards.diagrams import diagram_of, render_svg
from boards.files.exporting import stream_file, write_file
from boards.filters import BoardFilters, BoardQuery, find_published_boards, parse_selection
from boards.models import Board
from boards.querysets import BoardQuerySet
from boards.serializers import BoardPageSerializer, BoardSerializer
from config.api.pagination import PageQuery, page_response
from config.api.schema_components import sends
from config.api.views import ApiView
from deals.bridge.files import FileFormat

PBN_FILE = {(200, "application/x-pbn"): OpenApiTypes.STR}
LIN_FILE = {(200, "application/x-lin"): OpenApiTypes.STR}
SVG_FILE = {(200, "image/svg+xml"): OpenApiTypes.STR}


@extend_schema_view(
    list=extend_schema(
        summary="List published boards",
        description="Public. Filters are combined by and. An unknown theme or account finds nothing.",
        parameters=[PageQuery, BoardQuery, sends("Link", 200)],
        responses=BoardPageSerializer,
    ),
    retrieve=extend_schema(
        summary="Read a board",
        description="Public for published boards. A draft is there for its owner and for staff only.",
    ),
)
class BoardViewSet(RetrieveModelMixin, ApiView, GenericViewSet):
    """Boards. Everybody may read the published ones. The list has no drafts; their owner and staff may read them by id.

    GET /api/boards?page&pageSize&theme&themeType&dealer&vulnerability&auctionSystem&userId&sort → 200.
    GET /api/boards/{id} → 200.
    GET /api/boards/{id}.pbn → 200, a PBN file.
    GET /api/boards/{id}.lin → 200, a LIN file. LIN cannot hold the event, site, date, scoring and auction system, nor a
    contract without its auction.
    GET /api/boards/{id}.svg → 200, the hand diagram as a picture.
    GET /api/boards.pbn with the same filters → 200, all boards found as one PBN file, streamed, without ETag.
    """

    queryset = Board.objects.none()
    serializer_class = BoardSerializer
    permission_classes = (AllowAny,)
    lookup_value_converter = "uuid"
    public_read = True

    def get_queryset(self) -> BoardQuerySet:
        if self.action == "export":
            return find_published_boards(self.request.query_params)
        return Board.objects.visible_to(self.request.user).with_details()

    def list(self, request: Request) -> Response:
        page, boards = read_page(parse_selection(request.query_params), PageQuery.parse(request.query_params))
        return page_response(request, "boards", page, boards)

    def retrieve(self, request: Request, pk: UUID) -> Response:
        """Answer with the stored text of a published board. A draft has none."""
        board = read_board(pk)
        return Response(board) if board else super().retrieve(request, pk)

    @extend_schema(
        summary="Read a board as a PBN file",
        description="The file has all that PBN can say of the board.",
        parameters=[sends("Content-Disposition", 200)],
        responses=PBN_FILE,
    )
    def pbn(self, request: Request, pk: UUID) -> Response:
        return self.file(FileFormat.PBN)

    @extend_schema(
        summary="Read a board as a LIN file",
        description="LIN cannot hold the event, site, date, scoring and auction system, nor a contract without its"
        " auction.",
        parameters=[sends("Content-Disposition", 200)],
        responses=LIN_FILE,
    )
    def lin(self, request: Request, pk: UUID) -> Response:
        return self.file(FileFormat.LIN)

    def file(self, file_format: FileFormat) -> Response:
        board = self.get_object()
        response = Response(write_file(board, file_format))
        response["Content-Disposition"] = f'attachment; filename="board-{board.pk}.{file_format}"'
        return response

    @extend_schema(
        summary="Read the hand diagram of a board as a picture",
        description="An SVG picture of the four hands, the board number, the dealer and the vulnerability.",
        responses=SVG_FILE,
    )
    def svg(self, request: Request, pk: UUID) -> Response:
        return Response(render_svg(diagram_of(self.get_object())))

    @extend_schema(
        summary="Export published boards as one PBN file",
        description="Public. All boards that the filters find, newest first, as a stream without an ETag.",
        parameters=[BoardFilters, sends("Content-Disposition", 200)],
        responses=PBN_FILE,
    )
    def export(self, request: Request) -> StreamingHttpResponse:
        response = StreamingHttpResponse(
            stream_file(self.get_queryset(), FileFormat.PBN), content_type="application/x-pbn; charset=utf-8"
        )
        response["Content-Disposition"] = 'attachment; filename="boards.pbn"'
        return response
