from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate
from django.utils.module_loading import autodiscover_modules

from accounts.identifiers import SYSTEM


class AccountsConfig(AppConfig):
    """Accounts, the auction systems they play, and the bearer tokens that name them."""

    name = "accounts"

    def ready(self) -> None:
        from accounts import checks  # noqa: F401  (registers the checks)
        from accounts.signing_in import logins  # noqa: F401  (connects the receivers)

        post_migrate.connect(create_required_rows, sender=self)
        # The registry is below the apps that register, so it cannot import them.
        autodiscover_modules("personal_data")


def create_required_rows(sender: AppConfig, using: str, **kwargs: object) -> None:
    """Create the rows that defaults of foreign keys name: the auction system `other` and the account `system`.

    This runs after each migrate, as Django does with permissions and content types, so that an emptied table gets
    them back.
    """
    # Models can be imported only after all apps are loaded, and this module is read before that.
    from accounts.models import DEFAULT_AUCTION_SYSTEM, Account, AuctionSystem

    if sender.get_model("Account")._meta.db_table not in connections[using].introspection.table_names():
        return  # a migration backwards has removed the tables
    AuctionSystem.objects.using(using).get_or_create(
        pk=DEFAULT_AUCTION_SYSTEM,
        defaults={"identifier": DEFAULT_AUCTION_SYSTEM, "labels": {"en": "Other / no agreement"}, "sort_order": 9999},
    )
    accounts = Account.objects.using(using)
    if not accounts.filter(pk=SYSTEM).exists():  # reads no column that a migration backwards may have removed
        accounts.get_or_create(
            pk=SYSTEM, defaults={"display_name": "Bridge Boards", "is_active": False, "password": "!"}
        )
