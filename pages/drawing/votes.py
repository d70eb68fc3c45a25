"""The votes of a board as buttons."""

from html import escape

from django.urls import reverse
from django.utils.safestring import SafeString

from boards.models import Board
from pages.presenters.ballots import Ballot

NAMES = {"up": ("▲", "for", "up_votes"), "down": ("▼", "against", "down_votes")}
"""The sign, the word and the counter of each vote."""


def draw_ballot(board: Board, ballot: Ballot) -> SafeString:
    """Draw a form with a button for each vote and the number of such votes. Pressing one's own takes it back."""
    own, anchor = ballot.votes.get(board.pk), ballot.anchor(board.pk)
    buttons = "".join(draw_button(board, value, anchor, is_own=value == own) for value in NAMES)
    hidden = {"csrfmiddlewaretoken": ballot.token, "next": ballot.back, "anchor": anchor}
    fields = "".join(f'<input type="hidden" name="{name}" value="{escape(value)}">' for name, value in hidden.items())
    action = reverse("board-vote", args=[board.pk])
    return SafeString(f'<form class="ballot" method="post" action="{action}">{fields}{buttons}</form>\n')


def draw_button(board: Board, value: str, anchor: str, *, is_own: bool) -> str:
    sign, word, counter = NAMES[value]
    count = getattr(board, counter)
    label = f"Vote {word}: {count}" + (", your vote. Press to take it back" if is_own else "")
    return (
        f'<button id="{anchor}-{value}" name="{value}" value="{"none" if is_own else value}"'
        f' aria-pressed="{str(is_own).lower()}" aria-label="{label}">{sign} {count}</button>'
    )
