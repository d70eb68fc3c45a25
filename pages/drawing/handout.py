"""The parts of a hand-out that its template would take too long, or too many bytes, to write: a hand, and calls."""

from django.utils.safestring import SafeString

from pages.drawing.hand_records import draw_hand, with_text_style
from pages.lessons.handout import HandoutBoard, Rows

HEAD = "".join(f"<th>{seat.value}</th>" for seat in HandoutBoard.columns)


def draw_asked_hand(board: HandoutBoard) -> SafeString:
    return SafeString(draw_hand(board.diagram.hands[board.seat.key]))


def draw_calls(rows: Rows) -> SafeString:
    """Draw an auction; nothing without calls."""
    if not rows:
        return SafeString("")
    lines = ("".join(f"<td>{call or ''}</td>" for call in row) for row in rows)
    body = "".join(f"<tr>{cells}</tr>" for cells in lines)
    return SafeString(f'<table class="calls"><tr>{HEAD}</tr>{with_text_style(body)}</table>\n')
