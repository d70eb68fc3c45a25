from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from boards.events.listing import read_events
from boards.events.serializers import BoardEventPageSerializer, BoardEventSerializer
from config.api.pagination import PageQuery, link_header
from config.api.schema_components import sends
from config.api.views import ApiView


class EventListView(ApiView):
    """Events: the boards that share an event, a date and a site. Everybody may read them.

    GET /api/events?page&pageSize → 200, the latest first; those without a date come last. An event is there as long as
    one of its boards is published.
    """

    permission_classes = (AllowAny,)
    public_read = True
    queries = {"get": (PageQuery,)}

    @extend_schema(
        summary="List events",
        description="Public. The events of the published boards, the latest first; those without a date come last.",
        parameters=[sends("Link", 200)],
        responses=BoardEventPageSerializer,
    )
    def get(self, request: Request) -> Response:
        page, events = read_events(PageQuery.parse(request.query_params))
        body = {"events": BoardEventSerializer(events, many=True).data, "pagination": page.represent()}
        link = link_header(request.path, request.query_params, PageQuery, page)
        return Response(body, headers={"Link": link})
