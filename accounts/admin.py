from django.contrib import admin
from django.http import HttpRequest

from accounts.identifiers import SYSTEM
from accounts.models import Account, AuctionSystem
from accounts.permissions import is_admin
from config.api.admin import UncountedAdmin
from config.api.labels_form import LabelsForm


@admin.register(Account)
class AccountAdmin(UncountedAdmin):
    """Accounts come from tokens; staff passwords from `manage.py create_staff`."""

    list_display = (
        "id",
        "display_name",
        "email",
        "role",
        "is_active",
        "country",
        "auction_system",
        "created_at",
    )
    list_filter = ("role", "is_active", "is_organisation")
    search_fields = ("id", "display_name", "first_name", "last_name", "organisation_name", "email")
    autocomplete_fields = ("auction_system",)
    readonly_fields = ("id", "last_login", "created_at", "updated_at")
    fieldsets = (
        (None, {"fields": ("id", "role", "is_active")}),
        (
            "Person",
            {
                "fields": (
                    "display_name",
                    "first_name",
                    "last_name",
                    "email",
                    "show_email_publicly",
                    "avatar_url",
                )
            },
        ),
        ("Organisation", {"fields": ("is_organisation", "organisation_name")}),
        ("Bridge", {"fields": ("auction_system", "country", "language")}),
        ("Record", {"fields": ("last_login", "created_at", "updated_at")}),
    )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: Account | None = None) -> tuple[str, ...]:
        """Roles are the admins' to give, and admins' accounts theirs alone to touch."""
        if is_admin(request.user):
            return self.readonly_fields
        return (*self.readonly_fields, "role")

    def has_change_permission(self, request: HttpRequest, obj: Account | None = None) -> bool:
        allowed = super().has_change_permission(request, obj)
        if obj is None or obj.pk == request.user.pk:
            return allowed
        return allowed and obj.pk != SYSTEM and (not obj.is_staff or is_admin(request.user))


@admin.register(AuctionSystem)
class AuctionSystemAdmin(UncountedAdmin):
    form = LabelsForm
    list_display = ("identifier", "__str__", "sort_order")
    list_editable = ("sort_order",)
    search_fields = ("id", "identifier", "labels")
    ordering = ("sort_order", "identifier")
