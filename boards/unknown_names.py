"""The error for a filter that names what nobody has: it says which names exist, or where they are listed."""

from collections.abc import Callable, Iterable, Mapping

from django.urls import reverse
from rest_framework import serializers

from boards.catalogue.facets import ALL, EVENT, facet
from boards.catalogue.models import FacetCount
from themes.directory import Directory

MAX_NAMES = 40
"""More names are not listed in a message: it then says where they are."""

CODE = "unknown"


def refuse_unknown(filters: Mapping[str, str], directory: Directory, *, found: int = 0) -> None:
    """Raise ValidationError for each filter that names no theme, type, auction system or event.

    `found` is how many boards match: an event is looked up only where there are none. An account is never refused,
    since the answer would tell strangers who has one.
    """
    errors = {}
    for name, names_of in NAMES.items():
        if (value := filters.get(name)) and not is_known(name, value, directory):
            errors[name] = write_error(KINDS[name], sorted(set(names_of(directory))), reverse(LISTS[name]))
    if (slug := filters.get(EVENT)) and not found and not has_boards(slug):
        errors[EVENT] = write_error(KINDS[EVENT], [], reverse("event-list"))
    if errors:
        raise serializers.ValidationError(errors)


def is_known(name: str, value: str, directory: Directory) -> bool:
    if name == "theme":
        return bool(directory.theme_ids_named(value))
    return value in NAMES[name](directory)


def has_boards(slug: str) -> bool:
    """Tell whether a published board belongs to the event."""
    return FacetCount.objects.filter(facet=ALL, other=facet(EVENT, slug), boards__gt=0).exists()


def write_error(kind: str, names: list[str], path: str) -> list[serializers.ErrorDetail]:
    known = (
        f"Give one of these: {', '.join(names)}."
        if 0 < len(names) <= MAX_NAMES
        else f"{path} lists them all."
    )
    return [serializers.ErrorDetail(f"There is no such {kind}. {known}", code=CODE)]


NAMES: Mapping[str, Callable[[Directory], Iterable[str]]] = {
    "theme": lambda directory: directory.theme_ids_by_identifier,
    "themeType": lambda directory: {theme.type for theme in directory.themes.values()},
    "auctionSystem": lambda directory: {system.identifier for system in directory.auction_systems.values()},
}
KINDS = {"theme": "theme", "themeType": "theme type", "auctionSystem": "auction system", EVENT: "event"}
LISTS = {"theme": "theme-list", "themeType": "theme-list", "auctionSystem": "auctionsystem-list"}
