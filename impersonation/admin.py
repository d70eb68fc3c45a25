from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.http import HttpRequest

from config.admin.options import ReadOnlyAdmin
from config.values.words import format_count
from impersonation import services
from impersonation.audit import AuditContext
from impersonation.models import Impersonation, ImpersonationEvent
from impersonation.querysets import ImpersonationQuerySet


class EndedFilter(admin.EmptyFieldListFilter):
    """Choose between those that have ended and the others."""

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        for choice, words in zip(super().choices(changelist), ("All", "Not ended", "Ended"), strict=True):
            yield {**choice, "display": words}


@admin.register(Impersonation)
class ImpersonationAdmin(ReadOnlyAdmin):
    """Who impersonated whom, why, and from when to when.

    It is started through the API, or on a page of the site that the member's account links to. Staff with the right to
    change them (admins, and the support group if it has it) may end one, and change nothing else.
    """

    list_display = ("started_at", "actor_id", "subject_id", "ended_at", "reason", "ticket", "expires_at")
    list_filter = (("ended_at", EndedFilter), "started_at")
    search_fields = ("actor__id", "subject__id", "reason", "ticket")
    actions = ("end_now",)

    def has_end_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("impersonation.change_impersonation")

    @admin.action(description="End selected impersonations now", permissions=["end"])
    def end_now(self, request: HttpRequest, impersonations: ImpersonationQuerySet) -> None:
        ended = services.end(impersonations, context=AuditContext.of_request(request, HTTPStatus.FOUND))
        self.message_user(request, f"Ended {format_count(ended, 'impersonation')}.", messages.SUCCESS)


@admin.register(ImpersonationEvent)
class ImpersonationEventAdmin(ReadOnlyAdmin):
    """The audit log. Nobody changes it, and only `prune` deletes from it."""

    list_display = ("created_at", "kind", "actor_id", "subject_id", "method", "route", "status")
    list_filter = ("kind", "method", "created_at")
    search_fields = ("=actor_id", "=subject_id", "=impersonation_id", "=request_id")
    search_help_text = "Search for the whole id of an account, an impersonation or a request."
