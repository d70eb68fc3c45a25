from django.urls import path

from boards.api.views import DealBoardViewSet
from boards.files.views import ImportView
from config.api.routers import ApiRouter

router = ApiRouter()
router.register("<any_uuid:deal_id>/boards", DealBoardViewSet, basename="deal-board")

urlpatterns = [path("import", ImportView.as_view(), name="deal-import"), *router.urls]
