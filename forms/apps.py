from django.apps import AppConfig


class FormsConfig(AppConfig):
    """The public forms that visitors send, as JSON or from a page."""

    name = "forms"
