import re
from typing import Any, ClassVar
from urllib.parse import urlencode

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import quote, unquote
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils.formats import localize
from django.utils.html import format_html_join
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_POST

from accounts.identifiers import SYSTEM
from accounts.models import ERASED, Account, AccountChange, AuctionSystem, Session
from accounts.personal_data.erasure import erase, may_erase
from accounts.personal_data.export import export
from accounts.services import require_another_admin
from accounts.signing_in.logins import end_sessions, sessions_of
from config.admin.label_table import LabelsForm, show_labels
from config.admin.options import ChangedFieldsForm, LargeTableAdmin, ReadOnlyAdmin
from config.api.errors import LastAdmin
from config.values.redaction import name_in_logs
from config.values.words import format_count


class AccountForm(ChangedFieldsForm):
    """The form of an account. It refuses to demote or deactivate the last active admin, and to revive the erased."""

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        role = cleaned.get("role", self.instance.role)
        is_active = cleaned.get("is_active", self.instance.is_active)
        # Django checks no constraint that reads a column which the form does not have.
        if self.instance.erased_at and (is_active or role != Account.Role.MEMBER):
            raise forms.ValidationError(ERASED, code="erased")
        if role != Account.Role.ADMIN or not is_active:
            try:
                require_another_admin(self.instance.pk)
            except LastAdmin as error:
                raise forms.ValidationError(str(error.detail), code=error.default_code) from error
        return cleaned


@admin.register(Account)
class AccountAdmin(LargeTableAdmin):
    """Accounts come from sign-ins, staff passwords from `manage.py create_staff`. People are erased, never deleted."""

    form = AccountForm
    list_display = ("person", "id", "role", "is_active", "boards_and_votes", "last_login")
    list_filter = ("role", "is_active", "is_organisation", "created_at", "last_login", "auction_system")
    search_fields = ("id", "display_name", "first_name", "last_name", "organisation_name", "email")
    autocomplete_fields = ("auction_system",)
    actions = ("sign_out",)
    readonly_fields = ("id", "last_login", "created_at", "updated_at", "related_records", "devices", "in_logs")
    fieldsets = (
        (None, {"fields": ("id", "role", "is_active")}),
        (
            "Person",
            {"fields": ("display_name", "first_name", "last_name", "email", "show_email_publicly", "avatar_url")},
        ),
        ("Organisation", {"fields": ("is_organisation", "organisation_name")}),
        ("Bridge", {"fields": ("auction_system", "country", "language")}),
        ("Record", {"fields": ("related_records", "devices", "in_logs", "last_login", "created_at", "updated_at")}),
    )

    @admin.display(description="Name and e-mail address", ordering="display_name")
    def person(self, account: Account) -> str:
        """Return a line for each, which the column cuts. Its title is whole."""
        lines = filter(None, (account.display_name or "Without a name", account.email))
        return format_html_join("", '<span class="line" title="{0}">{0}</span>', ((line,) for line in lines))

    @admin.display(description="related records")
    def related_records(self, account: Account) -> str:
        return self.link_to_lists(account)

    @admin.display(description="signed in")
    def devices(self, account: Account) -> str:
        sessions = sessions_of(account)
        rows = ((each.device, each.get_kind_display(), localize(each.seen_at)) for each in sessions)
        return format_html_join("", "{}, {}, last used {} UTC<br>", rows)

    @admin.action(description="Sign out everywhere", permissions=["change"])
    def sign_out(self, request: HttpRequest, accounts: QuerySet[Account]) -> None:
        """End the sessions of the selected accounts, of those whom the member of staff may change."""
        allowed = [account for account in accounts if self.has_change_permission(request, account)]
        for account in allowed:
            self.log_change(request, account, "Signed out everywhere.")
        ended = end_sessions(Session.objects.filter(account__in=allowed), why="by staff")
        self.message_user(request, f"Ended {format_count(ended, 'session')}.", messages.SUCCESS)

    @admin.display(description="name in the logs")
    def in_logs(self, account: Account) -> str:
        return name_in_logs(account.pk) or ""

    @admin.display(description="lists")
    def boards_and_votes(self, account: Account) -> str:
        return self.link_to_lists(account, "boards", "votes")

    def link_to_lists(self, account: Account, *only: str) -> str:
        """Link to the lists of what refers to the account. It costs no query and no COUNT for a row."""
        links = []
        for relation in Account._meta.related_objects:
            model, name = relation.related_model, relation.get_accessor_name() or ""
            if self.admin_site.is_registered(model) and (not only or name in only):
                page = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
                query = urlencode({f"{relation.field.name}__exact": account.pk})
                links.append((f"{page}?{query}", name.replace("_", " ")))
        return format_html_join(", ", '<a href="{}">{}</a>', links)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Account | None = None) -> bool:
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: Account | None = None) -> tuple[str, ...]:
        """Let only admins give roles."""
        if request.user.is_superuser:
            return self.readonly_fields
        return (*self.readonly_fields, "role")

    def has_change_permission(self, request: HttpRequest, obj: Account | None = None) -> bool:
        """Let only admins change another staff member, and nobody the account `system`."""
        allowed = super().has_change_permission(request, obj)
        if obj is None or obj.pk == request.user.pk:
            return allowed
        return allowed and obj.pk != SYSTEM and (not obj.is_staff or request.user.is_superuser)

    # --- A person's data on request

    def get_urls(self) -> list[URLPattern]:
        pages = (("export", require_POST(self.export_view)), ("erase", self.erase_view))
        return [
            path(f"<path:object_id>/{name}/", self.admin_site.admin_view(view), name=f"accounts_account_{name}")
            for name, view in pages
        ] + super().get_urls()

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        account = self.get_object(request, unquote(object_id))
        if account is not None:
            rights = {
                "may_export": self.has_change_permission(request, account),
                "may_erase": may_erase(account, request.user),
                "may_impersonate": account.is_active and not account.is_staff,
            }
            kwargs["extra_context"] = {**(kwargs.get("extra_context") or {}), **rights}
        return super().change_view(request, object_id, *args, **kwargs)

    def export_view(self, request: HttpRequest, object_id: str) -> HttpResponseBase:
        """Send all that is known about the person as one file, to those who may edit the account."""
        account = self.get_changeable_or_404(request, object_id)
        self.log_change(request, account, "Exported the personal data.")
        response = StreamingHttpResponse(export(account), content_type="application/json")
        name = re.sub(r"[^A-Za-z0-9._-]", "_", account.pk)
        response["Content-Disposition"] = content_disposition_header(True, f"account-{name}.json")
        response["Cache-Control"] = "private, no-store"
        return response

    def erase_view(self, request: HttpRequest, object_id: str) -> HttpResponseBase:
        """Ask for confirmation, and erase the person when it is posted."""
        account = self.get_or_404(request, object_id)
        if not may_erase(account, request.user):
            raise PermissionDenied
        if request.method == "POST":
            erase(account_id=account.pk, by=request.user)
            account.refresh_from_db()
            self.log_change(request, account, "Erased the person.")
            self.message_user(request, f"The person with the account {account.pk} is erased.", messages.SUCCESS)
            return HttpResponseRedirect(reverse("admin:accounts_account_change", args=[quote(account.pk)]))
        return self.show_page(request, "erase", "Erase this person?", account=account)


@admin.register(AccountChange)
class AccountChangeAdmin(ReadOnlyAdmin):
    """Who gave or took a role, or switched an account on or off. Only `prune` deletes from it."""

    list_display = ("created_at", "subject_id", "field", "old", "new", "actor_id", "route")
    list_filter = ("field", "new", "created_at")
    search_fields = ("=subject_id", "=actor_id", "=request_id")
    search_help_text = "Search for the whole id of an account or a request."


@admin.register(AuctionSystem)
class AuctionSystemAdmin(LargeTableAdmin):
    form = LabelsForm
    shown_in_words: ClassVar = {"labels": show_labels}
    list_display = ("identifier", "__str__", "sort_order")
    list_editable = ("sort_order",)
    search_fields = ("id", "identifier", "labels")
    ordering = ("sort_order", "identifier")


admin.site.unregister(Group)


@admin.register(Group)
class GroupAdmin(LargeTableAdmin, DjangoGroupAdmin):
    """The page for the rights of support staff. Their group is named after their role."""
