"""The rights that the group `support` begins with. Admins may change the group afterwards."""

from django.contrib.auth.models import Group, Permission

from accounts.models import Account

SUPPORT_PERMISSIONS = {
    "accounts": ("view_account", "change_account", "view_auctionsystem"),
    "themes": ("view_theme", "add_theme", "change_theme"),
    "deals": ("view_deal",),
    "boards": ("view_board", "change_board"),
    "voting": ("view_vote",),
    "impersonation": ("view_impersonation", "view_impersonationevent"),
    "forms": ("view_submission", "change_submission"),
}


def ensure_support_group() -> bool:
    """Create the group with its rights where it is missing. Return whether it was."""
    group, created = Group.objects.get_or_create(name=Account.Role.SUPPORT)
    if created:
        for app, codenames in SUPPORT_PERMISSIONS.items():
            group.permissions.add(
                *Permission.objects.filter(content_type__app_label=app, codename__in=codenames)
            )
    return created
