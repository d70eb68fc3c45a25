from django.urls import path

from config import paths
from config.edge.health import LivezView, MetricsView, ReadyzView

urlpatterns = [
    path(paths.LIVEZ.removeprefix("/"), LivezView.as_view(), name="livez"),
    path(paths.METRICS.removeprefix("/"), MetricsView.as_view(), name="metrics"),
    path(paths.READYZ.removeprefix("/"), ReadyzView.as_view(), name="readyz"),
]
