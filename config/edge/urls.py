from django.urls import path

from config.edge.observability.health import LivezView, MetricsView, ReadyzView
from config.paths import LIVEZ, METRICS, READYZ, as_route

urlpatterns = [
    path(as_route(LIVEZ), LivezView.as_view(), name="livez"),
    path(as_route(METRICS), MetricsView.as_view(), name="metrics"),
    path(as_route(READYZ), ReadyzView.as_view(), name="readyz"),
]
