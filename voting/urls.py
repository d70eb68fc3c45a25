from config.api.routers import ApiRouter
from voting.views import VotingViewSet

router = ApiRouter()
router.register("voting", VotingViewSet, basename="voting")

urlpatterns = router.urls
