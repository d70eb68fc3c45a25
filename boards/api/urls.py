from django.urls import path

from boards.api.views import BoardViewSet, LinRenderer, SvgRenderer
from boards.collections.views import CollectionBoardViewSet, CollectionViewSet
from boards.events.views import EventListView
from config.api.negotiation import ChosenByPath, JSONRenderer, NdjsonRenderer
from deals.views import FileRenderer, PbnRenderer

FILE_RENDERERS: tuple[type[FileRenderer], ...] = (PbnRenderer, LinRenderer, SvgRenderer)
"""Renderers of the files of a board. A renderer's format is the ending of the path and the name of the action."""

EXPORTS: tuple[tuple[str, type[FileRenderer], str], ...] = (
    ("export", PbnRenderer, "board-export"),
    ("export_lin", LinRenderer, "board-export-lin"),
)
"""The actions that answer with all boards that a query finds as one file."""

urlpatterns = [
    path(
        "boards",
        BoardViewSet.as_view({"get": "list"}, renderer_classes=[JSONRenderer, NdjsonRenderer]),
        name="board-list",
    ),
    path("boards/summary", BoardViewSet.as_view({"get": "summary"}), name="board-summary"),
    path("events", EventListView.as_view(), name="event-list"),
    path("boards/<any_uuid:pk>", BoardViewSet.as_view({"get": "retrieve"}), name="board-detail"),
    *(
        path(
            f"boards.{renderer.format}",
            BoardViewSet.as_view({"get": action}, renderer_classes=[renderer], content_negotiation_class=ChosenByPath),
            name=name,
        )
        for action, renderer, name in EXPORTS
    ),
    *(
        path(
            f"boards/<any_uuid:pk>.{renderer.format}",
            BoardViewSet.as_view(
                {"get": renderer.format}, renderer_classes=[renderer], content_negotiation_class=ChosenByPath
            ),
            name=f"board-{renderer.format}",
        )
        for renderer in FILE_RENDERERS
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
