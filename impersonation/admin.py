from django.contrib import admin

from config.api.admin import ReadOnlyAdmin
from impersonation.models import Impersonation, ImpersonationEvent


@admin.register(Impersonation)
class ImpersonationAdmin(ReadOnlyAdmin):
    """Who as whom, why, from when to when. Started through the API with one's own token."""

    list_display = ("actor", "subject", "reason", "ticket", "started_at", "expires_at", "ended_at")
    list_filter = (("ended_at", admin.EmptyFieldListFilter),)
    list_select_related = ("actor", "subject")
    search_fields = ("actor__id", "subject__id", "reason", "ticket")


@admin.register(ImpersonationEvent)
class ImpersonationEventAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "kind", "actor_id", "subject_id", "method", "route", "status", "request_id")
    list_filter = ("kind", "method")
    search_fields = ("actor_id", "subject_id", "impersonation_id", "request_id")
