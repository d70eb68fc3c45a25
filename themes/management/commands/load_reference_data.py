import json
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand
from django.db import transaction

from accounts.models import DEFAULT_AUCTION_SYSTEM, AuctionSystem
from accounts.roles import ensure_support_group
from config.database.advisory_locks import hold_advisory_lock
from config.values.words import format_count
from themes.models import Theme


def read_data(app: str, name: str) -> Any:
    return json.loads((Path(apps.get_app_config(app).path) / "data" / name).read_text(encoding="utf-8"))


class Command(BaseCommand):
    help = (
        "Load the auction systems, the themes and the group of the support staff. Safe to repeat: it only creates"
        " what is missing, and keeps staff's corrections."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        with hold_advisory_lock("load_reference_data"), transaction.atomic():
            self.load()

    def load(self) -> None:
        systems = sum(
            self.load_system(order, entry) for order, entry in enumerate(read_data("accounts", "auction_systems.json"))
        )
        themes = sum(self.load_theme(entry) for entry in read_data("themes", "themes.json")["themes"])
        group = ensure_support_group()
        self.stdout.write(
            f"New: {format_count(systems, 'auction system')}, {format_count(themes, 'theme')}"
            f"{', the support group' if group else ''}."
        )

    @staticmethod
    def load_system(order: int, entry: dict[str, Any]) -> bool:
        """Create a missing system, and complete `other`, which migrate creates. Return whether it was missing."""
        name, aliases = entry["identifier"], "\n".join(entry.get("aliases", ()))
        values = {"labels": entry["labels"], "sort_order": order, "aliases": aliases}
        system = AuctionSystem.objects.named(name)
        if system is None:
            AuctionSystem.objects.create(id=name, identifier=name, **values)
        elif system.pk == DEFAULT_AUCTION_SYSTEM and system.labels == {"en": entry["labels"]["en"]}:
            AuctionSystem.objects.filter(pk=system.pk).update(**values)
        return system is None

    @staticmethod
    def load_theme(entry: dict[str, Any]) -> bool:
        """Create a missing theme. Return whether it was missing."""
        name = {"type": entry["type"], "identifier": entry["identifier"]}
        values = {"labels": entry["labels"], "description": entry["description"]}
        return Theme.objects.get_or_create(**name, defaults=values)[1]
