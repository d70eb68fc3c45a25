from django.apps import AppConfig


class ImpersonationConfig(AppConfig):
    """Staff impersonate members: read-only, for a limited time, and with an audit log."""

    name = "impersonation"

    def ready(self) -> None:
        from impersonation import checks, receivers  # noqa: F401  (registers the check and the receivers)
