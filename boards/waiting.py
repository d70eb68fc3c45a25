"""The drafts, for the start page of the admin."""

from collections.abc import Iterator

from django.http import HttpRequest

from boards.models import Board
from config.admin.waiting import Line, count, link_to_list, register


@register(order=2)
def drafts(request: HttpRequest) -> Iterator[Line]:
    if url := link_to_list(request, Board, published="no"):
        yield Line("Drafts", count(Board.objects.drafts()), url)
