from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest

from forms.models import Submission


class SentBy(admin.SimpleListFilter):
    """Robots' submissions are out of the way until somebody asks for them."""

    title = "sent by"
    parameter_name = "sentBy"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("robots", "Robots, by the look of it"), ("all", "Anybody")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Submission]) -> QuerySet[Submission]:
        if self.value() == "all":
            return queryset
        return queryset.filter(is_suspected=self.value() == "robots")

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        """Django calls the first choice "All"."""
        people, *others = super().choices(changelist)
        yield {**people, "display": "People"}
        yield from others
