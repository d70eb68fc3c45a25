from django.urls import path

from config.api.negotiation import ChosenByPath
from config.api.routers import ApiRouter
from deals.views import DealViewSet, FeedView, FormerFeedView, PbnRenderer

router = ApiRouter()
router.register("deals", DealViewSet)

urlpatterns = [
    path("deals/feed", FeedView.as_view(), name="deal-feed-list"),
    path("deals/events", FormerFeedView.as_view(), name="deal-event-list"),
    path(
        "deals/<any_uuid:pk>.pbn",
        DealViewSet.as_view({"get": "pbn"}, renderer_classes=[PbnRenderer], content_negotiation_class=ChosenByPath),
        name="deal-pbn",
    ),
    *router.urls,
]
