from django.apps import AppConfig


class GroundFloorConfig(AppConfig):
    """The ground floor, which every app builds on: API views, the edge, the admin, the site's pages, the worker."""

    name = "config"

    def ready(self) -> None:
        from config import checks as secrets_and_addresses  # noqa: F401  (registers the checks)
        from config.edge import checks  # noqa: F401  (the same)
        from config.worker import admin  # noqa: F401  (replaces the package's own page)
