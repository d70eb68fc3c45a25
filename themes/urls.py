from rest_framework.routers import SimpleRouter

from themes.views import ThemeViewSet

router = SimpleRouter(trailing_slash=False, use_regex_path=False)
router.register("themes", ThemeViewSet)

urlpatterns = router.urls
