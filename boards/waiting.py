"""What members ask to be published, and all drafts, for the start page of the admin."""

from collections.abc import Iterator

from django.http import HttpRequest

from boards.models import Board, PublicationReview
from config.admin.waiting import Line, count, link_to_list


def waiting_boards(request: HttpRequest) -> Iterator[Line]:
    if url := link_to_list(request, Board, published="waiting"):
        yield Line("Members' boards waiting", count(PublicationReview.objects.waiting()), url)


def drafts(request: HttpRequest) -> Iterator[Line]:
    if url := link_to_list(request, Board, published="no"):
        yield Line("Drafts", count(Board.objects.drafts()), url)
