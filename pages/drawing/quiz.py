"""The questions of practice: the calls or the cards as buttons of a form."""

from collections.abc import Sequence

from django.utils.safestring import SafeString

from boards.drawing.symbols import call, card
from bridge.auction import BIDS
from bridge.cards import SUITS
from pages.practice.quiz import Question


def draw_buttons(question: Question) -> SafeString:
    """Draw a button for each choice: a bidding box whose rows are levels, or a hand whose rows are suits."""
    choices = question.choices
    if question.is_lead:
        suits = ([held for held in choices if held[0] == suit] for suit in SUITS)
        return SafeString("".join(draw_row("", cards, question) for cards in suits if cards))
    levels = ([bid for bid in choices if bid[0] == level] for level in "1234567")
    rows = (draw_row(" of-level", bids, question, 5 - len(bids)) for bids in levels if bids)
    others = [other for other in choices if other not in BIDS]
    return SafeString(draw_row("", others, question) + "".join(rows))


def draw_row(name: str, choices: Sequence[str], question: Question, free: int = 0) -> str:
    """Draw a row of buttons. Bids that are no longer sufficient leave their places free."""
    buttons = "".join(
        f'<button name="said" value="{choice}">{draw_answer(question, choice)}</button>\n' for choice in choices
    )
    return f'<div class="choices{name}">{"<span></span>" * free}{buttons}</div>\n'


def draw_answer(question: Question, answer: str) -> SafeString:
    return card(answer) if question.is_lead else call(answer)
