from django.contrib.admin.apps import AdminConfig


class BridgeBoardsAdminConfig(AdminConfig):
    """Django's admin with the site of this service as `admin.site`."""

    default_site = "config.admin.site.BridgeBoardsAdminSite"
