"""What an account may do now, in words for programs: the `permissions` of GET /api/accounts/me.

A word promises nothing about a particular row: that may be another's.
"""

from collections.abc import Callable, Mapping

from django.conf import settings

from accounts.models import Account
from config.edge.reader import can_sign_in

ABILITIES: Mapping[str, Callable[[Account], bool]] = {
    "changeOwnAccount": lambda account: True,
    "changeAccounts": lambda account: account.is_staff,
    "giveRoles": lambda account: account.is_superuser,
    "impersonate": lambda account: account.is_staff,
    "vote": lambda account: True,
    "makeCollections": lambda account: True,
    # These are done on pages alone.
    "uploadBoards": lambda account: can_sign_in() and settings.MEMBER_BOARDS > 0,
    "askToPublish": lambda account: can_sign_in() and settings.MEMBER_PUBLISHING == "review",
    "publishBoards": lambda account: can_sign_in() and settings.MEMBER_PUBLISHING == "open",
}
"""The words, each with the function that tells whether an active account may do it."""


def abilities_of(account: Account) -> list[str]:
    return sorted(name for name, allows in ABILITIES.items() if allows(account))
