from django.contrib import admin

from config.admin.options import ReadOnlyAdmin
from deals.models import Deal


@admin.register(Deal)
class DealAdmin(ReadOnlyAdmin):
    """The deals, to look at: they come in through the API, and their cards never change."""

    list_display = ("cards", "source_name", "double_dummy_status", "created_at")
    list_filter = ("double_dummy_status",)
    search_fields = ("cards", "source_name")
