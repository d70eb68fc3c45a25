from django.contrib import admin

from config.admin.options import ReadOnlyAdmin
from voting.models import Vote


@admin.register(Vote)
class VoteAdmin(ReadOnlyAdmin):
    """Votes are looked at, never made: the boards' counters are kept by voting.services."""

    list_display = ("account", "board", "value", "updated_at")
    list_filter = ("value",)
    list_select_related = ("account", "board")
    ordering = ("-id",)  # By the key: nothing is sorted to show the newest.
    search_fields = ("account__id", "board__id")
