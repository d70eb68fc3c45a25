"""Serializer fields that name an account, for other apps too."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.models import Account
from config.api.fields import NamedField


@extend_schema_field(serializers.CharField())
class AccountField(NamedField):
    """An existing account, written as its id."""

    default_error_messages = {"does_not_exist": "There is no account {name}."}

    def find(self, name: str) -> Account:
        account = Account.objects.filter(pk=name).first()
        if account is None:
            self.fail("does_not_exist", name=name)
        return account


class AccountIdField(AccountField):
    """An existing account, whose id is kept for the column of a foreign key."""

    def to_internal_value(self, data: object) -> str:
        account: Account = super().to_internal_value(data)
        return account.pk

    def to_representation(self, value: str) -> str:
        return value
