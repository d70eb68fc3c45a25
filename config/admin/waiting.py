"""What waits for staff, shown on the start page of the admin.

settings.WAITING names the functions that make its lines, in their order:

    def drafts(request: HttpRequest) -> Iterator[Line]:
        if url := link_to_list(request, Board, published="no"):
            yield Line("Drafts", count(Board.objects.drafts()), url)
"""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse

from config.database.rows import count_up_to

MAX_COUNT = 10_000
"""The most that is counted: the list that a line leads to goes no further either."""


@dataclass(frozen=True, slots=True)
class Line:
    """Something that waits: how many, or since when. `note` says what else to know; trouble has to be looked at."""

    what: str
    amount: str
    url: str = ""
    note: str = ""
    is_trouble: bool = False


def count(rows: QuerySet) -> str:
    """Return how many rows there are, as a text: from ten thousand on "9,999+"."""
    counted = count_up_to(MAX_COUNT, rows)
    return f"{MAX_COUNT - 1:,}+" if counted == MAX_COUNT else f"{counted:,}"


def link_to_list(request: HttpRequest, model: type[Model], **parameters: str) -> str:
    """Return the address of a list in the admin, or "" when the person who asks may not see its rows."""
    if not admin.site.get_model_admin(model).has_view_permission(request):
        return ""
    options = model._meta
    return f"{reverse(f'admin:{options.app_label}_{options.model_name}_changelist')}?{urlencode(parameters)}"
