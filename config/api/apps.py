from django.apps import AppConfig


class ApiConfig(AppConfig):
    """The plumbing every other app stands on: errors, parsing, pagination, validators, limits, schema."""

    name = "config.api"
    label = "api"

    def ready(self) -> None:
        from config.api import checks  # noqa: F401  (registers the checks)
