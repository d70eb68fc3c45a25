from django.apps import AppConfig


class ThemesConfig(AppConfig):
    """What a board is about."""

    name = "themes"
