"""What the role `support` may do in the admin, to begin with: the group is the admins' to change afterwards."""

from django.contrib.auth.models import Group, Permission

from accounts.models import Account

SUPPORT_MAY = {
    "accounts": ("view_account", "change_account", "view_auctionsystem"),
    "themes": ("view_theme", "add_theme", "change_theme"),
    "deals": ("view_deal",),
    "boards": ("view_board", "change_board"),
    "voting": ("view_vote",),
    "impersonation": ("view_impersonation", "view_impersonationevent"),
    "forms": ("view_submission", "change_submission"),
}


def ensure_support_group() -> bool:
    """Whether the group was missing and is now made."""
    group, created = Group.objects.get_or_create(name=Account.Role.SUPPORT)
    if created:
        for app, codenames in SUPPORT_MAY.items():
            group.permissions.add(
                *Permission.objects.filter(content_type__app_label=app, codename__in=codenames)
            )
    return created
