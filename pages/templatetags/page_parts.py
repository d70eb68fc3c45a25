"""Template tags for what repeats dozens of times on a page, which a template would take five times as long to write.

Titles, labels and explanations are strangers' text: each is escaped where it is put in.
"""

from collections.abc import Iterable
from html import escape

from django import template
from django.utils.safestring import SafeString

from boards.drawing.html_diagrams import draw_outcome, render_html
from bridge.names import SIDE_NAMES
from config.values.labels import Label
from pages.boards.themes import CountedTheme
from pages.drawing.deals import draw_results, draw_row
from pages.drawing.evenings import draw_evening, draw_match_board, draw_matches, draw_places
from pages.drawing.hand_records import draw_record
from pages.drawing.handout import draw_asked_hand, draw_calls
from pages.drawing.own import draw_highlight, draw_own_board, draw_own_headings, explain_points
from pages.drawing.quiz import draw_answer, draw_buttons, draw_field
from pages.drawing.results_sheet import draw_traveller
from pages.drawing.table_diagrams import draw_choices, draw_diagram, draw_own_hand
from pages.drawing.tables import draw_auction, draw_double_dummy, draw_moment, draw_play, draw_rows
from pages.drawing.votes import draw_ballot, draw_ballot_form, draw_votes
from pages.evenings.ranking import HEADINGS
from pages.presenters.ballots import Ballot
from pages.presenters.boards import board_link, theme_path
from pages.presenters.deal_cards import DealCard
from themes.labels import LabelCache, LabelledTheme, latest_label_cache

register = template.Library()
register.simple_tag(draw_diagram, name="hand_diagram")
register.simple_tag(draw_own_hand, name="own_hand")
register.simple_tag(lambda diagram: SafeString(draw_outcome(diagram)), name="outcome_line")
register.simple_tag(draw_choices, name="choices_with_costs")
register.simple_tag(draw_moment, name="moment")
register.simple_tag(draw_record, name="hand_record")
register.simple_tag(draw_asked_hand, name="asked_hand")
register.simple_tag(draw_calls, name="calls_on_paper")
register.simple_tag(draw_evening, name="evening_rows")
register.simple_tag(draw_matches, name="match_rows")
register.simple_tag(draw_places, name="ranking_rows")
register.simple_tag(draw_match_board, name="match_board")
register.simple_tag(draw_own_headings, name="own_headings")
register.simple_tag(draw_own_board, name="own_board")
register.simple_tag(draw_highlight, name="own_highlight")
register.simple_tag(explain_points, name="points_rule")
register.filter("heading", lambda comparison: HEADINGS[comparison])
register.filter("side_name", lambda side: SIDE_NAMES[side])
register.simple_tag(draw_traveller, name="traveller_on_paper")
register.simple_tag(draw_rows, name="traveller_rows")
register.simple_tag(draw_auction, name="auction_table")
register.simple_tag(draw_play, name="play_table")
register.simple_tag(draw_double_dummy, name="double_dummy_table")
register.simple_tag(draw_buttons, name="quiz_buttons")
register.simple_tag(draw_answer, name="quiz_answer")
register.simple_tag(draw_field, name="field_rows")
register.simple_tag(draw_row, name="deal_row")
register.simple_tag(draw_ballot_form, name="ballot_form")
register.simple_tag(draw_ballot, name="ballot_buttons")


@register.simple_tag
def theme_chip(theme: LabelledTheme) -> SafeString:
    """Link to the page of a theme."""
    return SafeString(draw_theme(theme, latest_label_cache()))


@register.simple_tag
def deal_cards(cards: Iterable[DealCard], level: int, ballot: Ballot | None = None) -> SafeString:
    """List deals, each with its diagram and themes. `level` is that of their headings. With a ballot one can vote."""
    labels = latest_label_cache()
    return SafeString("".join(draw_card(card, level, labels, ballot) for card in cards))


def draw_card(card: DealCard, level: int, labels: LabelCache, ballot: Ballot | None) -> str:
    board = card.board
    themes = "".join(f"<li>{draw_theme(theme, labels)}</li>" for theme in card.themes)
    votes = draw_ballot(board, ballot) if ballot else draw_votes(board)
    foot = f'<ul class="chips" aria-label="Themes">{themes}</ul>\n{votes}' if themes else votes
    foot = f'<div class="deal-foot">{foot}</div>' if foot else ""
    link = board_link(board.pk, escape(card.name))
    origin = f'<span class="origin">{escape(card.origin)}</span>' if card.origin else ""
    outcome = draw_results(card) if card.has_several else draw_outcome(card.diagram, is_short=True)
    return (
        f'<article class="card deal-card">\n<h{level}>{link}{origin}</h{level}>\n{render_html(card.diagram)}'
        f'<p class="deal-outcome">{outcome}</p>\n{foot}</article>\n'
    )


@register.simple_tag
def theme_items(themes: Iterable[CountedTheme], counted: bool = False) -> SafeString:
    """Write each theme as an entry of a list, if so wanted with the number of its boards."""
    items = ""
    for theme in themes:
        number = f' <span class="quiet">{theme.number}</span>' if counted else ""
        items += f"<li>{draw_link(theme.label, theme.path)}{number}</li>\n"
    return SafeString(items)


def draw_theme(theme: LabelledTheme, labels: LabelCache) -> str:
    return draw_link(theme.label, theme_path(theme.theme, labels), ' class="chip"')


def draw_link(label: Label, path: str, attributes: str = "") -> str:
    lang = f' lang="{escape(label.language)}"' if label.language else ""
    return f'<a{attributes} href="{escape(path)}"{lang}>{escape(label.text)}</a>'
