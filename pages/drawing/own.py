"""The rows of a score card: a board as those saw it who sat in one place."""

from html import escape

from django.utils.safestring import SafeString

from boards.drawing.symbols import contract, result, signed
from boards.events.own import OwnResult
from boards.events.ranking import Stage
from bridge.double_dummy import Par
from bridge.scores import Comparison
from pages.evenings.own import Highlight
from pages.evenings.ranking import HEADINGS
from pages.evenings.traveller import result_of
from pages.presenters.boards import board_link

RULES = {
    Comparison.MATCHPOINTS: "%: matchpoints in percent of a top; fewer scores count by Neuberg’s formula.",
    Comparison.IMPS: "Cross-IMPs: the mean against all other tables.",
    Comparison.BUTLER: "Butler: IMPs against the mean of all scores.",
    Comparison.BUTLER_WITHOUT_EXTREMES: "Butler: IMPs against the mean of all scores but the best and the worst.",
}


def draw_own_headings(stage: Stage) -> SafeString:
    names = ["Score", "Par", "Mean", "Rank", *["IMPs"] * bool(stage.matches)]
    names += map(unit_of, stage.comparisons)
    cells = "".join(f'<th scope="col" class="number">{name}</th>' for name in names)
    return SafeString(f'<tr><th scope="col">Board</th><th scope="col">Contract</th>{cells}</tr>')


def unit_of(comparison: Comparison) -> str:
    return "%" if comparison is Comparison.MATCHPOINTS else HEADINGS[comparison]


def explain_points(comparison: Comparison) -> str:
    return RULES[comparison]


def draw_highlight(highlight: Highlight, stage: Stage) -> SafeString:
    """Draw a board that is worth another look: what was played there, and why."""
    own = highlight.result
    name = f"Board {own.table.board_number}" if own.table.board_number else "This board"
    played = f"{board_link(own.table.pk, name)}, {draw_outcome(own)}"
    if highlight.sentence:
        return SafeString(f"{played}. {escape(highlight.sentence)}")
    if own.datum is not None and own.score is not None:
        played += f", {signed(own.score)} where the mean is {signed(own.datum)}"
    points, comparison = own.points[0], stage.comparisons[0]
    won = "" if points is None else f": {write_points(points, comparison)} {unit_of(comparison)}"
    return SafeString(f"{played}{won}.")


def draw_own_board(stage: Stage, own: OwnResult, par: Par | None) -> SafeString:
    """Draw a board as a row: what was played, its score, par and the field's mean for the own side, and its points."""
    table, side = own.table, 1 if own.side == "NS" else -1
    cells = [
        write_score(own.score),
        write_score(par["score"] * side if par else None),
        write_score(own.datum),
        f"{own.rank}/{own.tables}" if own.rank and own.tables > 1 else "–",
        *[write_score(own.match_imps)] * bool(stage.matches),
        *(write_points(points, each) for points, each in zip(own.points, stage.comparisons, strict=True)),
    ]
    shown = "".join(f'<td class="number">{cell}</td>' for cell in cells)
    name = '<span class="visually-hidden">Board </span>' + str(table.board_number or "–")
    return SafeString(
        f'<tr><th scope="row">{board_link(table.pk, name)}</th><td>{draw_outcome(own)}</td>{shown}</tr>\n'
    )


def draw_outcome(own: OwnResult) -> str:
    """Draw the contract and its result, or the director's score."""
    played, made = own.table.final_contract, result_of(own.table)
    if played is None:
        return escape(own.table.instead) or "–"
    return f"{contract(played)} {result(made)}" if made else contract(played)


def write_score(points: int | None) -> str:
    return "–" if points is None else signed(points)


def write_points(points: float | None, comparison: Comparison) -> str:
    """Write percent of a top, or IMPs, with a decimal where they are means."""
    if points is None:
        return "–"
    if comparison is Comparison.MATCHPOINTS:
        return f"{points:.1f}".removesuffix(".0")
    return signed(round(points, 1) if comparison is Comparison.IMPS else round(points))
