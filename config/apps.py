from django.apps import AppConfig


class GroundFloorConfig(AppConfig):
    """What every app stands on: what a REST view needs, the edge, the admin's pages, the site's pages, the worker."""

    name = "config"

    def ready(self) -> None:
        from config.edge import checks  # noqa: F401  (registers the checks)
        from config.worker import admin  # noqa: F401  (takes the package's page over)
