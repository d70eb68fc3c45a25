"""The rows of a traveller on a board's page. It may have a hundred: a template takes five times as long.

The names of teams are strangers' text, and escaped.
"""

from html import escape

from django.urls import reverse
from django.utils.safestring import SafeString

from boards.drawing.symbols import card, contract, result, signed
from pages.evenings.traveller import Row, Traveller


def draw_rows(traveller: Traveller) -> SafeString:
    """Draw a row for each table, with a link to its board. The page's own board is marked."""
    boards_path = reverse("gallery")
    return SafeString("".join(draw_row(row, traveller, boards_path) for row in traveller.rows))


def draw_row(row: Row, traveller: Traveller, boards_path: str) -> str:
    table, name = row.table, escape(row.name)
    if table.pk == traveller.board_id:
        marked, head = ' class="here"', f'{name}<span class="visually-hidden">, this board</span>'
    else:
        marked, head = "", f'<a href="{boards_path}/{table.pk}">{name}</a>'
    played, score = table.final_contract, table.score
    cells = (
        contract(played) if played else escape(table.adjustment) or "–",
        card(table.opening_lead) if table.opening_lead else "–",
        result(row.result) if row.result else "–",
    )
    numbers = ("–" if score is None else signed(score), *(points or "–" for points in row.points))
    return (
        f'<tr{marked}><th scope="row">{head}</th>'
        f"{''.join(f'<td>{cell}</td>' for cell in cells)}"
        f"{''.join(map(draw_number, numbers))}</tr>\n"
    )


def draw_number(number: str) -> str:
    return f'<td class="number">{number}</td>'
