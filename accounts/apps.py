from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.module_loading import autodiscover_modules

from accounts.identifiers import SYSTEM


class AccountsConfig(AppConfig):
    """Who: accounts and the auction systems they play; bearer tokens."""

    name = "accounts"

    def ready(self) -> None:
        from accounts import checks  # noqa: F401  (registers the checks)

        post_migrate.connect(ensure_anchors, sender=self)
        # The registry stands below the apps that register their tables, so it cannot import them.
        autodiscover_modules("personal_data")


def ensure_anchors(sender: AppConfig, using: str, **kwargs: object) -> None:
    """The two rows every other leans on: the auction system of who has not chosen, and the account `system`.

    After each migrate, as Django does with permissions and content types, so that an emptied table has them too.
    """
    from accounts.models import DEFAULT_AUCTION_SYSTEM, Account, AuctionSystem

    if sender.get_model("Account")._meta.db_table not in tables(using):
        return
    AuctionSystem.objects.using(using).get_or_create(
        pk=DEFAULT_AUCTION_SYSTEM,
        defaults={
            "identifier": DEFAULT_AUCTION_SYSTEM,
            "labels": {"en": "Other / no agreement"},
            "sort_order": 9999,
        },
    )
    Account.objects.using(using).get_or_create(
        pk=SYSTEM, defaults={"display_name": "Bridge Boards", "is_active": False, "password": "!"}
    )


def tables(using: str) -> list[str]:
    """After a migration backwards the tables may be gone."""
    from django.db import connections

    return connections[using].introspection.table_names()
