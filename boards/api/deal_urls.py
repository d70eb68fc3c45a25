from django.urls import path

from boards.api.views import DealBoardViewSet
from boards.files.views import ImportView

urlpatterns = [
    path("import", ImportView.as_view(), name="deal-import"),
    path(
        "<any_uuid:deal_id>/boards", DealBoardViewSet.as_view({"get": "list", "post": "create"}), name="deal-board-list"
    ),
    path(
        "<any_uuid:deal_id>/boards/<any_uuid:pk>",
        DealBoardViewSet.as_view({"get": "retrieve", "patch": "partial_update", "delete": "destroy"}),
        name="deal-board-detail",
    ),
]
