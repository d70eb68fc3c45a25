"""The address of a theme's page: its identifier, not its id (decision 0038)."""

from django.urls import reverse

from themes.directory import Directory
from themes.models import Theme


def theme_path(theme: Theme, directory: Directory) -> str:
    """Return the path of the theme's page, with its type where other types have the identifier too.

    An older directory is good enough: the page is found by either form.
    """
    start = reverse("themes-page")
    if directory.name_of(theme) == theme.identifier:
        return f"{start}/{theme.identifier}"
    return f"{start}/{theme.type}/{theme.identifier}"
