from django.urls import register_converter
from rest_framework.routers import SimpleRouter

from accounts.identifiers import AccountIdConverter
from accounts.views import AccountViewSet, AuctionSystemViewSet

register_converter(AccountIdConverter, "account_id")

router = SimpleRouter(trailing_slash=False, use_regex_path=False)
router.register("accounts", AccountViewSet)
router.register("auction-systems", AuctionSystemViewSet)

urlpatterns = router.urls
