"""Every route of the service. Apps are named by string, so that none is imported from below its floor."""

from django.contrib import admin
from django.urls import include, path

handler400 = "config.api.handlers.bad_request"
handler403 = "config.api.handlers.permission_denied"
handler404 = "config.api.handlers.not_found"
handler500 = "config.api.handlers.server_error"

urlpatterns = [
    path("", include("config.api.urls")),
    path("", include("boards.page_urls")),
    path("admin/", include("accounts.login")),
    path("admin/r/", include("config.api.no_shortcuts")),
    path("admin/", admin.site.urls),
    path("api/", include("accounts.urls")),
    path("api/", include("boards.urls")),
    path("api/", include("deals.urls")),
    path("api/deals/", include("boards.deal_urls")),
    path("api/", include("forms.urls")),
    path("", include("forms.page_urls")),
    path("api/", include("impersonation.urls")),
    path("api/", include("themes.urls")),
    path("api/", include("voting.urls")),
]
