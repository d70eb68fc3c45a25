"""Names and symbols of the game, and sentences made of them."""

from deals.bridge.auction import BIDS
from deals.bridge.cards import SUITS
from deals.bridge.names import (
    DENOMINATIONS,
    SEAT_KEYS,
    SEAT_NAMES,
    SUIT_NAMES,
    SUIT_SYMBOLS,
    call_in_words,
    format_call,
)


def test_a_call_is_formatted_and_put_in_words() -> None:
    for call, formatted, in_words in (
        *(("1S", "1♠", "one spade"), ("2C", "2♣", "two clubs"), ("3NT", "3NT", "three no trump")),
        *(("Pass", "Pass", "pass"), ("X", "X", "double"), ("XX", "XX", "redouble")),
    ):
        assert (format_call(call), call_in_words(call)) == (formatted, in_words)


def test_no_two_bids_have_the_same_words_or_symbols() -> None:
    assert len({call_in_words(bid) for bid in BIDS}) == len({format_call(bid) for bid in BIDS}) == 35


def test_names_follow_the_order_of_suits_seats_and_denominations() -> None:
    assert "".join(SUIT_NAMES) == "".join(SUIT_SYMBOLS) == SUITS
    assert (*SEAT_NAMES.values(),) == ("North", "East", "South", "West")
    assert SEAT_KEYS == ("north", "east", "south", "west")
    assert DENOMINATIONS == ("C", "D", "H", "S", "NT")
