"""The two ways to log in to the admin, and the rights that a role gives there."""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import Permission
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.models import Account


class PasswordBackend(ModelBackend):
    """Log in with account id and password. Rights come from the group named after the account's role.

    Accounts are never put into groups.
    """

    def _get_group_permissions(self, user_obj: Account) -> QuerySet[Permission]:
        return Permission.objects.filter(group__name=user_obj.role)

    def _get_user_permissions(self, user_obj: Account) -> QuerySet[Permission]:
        return Permission.objects.none()


class ProviderBackend(PasswordBackend):
    """The backend of sessions that began at the identity provider (accounts.provider_login). It takes no password."""

    def authenticate(self, request: HttpRequest | None, *args: Any, **kwargs: Any) -> None:
        return None
