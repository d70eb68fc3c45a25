"""What members ask to be published, and all drafts, for the start page of the admin."""

from collections.abc import Iterator

from django.http import HttpRequest
from django.urls import reverse

from boards.models import Board, PublicationReview
from config.admin.waiting import Line, count, link_to_list


def waiting_boards(request: HttpRequest) -> Iterator[Line]:
    if url := link_to_list(request, Board, published="waiting"):
        if request.user.has_perm("boards.change_board"):
            url = reverse("admin:boards_board_waiting")
        yield Line("Members' boards waiting", count(PublicationReview.objects.waiting()), url)


def drafts(request: HttpRequest) -> Iterator[Line]:
    if url := link_to_list(request, Board, published="no"):
        yield Line("Drafts", count(Board.objects.drafts()), url)
