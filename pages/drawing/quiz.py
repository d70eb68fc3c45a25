"""The questions of practice: the calls or the cards as buttons of a form, and what the tables did."""

from collections.abc import Sequence

from django.utils.safestring import SafeString

from boards.drawing.symbols import call, card, contract, signed
from bridge.auction import BIDS
from bridge.cards import SUITS
from pages.practice.moment import Reply
from pages.practice.quiz import Question

WIDE = ' class="wide"'
HERE = ' class="here"'
OPEN_LEVELS = 3
"""The lowest levels that can be bid, which the bidding box shows at once. The others are folded."""


def draw_buttons(question: Question) -> SafeString:
    """Draw a button for each choice: a bidding box whose rows are levels, or a hand whose rows are suits."""
    choices = question.choices
    if question.is_lead:
        suits = ([held for held in choices if held[0] == suit] for suit in SUITS)
        return SafeString("".join(draw_row("leads", cards, question) for cards in suits if cards))
    levels = [bids for level in "1234567" if (bids := [bid for bid in choices if bid[0] == level])]
    rows = [draw_row("bids", bids, question, 5 - len(bids)) for bids in levels]
    others = [other for other in choices if other not in BIDS]
    folded = ""
    if higher := levels[OPEN_LEVELS:]:
        more = "".join(rows[OPEN_LEVELS:])
        folded = f'<details class="higher"><summary>{name_levels(higher)}</summary>{more}</details>\n'
    return SafeString("".join(rows[:OPEN_LEVELS]) + draw_row("bids", others, question, more=folded))


def name_levels(levels: Sequence[Sequence[str]]) -> str:
    """Return "4 to 7 …", the levels of a fold."""
    first, last = levels[0][0][0], levels[-1][0][0]
    return f"{first} to {last} …" if first != last else f"{first} …"


def draw_row(name: str, choices: Sequence[str], question: Question, free: int = 0, more: str = "") -> str:
    """Draw a row of buttons. Bids that are no longer sufficient leave their places free, and Pass is wide.

    `more` is markup at the end of the row.
    """
    buttons = "".join(
        f'<button name="said" value="{choice}"{WIDE if choice == "Pass" else ""}>{draw_answer(question, choice)}'
        "</button>\n"
        for choice in choices
    )
    return f'<div class="{name}">{"<span></span>" * free}{buttons}{more}</div>\n'


def draw_answer(question: Question, answer: str) -> SafeString:
    return card(answer) if question.is_lead else call(answer)


def draw_field(reply: Reply) -> SafeString:
    """Draw a row for each answer of the field: its tables, their most frequent contracts and their mean score.

    The reader's own is marked.
    """
    rows = ""
    for answer in reply.field:
        contracts = ", ".join(f"{contract(played)} ({tables})" for played, tables in answer.contracts)
        mean = "" if answer.mean_score is None else signed(round(answer.mean_score))
        name = draw_answer(reply.question, answer.answer)
        rows += (
            f'<tr{HERE if answer.answer == reply.said else ""}><th scope="row">{name}</th>'
            f'<td class="number">{answer.tables}</td><td>{contracts}</td><td class="number">{mean}</td></tr>\n'
        )
    return SafeString(rows)
