"""What came of a deal of a list, as a part of its card or of its row."""

from html import escape

from django.utils.safestring import SafeString

from boards.drawing.symbols import contract, result, signed
from bridge.names import format_result
from pages.presenters.boards import board_link, boards_path
from pages.presenters.deal_cards import DealCard


def draw_results(card: DealCard) -> str:
    """Sum up the tables of a deal, with a link to all of them."""
    link = f'<a href="{boards_path()}/{card.board.pk}#traveller">{card.number}</a>'
    par = f", par {signed(card.par['score'])}" if card.par else ""
    return f"{link}{write_scores(card)}{par}"


def draw_row(card: DealCard) -> SafeString:
    """Write a deal without its hands as an entry of a list."""
    board = card.board
    origin = f' <span class="origin">{escape(card.origin)}</span>' if card.origin else ""
    facts = (
        f"Dealer {board.dealer}",
        f"Vul {board.vulnerability}",
        f"{card.number}{write_scores(card)}" if card.has_several else draw_outcome(card),
        f"par {signed(card.par['score'])}" if card.par else "",
    )
    shown = " · ".join(fact for fact in facts if fact)
    return SafeString(f"<li>{board_link(board.pk, escape(card.name))}{origin}\n<p>{shown}</p></li>\n")


def write_scores(card: DealCard) -> str:
    """Write what follows the number of tables: ", 4 of them found: N-S +620 to −100"."""
    found = f", {card.found} of them found" if card.found < len(card.results) else ""
    best, worst = card.results.best, card.results.worst
    if best is None or worst is None:
        return found
    if best[0] == worst[0]:
        return f"{found}: N-S {signed(best[0])}"
    return f"{found}: N-S {signed(best[0])} to {signed(worst[0])}"


def draw_outcome(card: DealCard) -> str:
    """Write the contract and what was made and scored, as in a table of results; nothing without a contract."""
    record = card.diagram.record
    if record.contract is None:
        return ""
    made = f" {result(format_result(record.contract, record.tricks))}" if record.tricks is not None else ""
    score = f" {signed(record.score)}" if record.score is not None else ""
    return f"{contract(record.contract)}{made}{score}"
