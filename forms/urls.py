from config.api.routers import ApiRouter
from forms.views import FormViewSet

router = ApiRouter()
router.register("forms", FormViewSet, basename="form")

urlpatterns = router.urls
