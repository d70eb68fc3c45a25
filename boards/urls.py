from django.urls import path

from boards.renderers import LinRenderer, SvgRenderer
from boards.views import BoardViewSet
from config.api.negotiation import ChosenByPath
from config.api.renderers import JSONRenderer, NdjsonRenderer
from deals.renderers import FileRenderer, PbnRenderer

FILE_RENDERERS: tuple[type[FileRenderer], ...] = (PbnRenderer, LinRenderer, SvgRenderer)
"""Renderers of the files of a board. A renderer's format is the ending of the path and the name of the action."""

urlpatterns = [
    path(
        "boards",
        BoardViewSet.as_view({"get": "list"}, renderer_classes=[JSONRenderer, NdjsonRenderer]),
        name="board-list",
    ),
    path("boards/<any_uuid:pk>", BoardViewSet.as_view({"get": "retrieve"}), name="board-detail"),
    path(
        "boards.pbn",
        BoardViewSet.as_view(
            {"get": "export"}, renderer_classes=[PbnRenderer], content_negotiation_class=ChosenByPath
        ),
        name="board-export",
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
]
