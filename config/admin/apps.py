from django.contrib.admin.apps import AdminConfig
from django.utils.module_loading import autodiscover_modules


class BridgeBoardsAdminConfig(AdminConfig):
    """Django's admin with the site of this service as `admin.site`."""

    default_site = "config.admin.site.BridgeBoardsAdminSite"

    def ready(self) -> None:
        super().ready()
        autodiscover_modules("waiting")
