"""What each role may do: the fields of accounts that it may write, the rights of `support`, and words for programs.

Those are the `permissions` of GET /api/accounts/me. A word promises nothing about a particular row: that may be
another's.
"""

from collections.abc import Callable, Mapping

from django.conf import settings
from django.contrib.auth.models import Group, Permission

from accounts.models import Account
from config.edge.reader import can_sign_in

WRITABLE_BY_SELF = frozenset(
    {
        "displayName",
        "firstName",
        "lastName",
        "organisationName",
        "country",
        "language",
        "auctionSystem",
        "isOrganisation",
        "showEmailPublicly",
        "avatarUrl",
    }
)
WRITABLE_BY_STAFF = WRITABLE_BY_SELF | {"email", "isActive"}
WRITABLE_BY_ADMIN = WRITABLE_BY_STAFF | {"role"}


def writable_fields(caller: Account) -> frozenset[str]:
    """Return the fields that this caller may write in an account that it may change."""
    if caller.is_superuser:
        return WRITABLE_BY_ADMIN
    return WRITABLE_BY_STAFF if caller.is_staff else WRITABLE_BY_SELF


SUPPORT_PERMISSIONS = {
    "accounts": ("view_account", "change_account", "view_auctionsystem"),
    "themes": ("view_theme", "add_theme", "change_theme"),
    "deals": ("view_deal",),
    "boards": ("view_board", "add_board", "change_board", "view_collection", "change_collection"),
    "voting": ("view_vote",),
    "impersonation": ("view_impersonation", "view_impersonationevent"),
    "forms": ("view_submission", "change_submission"),
}
"""The rights that the group begins with in the admin. Admins may change the group afterwards."""


def ensure_support_group() -> bool:
    """Create the group with its rights where it is missing. Return whether it was."""
    group, created = Group.objects.get_or_create(name=Account.Role.SUPPORT)
    if created:
        for app, codenames in SUPPORT_PERMISSIONS.items():
            group.permissions.add(*Permission.objects.filter(content_type__app_label=app, codename__in=codenames))
    return created


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
