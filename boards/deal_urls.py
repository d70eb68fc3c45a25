from django.urls import path

from boards.deal_views import DealBoardViewSet
from boards.files.views import ImportView

urlpatterns = [
    path("import", ImportView.as_view(), name="deal-import"),
    path(
        "<uuid:deal_id>/boards",
        DealBoardViewSet.as_view({"get": "list", "post": "create"}),
        name="deal-board-list",
    ),
    path(
        "<uuid:deal_id>/boards/<uuid:pk>",
        DealBoardViewSet.as_view({"get": "retrieve", "patch": "partial_update", "delete": "destroy"}),
        name="deal-board-detail",
    ),
]
