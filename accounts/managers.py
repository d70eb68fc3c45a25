from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.contrib.auth.base_user import BaseUserManager
from django.db import models

from accounts.claims import profile_of

if TYPE_CHECKING:
    from accounts.models import Account, AuctionSystem


class AuctionSystemQuerySet(models.QuerySet["AuctionSystem"]):
    def named(self, name: str) -> "AuctionSystem | None":
        """By id or identifier; the id wins where they differ."""
        matches: models.QuerySet[AuctionSystem] = self.filter(models.Q(pk=name) | models.Q(identifier=name))
        return min(matches, key=lambda system: system.pk != name, default=None)


class AccountManager(BaseUserManager["Account"]):
    def get_queryset(self) -> models.QuerySet["Account"]:
        return super().get_queryset().select_related("auction_system")

    def of_claims(self, claims: Mapping[str, Any]) -> "Account":
        """The account a verified token speaks for, made at its first request.

        Never linked to an existing account by e-mail: an address in a token is the provider's word, an id is proof.
        """
        account, _ = self.get_or_create(id=claims["sub"], defaults=profile_of(claims))
        return account
