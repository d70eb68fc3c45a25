from django.contrib import admin

from config.admin.options import ReadOnlyAdmin
from deals.models import Deal


@admin.register(Deal)
class DealAdmin(ReadOnlyAdmin):
    """Deals come in through the API; their cards never change."""

    list_display = ("cards", "source_name", "double_dummy_status", "created_at")
    list_filter = ("double_dummy_status",)
    search_fields = ("cards", "source_name")
