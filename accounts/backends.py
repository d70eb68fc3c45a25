"""The ways to a session: those to the admin, with the rights that a role gives there, and that of members."""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import Permission
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.models import Account, OneTimeCode
from accounts.signing_in.one_time_codes import find_step, use


class PasswordBackend(ModelBackend):
    """Log in with account id and password. Rights come from the group named after the account's role.

    Accounts are never put into groups. Django has no public name for what these two replace (django/new-features,
    issue 54).
    """

    def _get_group_permissions(self, user_obj: Account) -> QuerySet[Permission]:
        group = "" if user_obj.in_member_session else user_obj.role
        return Permission.objects.filter(group__name=group)

    def _get_user_permissions(self, user_obj: Account) -> QuerySet[Permission]:
        return Permission.objects.none()


class OneTimeCodeBackend(PasswordBackend):
    """Log in with account id, password and one-time code. It replaces PasswordBackend if codes are required."""

    # The last argument is named so that Django hides it from receivers of user_login_failed.
    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        one_time_password: str = "",
        **kwargs: Any,
    ) -> Account | None:
        """Return the account when all is right. Check the code whatever the password is, and use it up with it only."""
        enrolled = OneTimeCode.objects.filter(pk=username).first()
        step = find_step(enrolled, one_time_password)
        account = super().authenticate(request, username, password, **kwargs)
        return account if account and enrolled and step and use(enrolled, step) else None


class ProviderBackend(PasswordBackend):
    """The backend of sessions that began at the identity provider (accounts.signing_in.admin). It takes no password."""

    def authenticate(self, request: HttpRequest | None, *args: Any, **kwargs: Any) -> None:
        return None


class MemberBackend(ProviderBackend):
    """The backend of members' sessions (pages.members.signing_in), which give no right of staff to anybody."""

    def get_user(self, user_id: str) -> Account | None:
        account: Account | None = super().get_user(user_id)
        if account is not None:
            account.in_member_session = True
        return account
