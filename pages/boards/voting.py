"""Voting on the pages, by a plain form."""

from http import HTTPStatus
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from config.values.web_addresses import own_path
from pages.presenters.ballots import ANCHOR
from pages.site.base import MemberPage
from voting import services
from voting.serializers import VOTE


class VotePage(MemberPage):
    """POST /boards/{id}/vote with the button pressed → 303 to the page in `next`, at that button, or 404.

    The button `up` or `down` has the vote of PUT /api/voting/{boardId} as its value: its own, or none.
    GET → 302 to the board, for whoever has just signed in to vote.
    """

    def get(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        return HttpResponseRedirect(reverse("board-page", args=[pk]))

    def post(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        pressed = "up" if "up" in request.POST else "down"
        value = VOTE.run_validation({"vote": request.POST.get(pressed)})["vote"]
        services.cast_vote(account=self.member, board_id=pk, value=value)
        back = own_path(request.POST.get("next", ""), reverse("board-page", args=[pk]))
        anchor = request.POST.get("anchor", "")
        fragment = f"#{anchor}-{pressed}" if ANCHOR.fullmatch(anchor) else ""
        return HttpResponseRedirect(back.partition("#")[0] + fragment, status=HTTPStatus.SEE_OTHER)
