from django.contrib import admin

from config.admin.label_table import LabelsForm
from config.admin.options import LargeTableAdmin
from themes.models import Theme


@admin.register(Theme)
class ThemeAdmin(LargeTableAdmin):
    form = LabelsForm
    list_display = ("__str__", "identifier", "type", "owner", "updated_at")
    list_filter = ("type",)
    list_select_related = ("owner",)
    search_fields = ("identifier", "type", "labels")
    autocomplete_fields = ("owner",)
    readonly_fields = ("id", "created_at", "updated_at")
