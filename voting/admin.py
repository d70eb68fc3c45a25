from django.contrib import admin

from config.admin.options import ReadOnlyAdmin
from voting.models import Vote


@admin.register(Vote)
class VoteAdmin(ReadOnlyAdmin):
    """Staff read votes and change none, since voting.services keeps the boards' counters in step."""

    list_display = ("account", "board", "value", "updated_at")
    list_filter = ("value",)
    list_select_related = ("account", "board")
    ordering = ("-id",)  # The primary key's index gives the newest without sorting.
    search_fields = ("account__id", "board__id")
