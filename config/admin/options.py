"""What the admin pages of all apps share: forms that change only what was changed, and bounds for large tables.

Django's admin looks up values of addresses and forms unvalidated. Here its errors become a MalformedRequest, which
config.admin.site answers.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import unquote
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.core.validators import ProhibitNullCharactersValidator
from django.db import DataError, connection, models
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.utils.functional import cached_property

from config.admin.site import MalformedRequest
from config.database.rows import count_up_to
from config.values.strict_json import JsonError, check_value

has_no_nul = ProhibitNullCharactersValidator()


def check_ids(model: type[Model], ids: Iterable[str]) -> None:
    """Raise MalformedRequest for an id that no row of the model can have."""
    key = model._meta.pk
    try:
        for each in ids:
            has_no_nul(each)
            key.run_validators(key.to_python(each))
    except ValidationError as error:
        raise MalformedRequest from error


class ChangedFieldsForm(forms.ModelForm):
    """A form that leaves alone what was not changed on the page, whatever else has changed in the row since.

    The page holds the value that each field had when it was opened (Django's show_hidden_initial). A field that comes
    back as it was is not part of `cleaned_data`, so neither the row nor what it is related to gets an old value. A form
    that was not sent from such a page is compared with the row.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.hold_initial_values()

    def hold_initial_values(self) -> None:
        """Call it again after replacing a field."""
        names = {self.add_initial_prefix(name) for name in self.fields}
        holds = not self.instance._state.adding and (not self.is_bound or not names.isdisjoint(self.data))
        for field in self.fields.values():
            field.show_hidden_initial = holds

    def full_clean(self) -> None:
        """Refuse ids of related rows that there cannot be: Django looks them up to show the form again."""
        for name, field in self.fields.items():
            if self.is_bound and isinstance(field, forms.ModelChoiceField) and field.queryset is not None:
                for each in (self.add_prefix(name), self.add_initial_prefix(name)):
                    sent = field.widget.value_from_datadict(self.data, self.files, each) or ()
                    check_ids(field.queryset.model, [sent] if isinstance(sent, str) else sent)
        super().full_clean()

    def clean(self) -> dict[str, Any]:
        super().clean()
        if not self.instance._state.adding:
            for name in self.cleaned_data.keys() - set(self.changed_data):
                del self.cleaned_data[name]
        return self.cleaned_data

    def changed_columns(self) -> list[str]:
        own = {field.name for field in self._meta.model._meta.concrete_fields}
        return [name for name in self.changed_data if name in own]


LOOKUPS = frozenset({"exact", "gte", "id", "isempty", "isnull", "lt"})
"""The lookups that may follow a field's name in an address: those that the pages' own filters and links use."""

MAX_SEARCH_LENGTH = 200


class StrictDecoder(json.JSONDecoder):
    """Parse the JSON of a form as strictly as the API does, so that the form refuses what a store would not keep."""

    def decode(self, text: str, *args: Any) -> Any:
        value = super().decode(text, *args)
        try:
            check_value(value)
        except JsonError as error:
            raise json.JSONDecodeError(str(error), text, 0) from error
        return value


class BoundedPaginator(Paginator):
    """Count up to MAX_COUNT rows: a COUNT of a million takes a quarter of a second, and every list begins with one.

    Rows beyond that are found by searching and filtering.
    """

    MAX_COUNT = 10_000

    @cached_property
    def count(self) -> int:
        rows: Any = self.object_list
        return count_up_to(self.MAX_COUNT, rows)

    @property
    def is_cut(self) -> bool:
        return self.count == self.MAX_COUNT


class LargeTableAdmin(admin.ModelAdmin):
    """The base of all our admin pages: no COUNT of everything, and no lookup that the pages themselves do not use.

    A page changes the columns that were changed on it, and no others: what a vote or another person has changed since
    the page was opened stays.
    """

    form = ChangedFieldsForm
    formfield_overrides = {models.JSONField: {"decoder": StrictDecoder}}
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50
    paginator = BoundedPaginator
    view_on_site = False
    shown_in_words: ClassVar[Mapping[str, Any]] = {}
    """What replaces a field for staff with read-only access, so that they read words and not JSON."""

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Show staff who may not change the row what `shown_in_words` has."""
        fieldsets: Any = super().get_fieldsets(request, obj)
        if obj is None or self.has_change_permission(request, obj):
            return fieldsets
        return [
            (title, {**options, "fields": [self.shown_in_words.get(name, name) for name in options["fields"]]})
            for title, options in fieldsets
        ]

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Lock the row for a request that may change it, so that nobody changes or deletes it until the commit."""
        from_field = from_field or None  # "?_to_field=" names none
        row = super().get_object(request, object_id, from_field)
        if row is None or request.method != "POST" or not connection.in_atomic_block:
            return row
        self.lock(row)
        return super().get_object(request, object_id, from_field)

    def get_or_404(self, request: HttpRequest, object_id: str) -> Any:
        """Return the row that the address of a page of our own names, as `get_object` does. Raise Http404."""
        if (row := self.get_object(request, unquote(object_id))) is None:
            raise Http404
        return row

    def get_changeable_or_404(self, request: HttpRequest, object_id: str) -> Any:
        """Do the same for those who may change the row. Raise PermissionDenied for others."""
        row = self.get_or_404(request, object_id)
        if not self.has_change_permission(request, row):
            raise PermissionDenied
        return row

    def lock(self, row: Any) -> None:
        list(self.model._base_manager.select_for_update(no_key=True).filter(pk=row.pk).values_list("pk"))

    def get_changelist_form(self, request: HttpRequest, **kwargs: Any) -> Any:
        """Let the rows that are edited in a list be changed as on a page of their own."""
        return super().get_changelist_form(request, **{"form": ChangedFieldsForm, **kwargs})

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save a new row, else only the columns that the form changed, and when that was."""
        if not change:
            super().save_model(request, obj, form, change)
        elif columns := form.changed_columns():
            moments = [field.name for field in self.model._meta.fields if getattr(field, "auto_now", False)]
            obj.save(update_fields=[*columns, *moments])

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """Raise MalformedRequest where Django would redirect to the whole list, but for a page past its end."""
        try:
            return super().get_changelist_instance(request)
        except IncorrectLookupParameters as error:
            if error.args:
                raise MalformedRequest from error
            raise
        except (DataError, OverflowError) as error:  # a number or a date that no column can have
            if request.GET:
                raise MalformedRequest from error
            raise

    def response_action(self, request: HttpRequest, queryset: QuerySet) -> HttpResponseBase | None:
        """Refuse a selection of ids that there cannot be, which Django would look up."""
        check_ids(self.model, request.POST.getlist(ACTION_CHECKBOX_NAME))
        return super().response_action(request, queryset)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Allow LOOKUPS on the model's own fields: no regular expression and no JSON path reaches the database."""
        filters = [each for each in self.list_filter if isinstance(each, type)]  # ours read one parameter or several
        names = {name for each in filters for name in getattr(each, "parameter_names", ())}
        if lookup in names | {each.parameter_name for each in filters if hasattr(each, "parameter_name")}:
            return True
        first, *rest = lookup.split("__")
        own_fields = {field.name for field in (*self.opts.fields, *self.opts.many_to_many)}
        if first not in own_fields or not LOOKUPS.issuperset(rest):
            return False
        return super().lookup_allowed(lookup, value, request)

    def get_search_results(self, request: HttpRequest, queryset: QuerySet, search_term: str) -> Any:
        """Cut the search term: each word is looked for in each field, and no database compiles thousands of those."""
        return super().get_search_results(request, queryset, search_term[:MAX_SEARCH_LENGTH])

    def show_page(self, request: HttpRequest, page: str, title: str, **context: Any) -> TemplateResponse:
        """Show a page of our own about this model: admin/APP/MODEL/PAGE.html."""
        shared = {**self.admin_site.each_context(request), "title": title, "opts": self.opts, "media": self.media}
        template = f"admin/{self.opts.app_label}/{self.opts.model_name}/{page}.html"
        return TemplateResponse(request, template, {**shared, **context})


class ReadOnlyAdmin(LargeTableAdmin):
    """The base of pages for rows that the service writes itself: staff look at them, nobody edits them."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return [field.name for field in self.model._meta.fields]
