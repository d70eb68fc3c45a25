from django.apps import AppConfig


class FormsConfig(AppConfig):
    """What visitors send."""

    name = "forms"
