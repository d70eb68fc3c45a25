"""Logging in to the admin with account id and password, and what the role then allows."""

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import Permission
from django.db.models import QuerySet

from accounts.models import Account


class RoleBackend(ModelBackend):
    """Rights come from the group that is named after the account's role; nobody is put into groups one by one."""

    def _get_group_permissions(self, user_obj: Account) -> QuerySet[Permission]:
        return Permission.objects.filter(group__name=user_obj.role)

    def _get_user_permissions(self, user_obj: Account) -> QuerySet[Permission]:
        return Permission.objects.none()
