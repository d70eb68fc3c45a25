from django.urls import path

from boards.api.views import BoardViewSet, LinRenderer, SvgRenderer
from boards.collections.views import CollectionBoardViewSet, CollectionViewSet
from boards.events.views import EventListView, EventRankingView, EventView
from config.api.negotiation import ChosenByPath
from config.api.routers import ApiRouter
from deals.views import PbnRenderer

FILES = (
    ("boards.pbn", "export", PbnRenderer, "board-export"),
    ("boards.lin", "export_lin", LinRenderer, "board-export-lin"),
    ("boards/<any_uuid:pk>.pbn", "pbn", PbnRenderer, "board-pbn"),
    ("boards/<any_uuid:pk>.lin", "lin", LinRenderer, "board-lin"),
    ("boards/<any_uuid:pk>.svg", "svg", SvgRenderer, "board-svg"),
)
"""The routes of files: the action that answers, its renderer, and the name."""

router = ApiRouter()
router.register("boards", BoardViewSet)
router.register("collections", CollectionViewSet)
router.register("collections/<any_uuid:pk>/boards", CollectionBoardViewSet, basename="collection-board")

urlpatterns = [
    *router.urls,
    path("events", EventListView.as_view(), name="event-list"),
    path("events/<slug:slug>", EventView.as_view(), name="event-detail"),
    path("events/<slug:slug>/ranking", EventRankingView.as_view(), name="event-ranking-list"),
    *(
        path(
            route,
            BoardViewSet.as_view({"get": action}, renderer_classes=[renderer], content_negotiation_class=ChosenByPath),
            name=name,
        )
        for route, action, renderer, name in FILES
    ),
]
