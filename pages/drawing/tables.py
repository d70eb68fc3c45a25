"""The tables of a board's page: the auction, the play trick by trick, the double dummy tricks, and a traveller's rows.

They are written in Python as the hand diagrams are: a template takes five times as long for their hundred cells. The
names of teams are strangers' text, and escaped. At a step, a sentence says what happened last.
"""

from collections.abc import Iterable, Sequence
from html import escape

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from boards.drawing.symbols import call, card, contract, denomination, result, signed, with_spoken_text
from bridge.contract import Contract
from bridge.seats import Seat
from bridge.verdict import cost_in_words
from pages.evenings.traveller import Row, Traveller
from pages.presenters.boards import AnnotatedCall, BoardDetail
from pages.presenters.playing import TableView, Trick, TrickCard

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


def draw_moment(detail: BoardDetail) -> SafeString:
    """Write what happened last at the position that is shown: a call or a card."""
    position, record, table = detail.position, detail.record, detail.table
    if position is None or table is None:
        return SafeString("")
    if position.cards:
        return draw_last_card(detail, table)
    if record.auction and position.calls:
        calls = record.auction.calls
        caller = record.dealer.clockwise()[(position.calls - 1) % 4].full_name
        counted = f"Call {position.calls}"
        if not detail.visible_hands:  # else a player would learn how long the auction is
            counted += f" of {len(calls)}"
        return format_html("{}. {}: {}", counted, caller, call(calls[position.calls - 1].call))
    return SafeString(f"Before the {'auction' if record.auction else 'lead'}")


def draw_last_card(detail: BoardDetail, table: TableView) -> SafeString:
    """Write the card that was played last, what it cost, and who won the trick with it."""
    if not (trick := table.trick):
        return format_html("Opening lead: {}", card(table.cards[-1]))  # declarer is not known, so nor is the leader
    seat, played = [*trick.cards.items()][-1]
    what = "Opening lead" if len(table.cards) == 1 else f"Trick {trick.number}"
    text = format_html("{}. {}: {}", what, seat.full_name, card(played))
    if cost := cost_of(detail, played):
        text += with_spoken_text(f" −{cost}", f", which cost {cost_in_words(cost)} with all cards seen")
    if trick.winner:
        text = format_html("{}. {} wins.", text, trick.winner.full_name)
    return format_html("{} {}", text, table.rest) if table.rest else text


def cost_of(detail: BoardDetail, played: str) -> int:
    """Return the tricks that a played card cost. None is known before the play is analysed."""
    costly = detail.play_summary.cards if detail.play_summary else ()
    return next((each.cost for each in costly if each.card == played), 0)
