from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from boards.events.counting import open_event
from boards.events.file_rankings import read_file_rankings
from boards.events.listing import read_events
from boards.events.ranking import NO_EVENT, list_fields, read_event, read_stages
from boards.events.serializers import (
    BoardEventDetailsSerializer,
    BoardEventPageSerializer,
    BoardEventSerializer,
    EventRankingSerializer,
)
from config.api.errors import NotFound
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
        operation_id="listEvents",
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


class EventView(ApiView):
    """An event: the boards that share its name, date and site. Everybody may read it.

    GET /api/events/{slug} → 200, what GET /api/events has of it, and its stages; or 404 when none of its boards is
    published.
    """

    permission_classes = (AllowAny,)
    public_read = True

    @extend_schema(
        operation_id="getEvent",
        summary="Read an event",
        description="Public. What the list of events has of it, and its stages, as the ranking has them.",
        responses=BoardEventDetailsSerializer,
    )
    def get(self, request: Request, slug: str) -> Response:
        event = read_event(slug)
        if event is None:
            raise NotFound("No board of this event is published.")
        return Response(BoardEventDetailsSerializer(event).data)


class EventRankingView(ApiView):
    """The rankings of an event. Everybody may read them.

    GET /api/events/{slug}/ranking → 200, or 404: what pairs won, by stage, by the way in which tables are compared, and
    by direction where North-South and East-West are ranked apart.
    """

    permission_classes = (AllowAny,)
    public_read = True

    @extend_schema(
        operation_id="getEventRanking",
        summary="Rank the pairs of an event",
        description=(
            "Public. The pairs of an event by what they won on its published boards: matchpoints with Neuberg's "
            "formula, cross-IMPs or Butler, as the boards say. Teams are ranked in each direction. "
            "A club's own ranking may count fewer scores in another way, or have penalties: `fileRankings` are those "
            "that came with its files."
        ),
        responses=EventRankingSerializer,
    )
    def get(self, request: Request, slug: str) -> Response:
        counted = open_event(slug)
        stages = [] if counted is None or counted.is_too_large else read_stages(slug)
        if not stages:
            raise NotFound(NO_EVENT)
        rankings = {"rankings": list_fields(stages), "file_rankings": read_file_rankings(slug, stages)}
        return Response(EventRankingSerializer(rankings).data)
