"""What an account may do now, in words for programs: the `permissions` of GET /api/accounts/me.

Accounts are below the apps where something is done. So each app registers its words in a module `abilities` of its
own, which is found as Django finds `admin`. A word promises nothing about a particular row: that may be another's.
"""

from collections.abc import Callable

from accounts.models import Account

ABILITIES: dict[str, Callable[[Account], bool]] = {}


def register(**abilities: Callable[[Account], bool]) -> None:
    """Add words, each with the function that tells whether an active account may do it."""
    ABILITIES.update(abilities)


def abilities_of(account: Account) -> list[str]:
    return sorted(name for name, allows in ABILITIES.items() if allows(account))


register(
    changeOwnAccount=lambda account: True,
    changeAccounts=lambda account: account.is_staff,
    giveRoles=lambda account: account.is_superuser,
)
