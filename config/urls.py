"""Every route of the service. Apps are named by string, so that none is imported from below its floor."""

from django.urls import include, path

from config.paths import ADMIN, API, DEALS, as_route

handler400 = "config.edge.error_views.bad_request"
handler403 = "config.edge.error_views.permission_denied"
handler404 = "config.edge.error_views.not_found"
handler500 = "config.edge.error_views.server_error"


pages = [
    path("", include("boards.pages.urls")),
    path("", include("forms.pages.urls")),
]

api = [
    path("", include("config.api.urls")),
    path("", include("accounts.urls")),
    path("", include("boards.urls")),
    path("", include("deals.urls")),
    path("", include("forms.urls")),
    path("", include("impersonation.urls")),
    path("", include("themes.urls")),
    path("", include("voting.urls")),
]

urlpatterns = [
    path("", include("config.edge.urls")),
    path("", include(pages)),
    path(f"{as_route(ADMIN)}/", include("config.admin.urls")),
    path(f"{as_route(API)}/", include(api)),
    path(f"{as_route(DEALS)}/", include("boards.deal_urls")),
]
