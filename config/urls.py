"""Every route of the service. Apps are named by string, so that none is imported from below its floor."""

from django.urls import include, path, register_converter

from config.api.openapi import DocsView, OpenApiView
from config.edge.observability.health import LivezView, MetricsView, ReadyzView
from config.paths import ADMIN, API, DEALS, LIVEZ, METRICS, READYZ, AnyCaseUuidConverter, as_route

handler400 = "config.edge.error_page.bad_request"
handler403 = "config.edge.error_page.permission_denied"
handler404 = "config.edge.error_page.not_found"
handler500 = "config.edge.error_page.server_error"

register_converter(AnyCaseUuidConverter, "any_uuid")

# Django tries the routes in their order, so what is requested most stands first. No path has two routes.
urlpatterns = [
    path(f"{as_route(API)}/", include("boards.api.urls")),
    path(f"{as_route(API)}/", include("voting.urls")),
    path(f"{as_route(API)}/", include("themes.urls")),
    path(f"{as_route(API)}/", include("accounts.urls")),
    path("", include("pages.urls")),
    path("", include("accounts.signing_in.urls")),
    path(as_route(LIVEZ), LivezView.as_view(), name="livez"),
    path(as_route(METRICS), MetricsView.as_view(), name="metrics"),
    path(as_route(READYZ), ReadyzView.as_view(), name="readyz"),
    path(f"{as_route(DEALS)}/", include("boards.api.deal_urls")),
    path(f"{as_route(API)}/", include("deals.urls")),
    path(f"{as_route(API)}/", include("forms.urls")),
    path(f"{as_route(API)}/", include("impersonation.urls")),
    path(f"{as_route(API)}/docs", DocsView.as_view(), name="docs"),
    path(f"{as_route(API)}/openapi.json", OpenApiView.as_view(), name="openapi"),
    path(f"{as_route(ADMIN)}/", include("accounts.signing_in.admin_urls")),
]
