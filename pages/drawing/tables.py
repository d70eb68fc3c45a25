"""The tables of a board's page: the auction, the play trick by trick, double dummy, and a traveller's rows."""

from collections.abc import Iterable
from html import escape

from django.utils.html import format_html
from django.utils.safestring import SafeString

from boards.drawing.symbols import call, card, contract, denomination, result, signed, with_spoken_text
from bridge.play import NOT_PLAYED, play_leaders, to_columns
from bridge.verdict import cost_in_words
from pages.evenings.traveller import Row, Traveller
from pages.presenters.boards import AnnotatedCall, BoardDetail, board_link
from pages.presenters.playing import TableView

LED = '<span class="visually-hidden"> led</span>'
NEXT_CALL = f'<td class="next-call">{with_spoken_text("?", "next")}</td>\n'
IN_CONTRACT = '<span class="visually-hidden"> in the contract</span>'
ALERTED = with_spoken_text("!", " alerted")


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
    text, marks = annotated.call.call, ALERTED if annotated.call.alert else ""
    name = f"{'pass' if text == 'Pass' else 'bid'}{' alerted' if annotated.call.alert else ''}"
    if number := annotated.footnote:
        link = f'class="note-link" id="call-{number}" href="#note-{number}"'
        marks += f'<a {link}>{number}<span class="visually-hidden">, note</span></a>'
    return f'<td class="{name}">{call(text)}{marks}</td>\n'


def draw_play(detail: BoardDetail) -> SafeString:
    """Draw a row for each trick, with the players clockwise from the opening leader, and what the cards cost."""
    final, cards, costs = detail.shown.contract, detail.shown.play, detail.costly_cards
    assert final  # has_tricks says so
    leaders = play_leaders(final, cards)
    winners = [*leaders[1:], None]  # The winner of a trick leads to the next one.
    players = leaders[0].clockwise()
    tricks = ""
    for number, row in enumerate(to_columns(final, cards), 1):
        leader, winner = leaders[number - 1], winners[number - 1]
        cells = "".join(
            draw_played(played, costs.get(played, 0), is_lead=player is leader, is_winner=player is winner)
            for player, played in zip(players, row, strict=True)
        )
        won_by = winner.full_name if winner else ""
        tricks += f'<tr>\n<th scope="row">{number}</th>\n{cells}<td>{won_by}</td>\n</tr>\n'
    seats = "".join(f'<th scope="col">{seat.full_name}</th>\n' for seat in players)
    is_costly = not costs.keys().isdisjoint(cards)
    explained = " −1: the card cost a trick, with all cards seen." if is_costly else ""
    return SafeString(
        '<table class="play">\n'
        f"<caption>The card that was led is underlined, and the card that won is bold.{explained}</caption>\n"
        f'<thead><tr>\n<th scope="col">Trick</th>\n{seats}<th scope="col">Won by</th>\n</tr></thead>\n'
        f"<tbody>\n{tricks}</tbody>\n</table>\n"
    )


def draw_played(played: str, cost: int, *, is_lead: bool, is_winner: bool) -> str:
    if played == NOT_PLAYED:
        return "<td></td>\n"
    marks = " ".join(["led"] * is_lead + ["won"] * is_winner)
    attributes = f' class="{marks}"' if marks else ""
    shown = f"{card(played)}{LED if is_lead else ''}"
    if cost:
        shown += with_spoken_text(SafeString(f' <span class="cost">−{cost}</span>'), f", cost {cost_in_words(cost)}")
    return f"<td{attributes}>{shown}</td>\n"


def draw_double_dummy(detail: BoardDetail) -> SafeString:
    """Draw a row for each declarer, with the tricks in each denomination. Mark those of the contract."""
    final, names = detail.record.contract, detail.denominations
    declarer, played = (final.declarer, final.denomination) if final else (None, None)
    body = ""
    for seat, tricks in detail.double_dummy:
        body += f'<tr><th scope="row">{seat.full_name}</th>'
        for name, number in zip(names, tricks, strict=True):
            is_played = seat is declarer and name == played
            body += f'<td class="of-contract">{number}{IN_CONTRACT}</td>' if is_played else f"<td>{number}</td>"
        body += "</tr>\n"
    heads = "".join(f'<th scope="col">{denomination(name)}</th>' for name in names)
    return SafeString(
        '<table class="double-dummy">\n<caption class="visually-hidden">Tricks by declarer</caption>\n'
        f"<thead><tr><td></td>{heads}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n"
    )


def draw_rows(traveller: Traveller, rows: Iterable[Row]) -> SafeString:
    """Draw a row for each of these tables, with a link to its board. The page's own board is marked."""
    return SafeString("".join(draw_row(row, traveller) for row in rows))


def draw_head(row: Row, *, is_here: bool) -> tuple[str, str]:
    """Return the class of a table's row, and its name as a link, or without one where the reader is."""
    name = escape(row.name)
    if is_here:
        return ' class="here"', f'<span>{name}<span class="visually-hidden">, this board</span></span>'
    return "", board_link(row.table.pk, name)


def draw_row(row: Row, traveller: Traveller) -> str:
    table = row.table
    marked, head = draw_head(row, is_here=table.pk == traveller.board_id)
    played, score = table.final_contract, table.score
    cells = (
        contract(played) if played else escape(table.instead) or "–",
        card(table.opening_lead) if table.opening_lead else "–",
        result(row.result) if row.result else "–",
    )
    numbers = ("–" if score is None else signed(score), *(points or "–" for points in row.points))
    shown = "".join(f"<td>{cell}</td>" for cell in (*cells, *numbers))
    return f'<tr{marked}><th scope="row">{head}</th>{shown}</tr>\n'


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
    if cost := detail.costly_cards.get(played, 0):
        text += with_spoken_text(f" −{cost}", f", which cost {cost_in_words(cost)} with all cards seen")
    if trick.winner:
        text = format_html("{}. {} wins.", text, trick.winner.full_name)
    return format_html("{} {}", text, table.rest) if table.rest else text
