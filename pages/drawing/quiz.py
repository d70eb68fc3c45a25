"""The questions of practice: the calls or the cards as buttons of a form, and the reply to an answer.

They are written in Python as the tables are: a form has up to 38 buttons. They have no free text.
"""

from collections.abc import Mapping, Sequence

from django.utils.html import format_html, format_html_join
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
    buttons = "".join(draw_button(choice, question) for choice in choices)
    return f'<div class="choices{name}">{"<span></span>" * free}{buttons}</div>\n'


def draw_button(choice: str, question: Question) -> str:
    return f'<button name="said" value="{choice}">{draw_answer(choice, question)}</button>\n'


def draw_answer(answer: str, question: Question) -> SafeString:
    return card(answer) if question.is_lead else call(answer)


def draw_reply(question: Question, said: str) -> SafeString:
    """Tell what was called or led at the table, and whether the reader said the same."""
    answer = draw_answer(said, question)
    if not question.at_table:
        return format_html("No lead is recorded at the table. You said {}.", answer)
    verb = "led" if question.is_lead else "called"
    if said == question.at_table:
        text = "You said {}, the same as {} {} at the table."
        return format_html(text, answer, question.seat.full_name, verb)
    at_table = draw_answer(question.at_table, question)
    text = "At the table {} {} {}. You said {}."
    return format_html(text, question.seat.full_name, verb, at_table, answer)


def draw_counts(question: Question, counts: Mapping[str, int]) -> SafeString:
    """List the answers of all readers, the most frequent first."""
    parts = ((draw_answer(answer, question), f"{count:,}") for answer, count in counts.items())
    return format_html_join(", ", "{}: {}", parts)
