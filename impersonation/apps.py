from django.apps import AppConfig


class ImpersonationConfig(AppConfig):
    """Staff looking at the service through a member's eyes, on the record."""

    name = "impersonation"
