from django.apps import AppConfig


class PagesConfig(AppConfig):
    """Every page for people. It stands above all resources, and nothing imports it."""

    name = "pages"
