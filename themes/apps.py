from django.apps import AppConfig


class ThemesConfig(AppConfig):
    """Themes: what a board teaches or shows."""

    name = "themes"
