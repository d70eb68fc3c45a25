from django.urls import path

from config.paths import API, as_route
from config.site import views

urlpatterns = [
    path(f"{as_route(API)}/docs/<slug:name>", views.GuidePage.as_view(), name="guide"),
    path(f"{as_route(API)}/docs/<slug:name>.md", views.GuideTextView.as_view(), name="guide-text"),
    path("llms.txt", views.LlmsTextView.as_view(), name="llms"),
]
