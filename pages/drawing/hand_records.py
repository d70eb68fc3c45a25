"""A sheet of hand records, as clubs print them.

Its markup is short, since a page has 36 boards: boards/records.css finds each part by its place.
"""

from html import escape

from django.utils.safestring import SafeString

from boards.drawing.symbols import SYMBOL
from boards.models.names import event_name_of
from bridge.diagram import DiagramHand
from bridge.names import SUIT_SYMBOLS, TEXT_STYLE
from pages.presenters.boards import HandRecord, board_link, format_par

HEAD = f"<tr><td></td>{''.join(f'<th>{SUIT_SYMBOLS.get(name, name)}</th>' for name in HandRecord.denominations)}</tr>"
"""The head of a double dummy table."""

MAX_NAME = 40
"""Characters of an event's name: with its date they fill a line on paper."""


def draw_record(record: HandRecord, heading_of_page: str = "") -> SafeString:
    """Draw a board, with its event unless the heading of the page names it."""
    board, hands = record.board, record.diagram.hands
    link = board_link(board.pk, record.heading) if board.published_at else record.heading
    points = "".join(f"<span>{hand.points}</span>" for hand in hands.values())
    par = f'<p class="par">Par {with_text_style(format_par(record.par))}</p>\n' if record.par else ""
    event = "" if heading_of_page else escape(event_name_of(board, MAX_NAME))
    event = f'<p class="event">{event}</p>\n' if event else ""
    return SafeString(
        f'<article class="record">\n<div><h2>{link}</h2>Dealer {board.dealer}<br>Vul {board.vulnerability}</div>\n'
        f"{''.join(map(draw_hand, hands.values()))}"
        f'<p class="points"><b>HCP</b>{points}</p>\n{draw_tricks(record)}{par}{event}</article>\n'
    )


def draw_hand(hand: DiagramHand) -> str:
    suits = "<br>".join(f"<b>{suit.symbol}{TEXT_STYLE}</b>{suit.ranks or '—'}" for suit in hand.suits)
    return f'<p class="of-{hand.seat.key}"><i>{hand.seat.full_name}</i>{suits}</p>\n'


def draw_tricks(record: HandRecord) -> str:
    """Draw the double dummy table; nothing until it is computed."""
    if not record.double_dummy:
        return ""
    rows = "".join(
        f"<tr><th>{seat.value}</th>{''.join(f'<td>{number}</td>' for number in tricks)}</tr>"
        for seat, tricks in record.double_dummy
    )
    return f"<table>{with_text_style(HEAD)}{rows}</table>\n"


def with_text_style(text: str) -> str:
    """Have suit symbols drawn in the colour of the text, and not as pictures."""
    return SYMBOL.sub(rf"\1{TEXT_STYLE}", text)
