"""The tables of each deal, on a sheet for paper. Names are cut to what a column on paper has room for."""

from functools import lru_cache
from html import escape

from django.utils.safestring import SafeString

from boards.drawing.symbols import short_result, signed
from bridge.board import teams_of
from bridge.contract import Contract
from bridge.names import SUIT_SYMBOLS, format_call, format_ranks
from pages.drawing.hand_records import with_text_style
from pages.evenings.results_sheet import DealSheet
from pages.evenings.traveller import Row, name_of_teams
from pages.presenters.boards import board_link, format_par

MAX_NAME = 30
"""Characters of the names of two teams, or of another name of a table."""


def draw_traveller(sheet: DealSheet) -> SafeString:
    board, traveller = sheet.deal.board, sheet.traveller
    name = f"Board {board.board_number}" if board.board_number else f"Deal {sheet.number}"
    par = f" · Par {format_par(sheet.par)}" if sheet.par else ""
    facts = f"Dealer {board.dealer} · Vul {board.vulnerability}{with_text_style(par)}"
    points = "".join(f'<th scope="col">{column.heading}</th>' for column in traveller.columns)
    rows = "".join(draw_row(row, traveller.has_teams) for row in traveller.rows)
    if not rows:
        rows = f'<tr><td colspan="5">{len(sheet.deal.tables)} tables, too many to compare.</td></tr>'
    return SafeString(
        f"<table>\n<caption>{board_link(board.pk, name)} {facts}</caption>\n"
        '<thead><tr><th scope="col">Table</th><th scope="col">Contract</th><th scope="col">Lead</th>'
        f'<th scope="col">Result</th><th scope="col">Score</th>{points}</tr></thead>\n'
        f"<tbody>\n{rows}</tbody>\n</table>\n"
    )


def draw_row(row: Row, has_teams: bool) -> str:
    table = row.table
    played, score = table.final_contract, table.score
    cells = [
        write_contract(played) if played else escape(shorten(table.instead)) or "–",
        write_card(table.opening_lead) if table.opening_lead else "–",
        short_result(row.result) or "–",
        "–" if score is None else signed(score),
        *(points or "–" for points in row.points),
    ]
    shown = "".join(f"<td>{cell}</td>" for cell in cells)
    return f"<tr><th>{escape(short_name(row, has_teams))}</th>{shown}</tr>\n"


def short_name(row: Row, has_teams: bool) -> str:
    """Return the teams with the room or the number of the table, else what the row is called on a board's page."""
    table = row.table
    if not (has_teams and (teams := name_of_teams(table))):
        return shorten(row.name)
    if len(teams) > MAX_NAME:
        teams = " – ".join(shorten(team, MAX_NAME // 2) for team in teams_of(table) if team)
    return ", ".join(filter(None, (teams, shorten(table.room or table.table))))


@lru_cache(maxsize=1024)
def write_contract(played: Contract) -> str:
    """Write a contract with its declarer, as in "4♠X S", without words for screen readers: the page has hundreds."""
    if played.level is None:
        return "Pass"
    declarer = f" {played.declarer.value}" if played.declarer else ""
    return with_text_style(f"{format_call(f'{played.level}{played.denomination}')}{played.doubled}{declarer}")


@lru_cache(maxsize=64)
def write_card(card: str) -> str:
    return with_text_style(f"{SUIT_SYMBOLS[card[0]]}{format_ranks(card[1])}")


def shorten(name: str, most: int = MAX_NAME) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"
