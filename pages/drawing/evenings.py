"""The tables of an evening: its deals, its matches, and the boards of a match."""

from collections.abc import Sequence
from html import escape

from django.utils.safestring import SafeString

from boards.drawing.symbols import contract, par_contract, result, signed
from boards.events.matches import Match, MatchBoard
from boards.events.tables import Table
from bridge.double_dummy import Par
from bridge.texts import line_for_people
from pages.evenings.events import EveningRow, match_path
from pages.evenings.matches import write_imps, write_points
from pages.evenings.traveller import result_of
from pages.presenters.boards import board_link

HEADS = '<th scope="col">Board</th><th scope="col">Dealer</th><th scope="col">Vul</th><th scope="col">Par</th>'
ONE_TABLE = f'{HEADS}<th scope="col">Contract, score of NS</th>'
MANY_TABLES = (
    f'{HEADS}<th scope="col">Usual contract</th><th scope="col">Best for NS</th><th scope="col">Worst for NS</th>'
    '<th scope="col" class="number">Spread</th>'
)
AND_OTHERS = '<span aria-hidden="true">, …</span><span class="visually-hidden"> and others</span>'


def draw_evening(rows: Sequence[EveningRow]) -> SafeString:
    """Draw the head of a table of deals and a row for each. Where none has two tables, there is nothing to compare."""
    chosen = rows[0].chosen_name if rows else ""
    is_compared = any(len(row.results) > 1 for row in rows)
    drawn = "".join(draw_deal(row, is_compared) for row in rows)
    heads = MANY_TABLES.replace("Usual contract", escape(chosen) or "Usual contract") if is_compared else ONE_TABLE
    return SafeString(f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{drawn}</tbody>\n")


def draw_deal(row: EveningRow, is_compared: bool) -> str:
    board = row.chosen or row.deal.board
    number = f'<span class="visually-hidden">Board </span>{board.board_number}' if board.board_number else "Board"
    name = line_for_people(board.title)
    title = f' <span class="origin">{escape(name)}</span>' if name else ""
    if len(row.results) > 1:
        cells = draw_results(row)
    else:
        span = ' colspan="4"' if is_compared else ""
        cells = f"<td{span}>{draw_chosen(row) if row.chosen_name else draw_contract(board)}</td>"
    return (
        f'<tr><th scope="row">{board_link(board.pk, number)}{title}</th><td>{board.dealer}</td>'
        f"<td>{board.vulnerability}</td><td>{draw_par(row.par)}</td>{cells}</tr>\n"
    )


def draw_results(row: EveningRow) -> str:
    """Draw the usual contract or that of the chosen table, the best and the worst score with links to their tables, and
    what lies between.
    """
    results = row.results
    usual, spread = results.usual_contract, results.spread
    usually = f"{contract(usual[0])} at {usual[1]} of {len(results)}" if usual else "–"
    usually = draw_chosen(row) if row.chosen_name else usually
    scores = "".join(f"<td>{draw_score(*found) if found else '–'}</td>" for found in (results.best, results.worst))
    return f'<td>{usually}</td>{scores}<td class="number">{"–" if spread is None else spread}</td>'


def draw_chosen(row: EveningRow) -> str:
    return draw_contract(row.chosen) if row.chosen else "not played"


def draw_score(score: int, table: Table) -> str:
    played = table.final_contract
    return board_link(table.pk, f"{signed(score)}{f', {contract(played)}' if played else ''}")


def draw_contract(table: Table) -> str:
    """Draw the contract of one table, and its score."""
    played, score = table.final_contract, table.score
    if played is None:
        return escape(table.adjustment) or "–"
    return contract(played) if score is None else f"{contract(played)} {signed(score)}"


def draw_par(par: Par | None) -> str:
    """Draw the score and one of the contracts, in which each of the others scores the same."""
    if par is None:
        return "–"
    first, *others = par["contracts"]
    return f"{signed(par['score'])}, {par_contract(first, is_short=True)}{AND_OTHERS if others else ''}"


def draw_match(match: Match, slug: str) -> SafeString:
    teams = f"{escape(match.home)} – {escape(match.visit)}"
    link = f'<a href="{escape(match_path(slug, match))}">{teams}</a>'
    return SafeString(
        f'<tr><th scope="row">{link}</th><td>{match.compared}</td><td>{write_imps(match.imps)}</td>'
        f"<td>{write_points(match)}</td></tr>\n"
    )


def draw_match_board(board: MatchBoard, so_far: tuple[int, int]) -> SafeString:
    """Draw a board of a match as a row: both tables, the IMPs of either team, and the sum so far."""
    number = str(board.board_number or "–")
    played = (board.home_north_south, board.visit_north_south)
    tables = "".join(draw_table(table, number) for table in played)
    points = (max(board.imps, 0), max(-board.imps, 0)) if board.imps is not None else ("–", "–")
    shown = "".join(f'<td class="number">{each or ""}</td>' for each in points)
    shown += f'<td class="number">{write_imps(so_far)}</td>'
    return SafeString(f'<tr><th scope="row">{number}</th>{shown}{tables}</tr>\n')


def draw_table(table: Table | None, number: str) -> str:
    """Draw contract, result and score of a table, with a link to its page."""
    if table is None:
        return '<td>–</td><td class="number">–</td>'
    played, score, made = table.final_contract, table.score, result_of(table)
    text = f"{contract(played)}{f' {result(made)}' if made else ''}" if played else escape(table.adjustment) or "–"
    link = board_link(table.pk, f'<span class="visually-hidden">Board {number}: </span>{text}')
    return f'<td>{link}</td><td class="number">{"–" if score is None else signed(score)}</td>'
