"""The tables of a board's page: the auction, the play trick by trick, and the double dummy tricks.

They are written in Python as the hand diagrams are: a template takes five times as long for their hundred cells. They
have no free text.
"""

from collections.abc import Iterable, Sequence

from django.utils.html import format_html
from django.utils.safestring import SafeString

from boards.drawing.symbols import call, card, denomination, with_spoken_text
from bridge.contract import Contract
from bridge.seats import Seat
from bridge.verdict import cost_in_words
from pages.presenters.boards import AnnotatedCall, BoardDetail
from pages.presenters.playing import Trick, TrickCard

LED = '<span class="visually-hidden"> led</span>'
NEXT_CALL = '<td class="next-call"><span aria-hidden="true">?</span><span class="visually-hidden">next</span></td>\n'
ALERTED = '<span class="alert" aria-hidden="true">!</span><span class="visually-hidden"> alerted</span>'


def draw_auction(detail: BoardDetail) -> SafeString:
    """Draw the calls in rows from West to South, with links to the explanations below the table.

    Headings of the page stand above the tables, so their captions are for screen readers.
    """
    seats = "".join(f'<th scope="col">{seat.full_name}</th>' for seat in detail.seats)
    rows = "".join(f"<tr>\n{''.join(map(draw_call, row))}</tr>\n" for row in detail.auction_table)
    return SafeString(
        '<table class="auction">\n<caption class="visually-hidden">The auction</caption>\n'
        f"<thead><tr>{seats}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"
    )


def draw_call(annotated: AnnotatedCall | None) -> str:
    if annotated is None:
        return "<td></td>\n"
    if annotated.call is None:
        return NEXT_CALL
    alerted = ALERTED if annotated.call.alert else ""
    return f"<td>{call(annotated.call.call)}{alerted}{draw_footnote(annotated.footnote)}</td>\n"


def draw_footnote(number: int) -> str:
    if not number:
        return ""
    link = f'class="note-link" id="call-{number}" href="#note-{number}"'
    return f'<a {link}><span class="visually-hidden">note </span>{number}</a>'


def draw_play(detail: BoardDetail) -> SafeString:
    """Draw a row for each trick, with the players clockwise from the opening leader, and what the cards cost."""
    seats = "".join(f'<th scope="col">{seat.full_name}</th>\n' for seat in detail.players)
    tricks = "".join(draw_trick(number, trick) for number, trick in enumerate(detail.tricks, 1))
    is_costly = any(played.cost for trick in detail.tricks for played in trick.cards)
    costs = " −1: the card cost a trick, with all cards seen." if is_costly else ""
    return SafeString(
        '<table class="play">\n'
        f"<caption>The card that was led is underlined, and the card that won is bold.{costs}</caption>\n"
        f'<thead><tr>\n<th scope="col">Trick</th>\n{seats}<th scope="col">Won by</th>\n</tr></thead>\n'
        f"<tbody>\n{tricks}</tbody>\n</table>\n"
    )


def draw_trick(number: int, trick: Trick) -> str:
    cells = "".join(draw_played(played) for played in trick.cards)
    return f'<tr>\n<th scope="row">{number}</th>\n{cells}<td>{trick.winner}</td>\n</tr>\n'


def draw_played(played: TrickCard) -> str:
    marks = " ".join(["led"] * played.is_lead + ["won"] * played.is_winner)
    attributes = f' class="{marks}"' if marks else ""
    cost = draw_played_cost(played.cost) if played.cost else ""
    shown = f"{card(played.card)}{LED if played.is_lead else ''}{cost}" if played.card else ""
    return f"<td{attributes}>{shown}</td>\n"


def draw_played_cost(cost: int) -> str:
    return with_spoken_text(format_html(' <span class="cost">−{}</span>', cost), f", cost {cost_in_words(cost)}")


def draw_double_dummy(
    rows: Iterable[tuple[Seat, Sequence[int]]], denominations: Sequence[str], contract: Contract | None
) -> SafeString:
    """Draw a row for each declarer, with the tricks in each of these denominations. Mark those of the contract."""
    declarer = contract.declarer if contract else None
    place = denominations.index(contract.denomination) if contract and contract.denomination else None

    def draw_cells(seat: Seat, tricks: Sequence[int]) -> str:
        cells = [f"<td>{number}</td>" for number in tricks]
        if seat is declarer and place is not None:
            words = '<span class="visually-hidden"> in the contract</span>'
            cells[place] = f'<td class="of-contract">{tricks[place]}{words}</td>'
        return "".join(cells)

    heads = "".join(f'<th scope="col">{denomination(name)}</th>' for name in denominations)
    body = "".join(
        f'<tr><th scope="row">{seat.full_name}</th>{draw_cells(seat, tricks)}</tr>\n' for seat, tricks in rows
    )
    return SafeString(
        '<table class="double-dummy">\n<caption>Tricks by declarer when all cards are open</caption>\n'
        f"<thead><tr><td></td>{heads}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n"
    )
