"""What the admin pages of all apps share: lists that stay quick, and parameters that cannot crash a page."""

import json
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.contrib.admin.widgets import AutocompleteSelect, AutocompleteSelectMultiple
from django.core.exceptions import BadRequest as UnreadableRequest
from django.core.exceptions import EmptyResultSet, ValidationError
from django.core.paginator import Paginator
from django.db import models
from django.db.models import Field, Model, QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.functional import cached_property

from config.values.strict_json import JsonError, check_value

admin.site.site_header = admin.site.site_title = "Bridge Boards"
admin.site.index_title = "Administration"

LOOKUPS = frozenset({"exact", "gte", "id", "isempty", "isnull", "lt"})
"""What may follow a field's name in an address: that which the pages' own filters and links use."""

MAX_PARAMETERS = 60
LONGEST_SEARCH = 200


class StrictDecoder(json.JSONDecoder):
    """JSON of a form, held to what the API's parser takes; else the form says that it is not valid."""

    def decode(self, text: str, *args: Any) -> Any:
        value = super().decode(text, *args)
        try:
            check_value(value)
        except JsonError as error:
            raise json.JSONDecodeError(str(error), text, 0) from error
        return value


class BoundedPaginator(Paginator):
    """Counts to MOST and no further: COUNT of a million rows takes a quarter of a second, whoever looks at page 1.

    What lies behind is found by searching and filtering.
    """

    MOST = 10_000

    @cached_property
    def count(self) -> int:
        rows: Any = self.object_list
        return rows.order_by()[: self.MOST].count()

    @property
    def is_cut(self) -> bool:
        return self.count == self.MOST


class CarefulChangeList(ChangeList):
    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet:
        """Compiled here, where a value that fits no column sends back to the list instead of crashing it."""
        queryset = super().get_queryset(request, exclude_parameters)
        try:
            queryset.query.get_compiler(queryset.db).as_sql()
        except EmptyResultSet:
            pass
        except (ValueError, OverflowError, ValidationError) as error:
            raise IncorrectLookupParameters(error) from error
        return queryset


def is_value_of(field: Field, text: str) -> bool:
    try:
        field.clean(text, None)
    except ValidationError:
        return False
    return "\x00" not in text


def key_of(relation: Any) -> Field:
    """The column that a relation's values are of."""
    return relation.remote_field.model._meta.pk


class CarefulOptions:
    """Before AutocompleteMixin: a form with a malformed id is shown again, and the id is not looked up."""

    field: Field

    def optgroups(self, name: str, value: list[str], attr: Any = None) -> Any:
        key = key_of(self.field)
        known = [text for text in value if not text or is_value_of(key, str(text))]
        return super().optgroups(name, known, attr)  # type: ignore[misc]  # of the mixin that follows


class SeveralRows(forms.ModelMultipleChoiceField):
    """An id too large for its column is an error of the form too."""

    def clean(self, value: Any) -> Any:
        rows: Any = self.queryset
        for text in value or ():
            if not is_value_of(rows.model._meta.pk, str(text)):
                raise ValidationError(
                    self.error_messages["invalid_pk_value"], "invalid_pk_value", {"pk": text}
                )
        return super().clean(value)


class SelectOne(CarefulOptions, AutocompleteSelect):  # type: ignore[misc]  # narrower than the stub's values
    pass


class SelectSeveral(CarefulOptions, AutocompleteSelectMultiple):  # type: ignore[misc]  # the same
    pass


class UncountedAdmin(admin.ModelAdmin):
    """For tables that grow: no COUNT of everything. Every parameter is one that the pages themselves could send."""

    formfield_overrides = {models.JSONField: {"decoder": StrictDecoder}}
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50
    paginator = BoundedPaginator
    view_on_site = False

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return CarefulChangeList

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """No regular expression and no JSON path from an address reaches the database."""
        if lookup in {getattr(named, "parameter_name", None) for named in self.list_filter}:
            return True
        first, *rest = lookup.split("__")
        own = {field.name: field for field in (*self.opts.fields, *self.opts.many_to_many)}
        if first not in own or not LOOKUPS.issuperset(rest):
            return False
        relates = own[first].is_relation and "isnull" not in rest
        if relates and not is_value_of(key_of(own[first]), value):
            return False
        return super().lookup_allowed(lookup, value, request)

    def get_search_results(self, request: HttpRequest, queryset: QuerySet, search_term: str) -> Any:
        """Each word is looked for in each field: of thousands of them no database makes a query."""
        return super().get_search_results(request, queryset, search_term[:LONGEST_SEARCH])

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs["widget"] = SelectOne(db_field, self.admin_site, using=kwargs.get("using"))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs["widget"] = SelectSeveral(db_field, self.admin_site, using=kwargs.get("using"))
        kwargs["form_class"] = SeveralRows
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        check_parameters(request)
        chosen = request.POST.getlist(ACTION_CHECKBOX_NAME)
        if not all(is_value_of(self.opts.pk, text) for text in chosen):
            raise UnreadableRequest("What is selected is no row.")
        return super().changelist_view(request, extra_context)

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        check_parameters(request)
        return super().changeform_view(request, *args, **kwargs)


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


def check_parameters(request: HttpRequest) -> None:
    """PostgreSQL holds no NUL in a text, and no page of the admin has an address with dozens of parameters."""
    if sum(len(values) for _, values in request.GET.lists()) > MAX_PARAMETERS:
        raise UnreadableRequest("The address has too many parameters.")
    if any("\x00" in value for _, values in request.POST.lists() for value in values):
        raise UnreadableRequest("The form has a NUL character.")
