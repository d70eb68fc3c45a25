from django.urls import path
from rest_framework.routers import SimpleRouter

from boards.views import BoardViewSet
from deals.renderers import PbnRenderer

router = SimpleRouter(trailing_slash=False, use_regex_path=False)
router.register("boards", BoardViewSet)

urlpatterns = [
    path(
        "boards.pbn",
        BoardViewSet.as_view({"get": "export"}, renderer_classes=[PbnRenderer]),
        name="board-export",
    ),
    path(
        "boards/<uuid:pk>.pbn",
        BoardViewSet.as_view({"get": "pbn"}, renderer_classes=[PbnRenderer]),
        name="board-pbn",
    ),
    *router.urls,
]
