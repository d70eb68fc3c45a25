"""The votes of a board as buttons."""

from html import escape

from django.urls import reverse
from django.utils.safestring import SafeString

from boards.drawing.symbols import with_spoken_text
from boards.models import Board
from pages.presenters.ballots import Ballot

NAMES = {"up": ("▲", "for", "up_votes"), "down": ("▼", "against", "down_votes")}
"""The sign, the word and the counter of each vote."""


def draw_ballot_form(ballot: Ballot) -> SafeString:
    """Draw the one form of a page, which the buttons of all its boards belong to."""
    hidden = {"csrfmiddlewaretoken": ballot.token, "next": ballot.back}
    fields = "".join(f'<input type="hidden" name="{name}" value="{escape(value)}">' for name, value in hidden.items())
    return SafeString(f'<form id="ballot" method="post">{fields}</form>\n')


def draw_ballot(board: Board, ballot: Ballot) -> SafeString:
    """Draw a button for each vote with the number of such votes. Pressing one's own takes it back."""
    action, own = reverse("board-vote", args=[board.pk]), ballot.votes.get(board.pk)
    buttons = "".join(draw_button(board, value, action, is_own=value == own) for value in NAMES)
    return SafeString(f'<span class="ballot">{buttons}</span>\n')


def draw_votes(board: Board) -> str:
    """Write the votes of a board that more are for than against; nothing for others."""
    if board.up_votes <= board.down_votes:
        return ""
    words = f"{board.up_votes} up, {board.down_votes} down"
    return f'<span class="quiet">{with_spoken_text(f"▲ {board.up_votes}", words)}</span>'


def draw_button(board: Board, value: str, action: str, *, is_own: bool) -> str:
    sign, word, counter = NAMES[value]
    count = getattr(board, counter)
    spoken = f"votes {word} this board. " + ("One is yours. Press to take it back" if is_own else "Press to vote")
    return (
        f'<button id="vote-{board.pk}-{value}" form="ballot" formaction="{action}" name="{value}"'
        f' value="{"none" if is_own else value}"'
        f' aria-pressed="{str(is_own).lower()}"><span aria-hidden="true">{sign}</span> {count}'
        f"<i> {spoken}</i></button>"
    )
