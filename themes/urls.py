from config.api.routers import ApiRouter
from themes.views import ThemeViewSet

router = ApiRouter()
router.register("themes", ThemeViewSet)

urlpatterns = router.urls
