"""The address of a theme's page: its identifier, not its id (decision 0038)."""

from django.urls import reverse

from themes.labels import LabelCache
from themes.models import Theme


def theme_path(theme: Theme, labels: LabelCache) -> str:
    """Return the path of the theme's page, with its type where other types have the identifier too.

    Older labels are good enough: the page is found by either form.
    """
    start = reverse("themes-page")
    if labels.name_of(theme) == theme.identifier:
        return f"{start}/{theme.identifier}"
    return f"{start}/{theme.type}/{theme.identifier}"
