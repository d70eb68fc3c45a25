"""Login to the admin with account id and password, and the rights that a role gives there."""

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import Permission
from django.db.models import QuerySet

from accounts.models import Account


class RoleBackend(ModelBackend):
    """A backend that takes rights from the group named after the account's role. Accounts are never put into groups."""

    def _get_group_permissions(self, user_obj: Account) -> QuerySet[Permission]:
        return Permission.objects.filter(group__name=user_obj.role)

    def _get_user_permissions(self, user_obj: Account) -> QuerySet[Permission]:
        return Permission.objects.none()
