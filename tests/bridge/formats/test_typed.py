"""Auctions and plays as people type them."""

from pytest import raises

from bridge.auction import Call
from bridge.errors import BridgeError
from bridge.formats.typed import (
    keep_explanations,
    read_calls,
    read_card,
    read_cards,
    read_contract,
    write_calls,
    write_cards,
)


def test_calls_are_read_as_players_write_them() -> None:
    for text, calls in (
        ("1N P 2C P / 2H P 4H AP", "1NT Pass 2C Pass 2H Pass 4H Pass Pass Pass"),
        ("1NT pass, 2♣ nb\r\n2♥\ufe0e – 4h all pass", "1NT Pass 2C Pass 2H Pass 4H Pass Pass Pass"),
        ("1s (d) r - - -", "1S X XX Pass Pass Pass"),
        ("", ""),
    ):
        assert [call.call for call in read_calls(text)] == calls.split(), text
    assert read_calls("1N P 2C!") == (Call("1NT"), Call("Pass"), Call("2C", alert=True))
    assert write_calls(read_calls("1N P 2C! P 2H")) == "1NT Pass 2C! Pass\n2H"
    assert [read_contract(text) for text in ("4♥x", "3n", "ap")] == ["4HX", "3NT", "Pass"]


def test_cards_are_read_in_the_order_of_play_with_ranks_alone_for_the_suit_that_was_led() -> None:
    for text in ("HK H3 HA HT\nS2 D5", "♥K 3 A 10 / ♠2 5d", "kh 3h ah 10h s2 d5", "hk,3,a,t\r\n\r\ns2 5D"):
        assert read_cards(text) == ("HK", "H3", "HA", "HT", "S2", "D5"), text
    assert write_cards(read_cards("HK 3 A T S2 D5")) == "HK H3 HA HT\nS2 D5"
    assert [read_card(text) for text in ("♥10", "10h", "ht")] == ["HT"] * 3


def test_what_cannot_be_read_is_named() -> None:
    for read, text, code, words in (
        (read_calls, "1N P 8C", "malformed_call", "'8C' is not a call"),
        (read_calls, "1N P 2C?", "malformed_auction", "Write only calls"),
        (read_calls, "?", "malformed_auction", "Write only calls"),
        (read_calls, "=1=", "malformed_auction", "Write only calls"),
        (read_calls, "1N *", "malformed_auction", "Write only calls"),
        (read_calls, "1N ^I 1C", "irregularity", "an insufficient bid"),
        (read_contract, "8S", "malformed_contract", "'8S' is not a contract"),
        (read_card, "H1", "malformed_card", "'H1' is not a card"),
        (read_cards, "3 HK", "malformed_card", "'3' is not a card"),
        (
            read_cards,
            "HK H3 HA\nS2 S3 S4 S5",
            "malformed_play",
            "Line 1 of the play, 'HK H3 HA', is not a complete trick",
        ),
        (read_cards, "HK 3 A T\n" * 13 + "S2", "malformed_play", "more than 13 tricks"),
    ):
        with raises(BridgeError) as error:
            read(text)
        assert error.value.code == code and words in error.value.message, text


def test_what_was_said_of_a_call_stays_with_it() -> None:
    stored = (Call("1NT", True, "12-14"), Call("Pass"), Call("2C", True, "Stayman"), Call("Pass"), Call("2H"))
    for typed, said in (
        ("1N! P 2C! P 2S", {"1NT": "12-14", "2C": "Stayman"}),
        ("P P 1N P 2C", {"1NT": "12-14", "2C": "Stayman"}),
        ("1N P 2D P 2H", {"1NT": "12-14"}),
        ("1C P 1H", {}),
    ):
        calls = keep_explanations(stored, read_calls(typed))
        assert {call.call: call.explanation for call in calls if call.explanation} == said, typed
        assert [call.alert for call in calls] == [call.alert for call in read_calls(typed)]
