"""Every route of the service. Apps are named by string, so that none is imported from below its floor."""

from django.urls import include, path

from config.paths import ADMIN, API, DEALS

handler400 = "config.edge.error_views.bad_request"
handler403 = "config.edge.error_views.permission_denied"
handler404 = "config.edge.error_views.not_found"
handler500 = "config.edge.error_views.server_error"


def under(prefix: str) -> str:
    """Turn "/api" into "api/", as a URLconf writes it."""
    return f"{prefix.removeprefix('/')}/"


urlpatterns = [
    path("", include("config.edge.urls")),
    path("", include("boards.pages.urls")),
    path("", include("forms.page_urls")),
    path(under(ADMIN), include("config.admin.urls")),
    path(under(API), include("config.api.urls")),
    path(under(API), include("accounts.urls")),
    path(under(API), include("boards.urls")),
    path(under(API), include("deals.urls")),
    path(under(DEALS), include("boards.deal_urls")),
    path(under(API), include("forms.urls")),
    path(under(API), include("impersonation.urls")),
    path(under(API), include("themes.urls")),
    path(under(API), include("voting.urls")),
]
