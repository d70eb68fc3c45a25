from django.urls import path
from rest_framework.routers import SimpleRouter

from boards.renderers import LinRenderer, SvgRenderer
from boards.views import BoardViewSet
from config.api.negotiation import ChosenByPath
from deals.renderers import FileRenderer, PbnRenderer

router = SimpleRouter(trailing_slash=False, use_regex_path=False)
router.register("boards", BoardViewSet)

FILE_RENDERERS: tuple[type[FileRenderer], ...] = (PbnRenderer, LinRenderer, SvgRenderer)
"""Renderers of the files of a board. A renderer's format is the ending of the path and the name of the action."""

urlpatterns = [
    *router.urls,
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
