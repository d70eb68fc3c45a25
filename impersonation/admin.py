from django.contrib import admin, messages
from django.http import HttpRequest

from config.admin.options import ReadOnlyAdmin
from impersonation import services
from impersonation.models import Impersonation, ImpersonationEvent
from impersonation.querysets import ImpersonationQuerySet


@admin.register(Impersonation)
class ImpersonationAdmin(ReadOnlyAdmin):
    """Who as whom, why, from when to when. Started through the API with one's own token, never here.

    Whoever has the right to change them (admins; the support group when it is given) may end one, and nothing else.
    """

    list_display = ("started_at", "actor_id", "subject_id", "ended_at", "reason", "ticket", "expires_at")
    list_filter = (("ended_at", admin.EmptyFieldListFilter), "started_at")
    search_fields = ("actor__id", "subject__id", "reason", "ticket")
    actions = ("end_now",)

    def has_end_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("impersonation.change_impersonation")

    @admin.action(description="End now", permissions=["end"])
    def end_now(self, request: HttpRequest, chosen: ImpersonationQuerySet) -> None:
        ended = services.end(chosen, origin=services.Origin.of(request, 302))
        self.message_user(request, f"{ended} ended.", messages.SUCCESS)


@admin.register(ImpersonationEvent)
class ImpersonationEventAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "kind", "actor_id", "subject_id", "method", "route", "status", "request_id")
    list_filter = ("kind", "method", "created_at")
    search_fields = ("=actor_id", "=subject_id", "=impersonation_id", "=request_id")
    search_help_text = "A whole id: of an account, of an impersonation, or of a request."
