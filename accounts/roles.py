"""What each role may do: the fields of accounts that it may write, and the rights of the group `support`."""

from django.contrib.auth.models import Group, Permission

from accounts.models import Account

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
