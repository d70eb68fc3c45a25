from django.urls import path

from boards.api.views import BoardViewSet, LinRenderer, SvgRenderer
from boards.collections.views import CollectionBoardViewSet, CollectionViewSet
from boards.events.views import EventListView, EventRankingView
from config.api.negotiation import ChosenByPath, JSONRenderer, NdjsonRenderer
from deals.views import PbnRenderer

FILES = (
    ("boards.pbn", "export", PbnRenderer, "board-export"),
    ("boards.lin", "export_lin", LinRenderer, "board-export-lin"),
    ("boards/<any_uuid:pk>.pbn", "pbn", PbnRenderer, "board-pbn"),
    ("boards/<any_uuid:pk>.lin", "lin", LinRenderer, "board-lin"),
    ("boards/<any_uuid:pk>.svg", "svg", SvgRenderer, "board-svg"),
)
"""The routes of files: the action that answers, its renderer, and the name."""

urlpatterns = [
    path(
        "boards",
        BoardViewSet.as_view({"get": "list"}, renderer_classes=[JSONRenderer, NdjsonRenderer]),
        name="board-list",
    ),
    path("boards/summary", BoardViewSet.as_view({"get": "summary"}), name="board-summary"),
    path("events", EventListView.as_view(), name="event-list"),
    path("events/<slug:slug>/ranking", EventRankingView.as_view(), name="event-ranking-list"),
    path("boards/<any_uuid:pk>", BoardViewSet.as_view({"get": "retrieve"}), name="board-detail"),
    path("boards/<any_uuid:pk>/practice", BoardViewSet.as_view({"get": "practice"}), name="board-practice"),
    *(
        path(
            route,
            BoardViewSet.as_view({"get": action}, renderer_classes=[renderer], content_negotiation_class=ChosenByPath),
            name=name,
        )
        for route, action, renderer, name in FILES
    ),
    path("collections", CollectionViewSet.as_view({"get": "list", "post": "create"}), name="collection-list"),
    path(
        "collections/<any_uuid:pk>",
        CollectionViewSet.as_view({"get": "retrieve", "patch": "partial_update", "delete": "destroy"}),
        name="collection-detail",
    ),
    path(
        "collections/<any_uuid:pk>/boards/<any_uuid:board_id>",
        CollectionBoardViewSet.as_view({"put": "update", "delete": "destroy"}),
        name="collection-board",
    ),
]
