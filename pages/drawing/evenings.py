"""The tables of an evening: its deals, its matches, the boards of a match, and the pairs of its ranking."""

from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from html import escape

from django.urls import reverse
from django.utils.safestring import SafeString

from boards.drawing.symbols import contract, par_contract, result, signed
from boards.events.listing import DealResults
from boards.events.matches import Match, MatchBoard
from boards.events.tables import Table
from bridge.double_dummy import Par
from bridge.ranking import Place
from bridge.texts import line_for_people
from pages.evenings.events import EveningRow, parameters_of
from pages.evenings.matches import write_imps, write_points
from pages.evenings.traveller import result_of
from pages.presenters.boards import board_link
from pages.site.base import path_with_query

MAX_NAME = 48
"""The letters of a name that two lines of a phone have room for. More are written smaller."""


def draw_evening(rows: Sequence[EveningRow]) -> SafeString:
    """Draw an entry for each deal: its number, its name, one line of facts, and a bar from worst to best with par."""
    scale = scale_of(rows)
    return SafeString("".join(draw_deal(row, scale) for row in rows))


def scale_of(rows: Sequence[EveningRow]) -> tuple[int, int]:
    """Return the least and the greatest score of all these deals and their pars, for their bars."""
    scores = [score for row in rows for score, _ in row.results.scored]
    scores += [row.par["score"] for row in rows if row.par]
    return min(scores, default=0), max(scores, default=0)


def draw_deal(row: EveningRow, scale: tuple[int, int]) -> str:
    board, results = row.chosen or row.deal.board, row.results
    number = str(board.board_number or "–")
    name = line_for_people(board.deal_title or board.title) or (f"Board {number}" if board.board_number else "Board")
    facts = [f"{board.dealer} · {board.vulnerability}", draw_chosen(row) if row.chosen_name else draw_usual(results)]
    if row.par:
        facts.append(f"par {draw_par(row.par)}")
    if (best := results.best) and (worst := results.worst) and len(results) > 1:
        facts += [f"best <b>{signed(best[0])}</b>", f"worst <b>{signed(worst[0])}</b>"]
    shown = "".join(f"<span>{fact}</span>" for fact in facts if fact)
    long = ' class="long"' if len(name) > MAX_NAME else ""
    return (
        f'<li{long}><b aria-hidden="true">{number}</b>{board_link(board.pk, escape(name))}'
        f"<small>{shown}</small>{draw_spread(row, scale)}</li>\n"
    )


def draw_usual(results: DealResults) -> str:
    """Write the contract of most tables and how many of them it was; of a single table its contract and its score."""
    if len(results) == 1:
        return draw_contract(results.tables[0])
    usual = results.usual_contract
    return f"{contract(usual[0])} at {usual[1]} of {len(results)}" if usual else ""


def draw_chosen(row: EveningRow) -> str:
    """Write what was played at the table that the reader has chosen."""
    name = f'<span class="visually-hidden">{escape(row.chosen_name)}: </span>'
    return name + (draw_contract(row.chosen) if row.chosen else "not played")


def draw_contract(table: Table) -> str:
    """Draw the contract of one table, and its score."""
    played, score = table.final_contract, table.score
    if played is None:
        return escape(table.instead)
    return contract(played) if score is None else f"{contract(played)} <b>{signed(score)}</b>"


def draw_par(par: Par) -> str:
    """Draw the score and one of the contracts, in which each of the others scores the same."""
    first, *others = par["contracts"]
    contracts = par_contract(first, is_short=True, has_others=bool(others))
    return f"<b>{signed(par['score'])}</b> <span>{contracts}</span>"


def draw_spread(row: EveningRow, scale: tuple[int, int]) -> str:
    """Draw a bar from the worst to the best score of North-South with par as a mark; nothing without two scores."""
    low, high = scale
    results = row.results
    if results.best is None or results.worst is None or len(results) < 2 or low == high:
        return ""

    def place(score: int) -> int:
        return round(142 * (score - low) / (high - low))

    start, end = place(results.worst[0]), place(results.best[0])
    par = f'<path d="M{place(row.par["score"])} 0v16"/>' if row.par else ""
    return f'<svg viewBox="-4 0 150 16" aria-hidden="true"><path d="M{start} 8H{end}"/>{par}</svg>'


def draw_matches(matches: Iterable[Match], slug: str) -> SafeString:
    path = reverse("event-match", args=[slug])
    return SafeString("".join(draw_match(match, path_with_query(path, parameters_of(match))) for match in matches))


def draw_match(match: Match, address: str) -> str:
    link = f'<a href="{escape(address)}">{escape(match.home)} – {escape(match.visit)}</a>'
    if match.is_unplayed:
        cells = '<td class="quiet" colspan="3">not played</td>'
    else:
        cells = f"<td>{match.compared}</td><td>{write_imps(match.imps)}</td><td>{write_points(match)}</td>"
    return f'<tr><th scope="row">{link}</th>{cells}</tr>\n'


def draw_match_board(board: MatchBoard, so_far: tuple[int, int]) -> SafeString:
    """Draw a board of a match as a row: both tables, the IMPs of either team, and the sum so far."""
    number = str(board.board_number or "–")
    played = (board.home_north_south, board.visit_north_south)
    tables = "".join(draw_table(table, number) for table in played)
    if not any(map(is_played, played)):
        tables = draw_unplayed(next(filter(None, played), None), number, columns=2)
    points = (max(board.imps, 0), max(-board.imps, 0)) if board.imps is not None else ("–", "–")
    shown = "".join(f'<td class="number">{each or ""}</td>' for each in points)
    shown += f'<td class="number so-far">{write_imps(so_far)}</td>'
    return SafeString(f'<tr><th scope="row">{number}</th>{shown}{tables}</tr>\n')


def draw_table(table: Table | None, number: str) -> str:
    """Draw contract, result and score of a table, with a link to its page."""
    if table is None or not is_played(table):
        return draw_unplayed(table, number)
    played, score, made = table.final_contract, table.score, result_of(table)
    text = f"{contract(played)}{f' {result(made)}' if made else ''}" if played else escape(table.adjustment) or "–"
    link = board_link(table.pk, f'{text}<span class="visually-hidden">, board {number}</span>')
    return f'<td>{link} <span class="number">{"–" if score is None else signed(score)}</span></td>'


def is_played(table: Table | None) -> bool:
    return table is not None and bool(table.final_contract or table.adjustment)


def draw_unplayed(table: Table | None, number: str, columns: int = 1) -> str:
    """Say once, over one or both tables, that a board was not played, with a link to its page where it has one."""
    words = f'not played<span class="visually-hidden">, board {number}</span>'
    return f'<td class="quiet" colspan="{columns}">{board_link(table.pk, words) if table else "not played"}</td>'


def draw_places(places: Iterable[tuple[Place, str]]) -> SafeString:
    """Draw a row for each pair of a ranking, with the address of its own evening."""
    return SafeString("".join(draw_place(place, address) for place, address in places))


def draw_place(place: Place, address: str) -> str:
    is_whole = place.points == int(place.points)
    return (
        f"<tr>\n<td>{place.rank}{'=' * place.is_shared}</td>\n"
        f'<th scope="row"><a href="{escape(address)}" rel="nofollow">{escape(place.pair)}</a></th>'
        f"<td>{place.boards}</td>\n<td>{int(place.points) if is_whole else write_hundredths(place.points)}</td>\n"
        f"<td>{write_hundredths(place.average)}</td>\n</tr>\n"
    )


def write_hundredths(points: float) -> str:
    """Write points with two decimals as the filter floatformat does, of which a page would take a millisecond."""
    return str(Decimal(repr(points)).quantize(Decimal("0.01"), ROUND_HALF_UP) + 0)
