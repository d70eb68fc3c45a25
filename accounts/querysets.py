from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.contrib.auth.base_user import BaseUserManager
from django.core.exceptions import ValidationError
from django.db import models

from accounts.identifiers import NOT_AN_ID, SYSTEM, is_account_id
from accounts.tokens.claims import is_of_program, read_profile
from config.database.rows import find_by_key

if TYPE_CHECKING:
    from accounts.models import Account, AuctionSystem


class AuctionSystemQuerySet(models.QuerySet["AuctionSystem"]):
    def named(self, name: str) -> "AuctionSystem | None":
        """Return the system with this id or identifier, or None. The id wins where two systems match."""
        matches: models.QuerySet[AuctionSystem] = self.filter(models.Q(pk=name) | models.Q(identifier=name))
        return min(matches, key=lambda system: system.pk != name, default=None)


def is_of_club(relation: str = "") -> models.Q:
    """Return the condition that an account publishes in the club's name: `system` and active staff.

    `relation` leads to the account, as in `owner__`.
    """
    staff = models.Q(**{f"{relation}is_active": True, f"{relation}role__in": ("support", "admin")})
    return models.Q(**{f"{relation}pk": SYSTEM}) | staff


class AccountManager(BaseUserManager["Account"]):
    def get_queryset(self) -> models.QuerySet["Account"]:
        return super().get_queryset().select_related("auction_system")

    def of_club(self) -> models.QuerySet["Account"]:
        return self.filter(is_of_club())

    def create_superuser(self, id: str, password: str | None = None) -> "Account":
        """Make an admin, for the command `createsuperuser`. Raise ValidationError for what cannot be an id."""
        if not is_account_id(id):
            raise ValidationError(NOT_AN_ID.format(id))
        account = self.model(pk=id, role=self.model.Role.ADMIN)
        account.set_password(password)
        account.save(using=self._db, force_insert=True)
        return account

    def get_or_create_from_claims(self, claims: Mapping[str, Any]) -> "Account | None":
        """Return the account that a verified token speaks for. Make it at its first request.

        It is never linked to an existing account by e-mail: an address is the provider's word, an id is proof. Return
        None for a program's token without an account: none is made for it.
        """
        account = find_by_key(self.model, claims["sub"], "auction_system")
        if account is None:
            if is_of_program(claims):
                return None
            account, _ = self.get_or_create(id=claims["sub"], defaults=read_profile(claims))
        return account
