"""The auction and the play of a board for staff, as markup. The pages for readers have pages.drawing.tables."""

from collections.abc import Iterable, Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from boards.drawing.symbols import call, card, explanation
from bridge.auction import AUCTION_COLUMNS, Call, in_rows
from bridge.board import BoardRecord
from bridge.names import format_ranks
from bridge.play import play_leaders
from bridge.replay import calls_of


def draw_auction(record: BoardRecord) -> SafeString:
    """Draw the calls in rows from West to South, and below them what the explained ones mean; "" without any."""
    calls = calls_of(record)
    if not calls:
        return SafeString("")
    heads = format_html_join("", '<th scope="col">{}</th>', ((seat.full_name,) for seat in AUCTION_COLUMNS))
    rows = format_html_join("", "<tr>{}</tr>", ((draw_row(row),) for row in in_rows(record.dealer, calls)))
    table = format_html('<table class="calls"><thead><tr>{}</tr></thead><tbody>{}</tbody></table>', heads, rows)
    notes = ((call(each.call), explanation(each.explanation)) for each in calls if each.explanation)
    return table + format_html_join("", "<p>{}: {}</p>", notes)


def draw_row(row: Iterable[Call | None]) -> SafeString:
    cells = ((call(each.call), "!" * each.alert) if each else ("", "") for each in row)
    return format_html_join("", "<td>{}{}</td>", cells)


def draw_play(record: BoardRecord) -> SafeString:
    """Write a line for each trick, as in "West led ♥K 3 A 5"; "" where nothing is known but the lead."""
    if not record.contract or len(record.play) < 2:
        return SafeString("")
    tricks = (record.play[start : start + 4] for start in range(0, len(record.play), 4))
    lines = zip(play_leaders(record.contract, record.play), tricks, strict=False)
    return format_html(
        '<ol class="tricks">{}</ol>',
        format_html_join("", "<li>{} led {}</li>", ((leader.full_name, draw_trick(cards)) for leader, cards in lines)),
    )


def draw_trick(cards: Sequence[str]) -> SafeString:
    """Write the cards in the order of play. One of the suit that was led is a rank alone."""
    led = cards[0][0]
    shown = (card(each) if not place or each[0] != led else format_ranks(each[1]) for place, each in enumerate(cards))
    return format_html_join(" ", "{}", ((each,) for each in shown))
