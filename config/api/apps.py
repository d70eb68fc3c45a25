from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class ApiConfig(AppConfig):
    """The plumbing every other app stands on: errors, parsing, pagination, validators, limits, schema."""

    name = "config.api"
    label = "api"

    def ready(self) -> None:
        from config.api import checks  # noqa: F401  (registers the checks)
        from config.api.background import admin  # noqa: F401  (takes the package's page over)

        # What each app keeps for a time only: config.api.retention stands below them and cannot import them.
        autodiscover_modules("retention")
