from django.urls import path
from rest_framework.routers import SimpleRouter

from config.api.negotiation import ChosenByPath
from deals.views import DealViewSet, FeedView, PbnRenderer

router = SimpleRouter(trailing_slash=False, use_regex_path=False)
router.register("deals", DealViewSet)

urlpatterns = [
    path("deals/events", FeedView.as_view(), name="deal-event-list"),
    path(
        "deals/<any_uuid:pk>.pbn",
        DealViewSet.as_view({"get": "pbn"}, renderer_classes=[PbnRenderer], content_negotiation_class=ChosenByPath),
        name="deal-pbn",
    ),
    *router.urls,
]
