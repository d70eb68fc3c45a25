from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from config.api.errors import CursorExpired
from config.api.schema import refusals
from deals.events.feed import read_latest, read_or_wait
from deals.events.serializers import LATEST, FeedPageSerializer, FeedQuery
from deals.views import ApiKeyView


class FeedView(ApiKeyView):
    """What happened to deals, boards and collections, in order, each event at least once.

    GET /api/deals/events?after&limit&wait → 200 with the events after a cursor. With `wait` an answer without events
    comes only after so many seconds, or at once when other requests wait already: pause a second before you repeat one.
    400 for a cursor that this feed never gave; 410 cursor_expired when events after it are no longer kept.
    """

    queries = {"get": (FeedQuery,)}

    @extend_schema(
        summary="Follow what happens",
        description="Events of deals, boards and collections in the order in which they were committed, each at least"
        " once, kept for 30 days unless the operator has chosen otherwise. With `wait` an answer without events comes"
        " only after so many seconds, or at once when others wait.",
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
