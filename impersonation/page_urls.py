from django.urls import path

from config.paths import ACCOUNT, IMPERSONATION, as_route
from impersonation import pages
from impersonation.looks import LooksPage

urlpatterns = [
    path(as_route(IMPERSONATION), pages.StartPage.as_view(), name="impersonation-page"),
    path(f"{as_route(IMPERSONATION)}/stop", pages.StopPage.as_view(), name="impersonation-stop-page"),
    path(f"{as_route(IMPERSONATION)}/ended", pages.EndedPage.as_view(), name="impersonation-ended"),
    path(f"{as_route(ACCOUNT)}/looks", LooksPage.as_view(), name="looks"),
]
