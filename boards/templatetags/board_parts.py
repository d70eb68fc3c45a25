"""Template tags for the tables and lists of a board's page, which a template would take five times as long to write.

Names, labels and explanations are strangers' text: each is escaped where it is put in.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from urllib.parse import quote

from django import template
from django.urls import reverse
from django.utils.dateformat import format as format_date
from django.utils.safestring import SafeString

from boards.html_diagrams import draw_contract
from boards.pages.presenters import AnnotatedCall, BoardDetail, TrickCard
from boards.templatetags.bridge import call, card, denomination, par_contract
from boards.templatetags.page_parts import draw_theme
from deals.bridge.auction import AUCTION_COLUMNS

register = template.Library()


@register.simple_tag
def practice_links(hands_by_label: Mapping[str, str], shown: str) -> SafeString:
    """Link to the page with some hands only. The link of the hands that are `shown` is marked."""
    return SafeString(
        "".join(draw_practice_link(label, hands, hands == shown) for label, hands in hands_by_label.items())
    )


def draw_practice_link(label: str, hands: str, is_shown: bool) -> str:
    current = ' aria-current="true"' if is_shown else ""
    spoken = '<span class="visually-hidden">Show only </span>'
    return f'<li>\n<a href="?show={quote(hands)}" rel="nofollow"{current}>{spoken}{label}</a>\n</li>\n'


@register.simple_tag
def board_facts(detail: BoardDetail) -> SafeString:
    """List what is known about the board, each fact below its label."""
    facts = (f"<div><dt>{label}</dt>{value}</div>\n" for label, value in iterate_facts(detail))
    return SafeString(f'<dl class="facts">\n{"".join(facts)}</dl>\n')


def iterate_facts(detail: BoardDetail) -> Iterator[tuple[str, str]]:
    """Yield the label and the element of each fact that is known."""
    board, diagram = detail.board, detail.diagram
    if diagram.outcome:
        yield "Contract", f"<dd>{draw_contract(diagram)}</dd>"
    if board.opening_lead:
        yield "Opening lead", f"<dd>{card(board.opening_lead)}</dd>"
    if diagram.result:
        yield "Result", f"<dd>{diagram.result}</dd>"
    if detail.par:
        contracts = ", ".join(map(par_contract, detail.par["contracts"]))
        yield "Par", f"\n<dd>{detail.par_score}: {contracts}</dd>"
    points = ", ".join(f"{hand.seat.full_name} {hand.points}" for hand in diagram.hands.values())
    yield "Points", f"<dd>{points}</dd>"
    if detail.auction_system:
        text, language = detail.auction_system
        lang = f' lang="{escape(language)}"' if language else ""
        yield "Auction system", f"\n<dd{lang}>{escape(text)}</dd>"
    for label, text in detail.facts.items():
        yield label, f"<dd>{escape(text)}</dd>"
    if detail.themes:
        boards_path = reverse("gallery")
        yield "Themes", f"<dd>{', '.join(draw_theme(theme, boards_path) for theme in detail.themes)}</dd>"
    yield "Votes", f"<dd>{board.up_votes} up, {board.down_votes} down</dd>"
    if board.published_at:
        date = format_date(board.published_at, "j F Y")
        yield "Published", f'<dd><time datetime="{board.published_at.isoformat()}">{date}</time></dd>'


@register.simple_tag
def board_links(detail: BoardDetail) -> SafeString:
    """Link to the board as a file, a picture and a text, and to Bridge Base Online. A draft has no public files."""
    board = detail.board
    links = {f"{reverse('gallery')}/{board.pk}.txt": "Text"}
    if board.published_at:
        path = f"{reverse('board-list')}/{board.pk}"
        links = {f"{path}.pbn": "PBN file", f"{path}.lin": "LIN file", f"{path}.svg": "SVG picture", **links}
    items = "".join(f'<li><a href="{path}">{label}</a></li>\n' for path, label in links.items())
    if link := detail.bbo_link:
        items += (
            f'<li><a href="{escape(link)}" rel="noopener noreferrer">Open in Bridge Base Online</a></li>\n'
        )
    return SafeString(items)


@register.simple_tag
def auction_table(rows: Sequence[Sequence[AnnotatedCall | None]]) -> SafeString:
    """Write the calls below the seats, from West to South."""
    heads = "".join(f'<th scope="col">{seat.full_name}</th>' for seat in AUCTION_COLUMNS)
    body = "".join(f"<tr>\n{''.join(map(draw_call, row))}</tr>\n" for row in rows)
    return SafeString(
        '<table class="auction">\n<caption>The auction</caption>\n'
        f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n"
    )


def draw_call(annotated: AnnotatedCall | None) -> str:
    if annotated is None:
        return "<td>\n</td>\n"
    text = call(annotated.call.call)
    if annotated.call.alert:
        text += (
            '<span class="alert"\naria-hidden="true">!</span><span class="visually-hidden"> alerted</span>'
        )
    if note := annotated.footnote:
        spoken = '<span class="visually-hidden">note </span>'
        text += f'<a class="note-link"\nid="call-{note}" href="#note-{note}">{spoken}{note}</a>'
    return f"<td>\n{text}</td>\n"


@register.simple_tag
def auction_notes(calls: Iterable[AnnotatedCall]) -> SafeString:
    """List the explanations of calls, each with a link back to its call."""
    return SafeString("".join(map(draw_note, calls)))


def draw_note(annotated: AnnotatedCall) -> str:
    note, explanation = annotated.footnote, escape(annotated.call.explanation)
    spoken = f'<span class="visually-hidden">back to {call(annotated.call.call)}</span>'
    back = f'<a href="#call-{note}"><span aria-hidden="true">↩</span>{spoken}</a>'
    return f'<li id="note-{note}">{explanation}\n{back}</li>\n'


@register.simple_tag
def play_table(detail: BoardDetail) -> SafeString:
    """Write the play in rows of one trick. The opening leader's cards stand in the first column."""
    heads = "".join(f'<th scope="col">{seat.full_name}</th>\n' for seat in detail.players)
    body = "".join(
        f'<tr>\n<th scope="row">{number}</th>\n{"".join(map(draw_card, trick.cards))}<td>{trick.winner}</td>\n</tr>\n'
        for number, trick in enumerate(detail.tricks, start=1)
    )
    return SafeString(
        f'<thead><tr>\n<th scope="col">Trick</th>\n{heads}<th scope="col">Won by</th>\n</tr></thead>\n'
        f"<tbody>\n{body}</tbody>\n"
    )


def draw_card(played: TrickCard) -> str:
    if not played.card:
        return "<td>\n</td>\n"
    marks = "led" * played.is_lead + " won" * played.is_winner
    attribute = f' class="{marks}"' if marks else ""
    spoken = '<span class="visually-hidden"> led</span>' if played.is_lead else ""
    return f"<td{attribute}>\n{card(played.card)}{spoken}</td>\n"


@register.simple_tag
def double_dummy_table(detail: BoardDetail) -> SafeString:
    """Write the tricks by declarer, in rows, and denomination."""
    heads = "".join(f'<th scope="col">{denomination(name)}</th>' for name in detail.denominations)
    body = "".join(
        f'<tr><th scope="row">{seat}</th>{"".join(f"<td>{number}</td>" for number in tricks)}</tr>\n'
        for seat, tricks in detail.double_dummy
    )
    return SafeString(f"<thead><tr><td></td>{heads}</tr></thead>\n<tbody>\n{body}</tbody>\n")
