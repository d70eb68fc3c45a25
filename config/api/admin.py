"""What the admin pages of all apps share."""

import json
from typing import Any

from django.contrib import admin
from django.db import models
from django.db.models import Model
from django.http import HttpRequest

from config.api.errors import BadRequest
from config.api.parsers import check_value

admin.site.site_header = admin.site.site_title = "Bridge Boards"
admin.site.index_title = "Administration"


class StrictDecoder(json.JSONDecoder):
    """JSON of a form, held to what the API's parser takes; else the form says that it is not valid."""

    def decode(self, text: str, *args: Any) -> Any:
        value = super().decode(text, *args)
        try:
            check_value(value)
        except BadRequest as error:
            raise json.JSONDecodeError(error.message, text, 0) from error
        return value


class UncountedAdmin(admin.ModelAdmin):
    """For tables that grow: no second COUNT of everything beside the filtered one."""

    formfield_overrides = {models.JSONField: {"decoder": StrictDecoder}}
    show_full_result_count = False
    list_per_page = 50


class ReadOnlyAdmin(UncountedAdmin):
    """For what the service writes itself: staff look, nobody edits."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return [field.name for field in self.model._meta.fields]
