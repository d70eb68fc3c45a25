from config.api.routers import ApiRouter
from impersonation.views import ImpersonationViewSet

router = ApiRouter()
router.register("impersonation", ImpersonationViewSet, basename="impersonation")

urlpatterns = router.urls
