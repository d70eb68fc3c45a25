from django.urls import path

from config.api.docs import DocsView, OpenApiView
from config.api.health import LivezView, MetricsView, ReadyzView

urlpatterns = [
    path("api/docs", DocsView.as_view(), name="docs"),
    path("api/openapi.json", OpenApiView.as_view(), name="openapi"),
    path("livez", LivezView.as_view(), name="livez"),
    path("metrics", MetricsView.as_view(), name="metrics"),
    path("readyz", ReadyzView.as_view(), name="readyz"),
]
