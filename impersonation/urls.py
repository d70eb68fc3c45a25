from django.urls import path

from impersonation.views import CurrentView, StartView, StopView

urlpatterns = [
    path("impersonation/current", CurrentView.as_view(), name="impersonation-current"),
    path("impersonation/start", StartView.as_view(), name="impersonation-start"),
    path("impersonation/stop", StopView.as_view(), name="impersonation-stop"),
]
