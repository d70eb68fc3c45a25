from django.urls import path

from config.paths import IMPERSONATION, as_route
from impersonation import pages

urlpatterns = [
    path(as_route(IMPERSONATION), pages.StartPage.as_view(), name="impersonation-page"),
    path(f"{as_route(IMPERSONATION)}/stop", pages.StopPage.as_view(), name="impersonation-stop-page"),
    path(f"{as_route(IMPERSONATION)}/ended", pages.EndedPage.as_view(), name="impersonation-ended"),
]
