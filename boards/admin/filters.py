"""The filters of the list of boards."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from boards.admin.search import with_condition
from boards.forms import EVENT_LENGTH, DateInput, ThemeField
from boards.models import Board, PublicationReview
from boards.search.filters.parameters import played_in
from bridge.dates import days_between

WAITING = "waiting"


class PublishedFilter(admin.SimpleListFilter):
    title = "publication"
    parameter_name = "published"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "Published"), ("no", "Drafts"), (WAITING, "Waiting for staff")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Board]) -> QuerySet[Board]:
        if self.value() == WAITING:
            return queryset.filter(review__state=PublicationReview.State.WAITING)
        if self.value() in ("yes", "no"):
            return queryset.filter(published_at__isnull=self.value() == "no")
        return queryset


class BoardFilterForm(forms.Form):
    """What the boards of the list have. Blank fields leave all."""

    theme = ThemeField(required=False)
    event = forms.CharField(max_length=EVENT_LENGTH, required=False, label="Event contains")
    played_from = forms.DateField(required=False, widget=DateInput)
    played_until = forms.DateField(required=False, widget=DateInput)


class PlayedFilter(admin.ListFilter):
    """Choose by theme, event and the dates played, with one form for all of them."""

    title = "theme, event and date"
    template = "admin/boards/board/filter.html"
    parameter_names = tuple(BoardFilterForm.base_fields)

    def __init__(self, request: HttpRequest, params: dict[str, Any], model: type[Model], model_admin: Any) -> None:
        super().__init__(request, params, model, model_admin)
        for name in self.parameter_names:
            if values := params.pop(name, None):
                self.used_parameters[name] = values[-1]
        self.form = BoardFilterForm(self.used_parameters, auto_id="filter_%s")

    def has_output(self) -> bool:
        return True

    def expected_parameters(self) -> list[str | None]:
        return [*self.parameter_names]

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        """Yield what the form sends along: the search, the order, and the choices of the other filters."""
        for name, values in changelist.filter_params.items():
            if name not in self.parameter_names:
                yield from ({"name": name, "value": value} for value in values)

    def queryset(self, request: HttpRequest, queryset: QuerySet[Board]) -> QuerySet[Board]:
        if not self.form.is_valid():
            raise ValidationError(self.form.errors.as_text())
        chosen = self.form.cleaned_data
        if chosen["theme"]:
            queryset = queryset.filter(themes=chosen["theme"])
        if chosen["event"]:  # a part of a word, which the index does not know
            queryset = queryset.filter(event__icontains=chosen["event"])
        first, last = chosen["played_from"], chosen["played_until"]
        if not first and not last:
            return queryset
        return with_condition(request, queryset, played_in(days_between(first, last)))
