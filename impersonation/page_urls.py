from django.urls import path

from config.paths import ACCOUNT, as_route
from impersonation.pages import LooksPage

urlpatterns = [path(f"{as_route(ACCOUNT)}/looks", LooksPage.as_view(), name="looks")]
