from django.urls import register_converter

from accounts.identifiers import AccountIdConverter
from accounts.views import AccountViewSet, AuctionSystemViewSet
from config.api.routers import ApiRouter

register_converter(AccountIdConverter, "account_id")

router = ApiRouter()
router.register("accounts", AccountViewSet)
router.register("auction-systems", AuctionSystemViewSet)

urlpatterns = router.urls
