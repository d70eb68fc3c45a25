"""The ways to a session: two to the admin, with the rights that a role gives there, and that of members."""

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
        group = "" if user_obj.by_members_door else user_obj.role
        return Permission.objects.filter(group__name=group)

    def _get_user_permissions(self, user_obj: Account) -> QuerySet[Permission]:
        return Permission.objects.none()


class ProviderBackend(PasswordBackend):
    """The backend of sessions that began at the identity provider (accounts.signing_in.admin). It takes no password."""

    def authenticate(self, request: HttpRequest | None, *args: Any, **kwargs: Any) -> None:
        return None


class MemberBackend(ProviderBackend):
    """The backend of members' sessions (accounts.signing_in.members), which give no right of staff to anybody."""

    def get_user(self, user_id: str) -> Account | None:
        account: Account | None = super().get_user(user_id)
        if account is not None:
            account.by_members_door = True
        return account
