"""What a hand diagram shows, and what is read aloud instead."""

from dataclasses import replace

from bridge import names
from bridge.auction import BIDS
from bridge.board import BoardRecord
from bridge.cards import SUITS
from bridge.contract import PASSED_OUT, Contract
from bridge.diagram import Diagram
from bridge.layout import Layout
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability

LAYOUT = Layout.parse("N:AKQJ.T98.765.432 T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65")
BARE = BoardRecord(LAYOUT, Seat.SOUTH, Vulnerability.ALL, board_number=7)
PLAYED = replace(BARE, contract=Contract.parse("4SX", Seat.NORTH), opening_lead="H7", tricks=9)


def test_a_hand_is_shown_with_symbols_and_read_aloud_by_the_names_of_its_cards() -> None:
    diagram = Diagram(BARE)
    hand = diagram.hands["east"]
    assert [(suit.name, suit.symbol, suit.ranks) for suit in hand.suits] == [
        *(("spades", "♠", "10987"), ("hearts", "♥", "765"), ("diamonds", "♦", "432"), ("clubs", "♣", "AKQ")),
    ]
    assert (hand.points, hand.is_dealer, hand.is_vulnerable, diagram.hands["south"].is_dealer) == (9, False, True, True)
    assert diagram.hands["north"].in_words == (
        "North: spades ace king queen jack; hearts ten nine eight; diamonds seven six five; clubs four three two"
    )
    assert names.holding_in_words("C", "") == "clubs void"


def test_dealer_and_vulnerability_are_named_and_marked() -> None:
    for vulnerability, words, vulnerable in (
        (Vulnerability.NONE, "neither side vulnerable", []),
        (Vulnerability.NS, "North-South vulnerable", ["north", "south"]),
        (Vulnerability.EW, "East-West vulnerable", ["east", "west"]),
        (Vulnerability.ALL, "both sides vulnerable", ["north", "east", "south", "west"]),
    ):
        diagram = Diagram(replace(BARE, vulnerability=vulnerability))
        assert diagram.title == f"Board 7: dealer South, {words}"
        assert [name for name, hand in diagram.hands.items() if hand.is_vulnerable] == vulnerable
    assert Diagram(replace(BARE, board_number=None)).title.startswith("Board: dealer South")


def test_contract_lead_and_result_are_displayed_and_put_in_words() -> None:
    diagram = Diagram(PLAYED)
    assert (diagram.contract, diagram.contract_suit) == (("4", "♠", "X by North"), "spades")
    assert diagram.lead is not None and (diagram.lead.symbol, diagram.lead.ranks) == ("♥", "7")
    assert diagram.result == "down 1, East-West +200"
    assert diagram.outcome == (
        "Contract: four spades doubled by North. Opening lead: seven of hearts. Result: down 1, East-West +200."
    )
    assert diagram.in_words.endswith(diagram.outcome)


def test_what_is_not_known_is_left_out_and_a_passed_out_board_says_so() -> None:
    bare, passed_out = Diagram(BARE), Diagram(replace(BARE, contract=PASSED_OUT))
    assert (bare.contract, bare.contract_suit, bare.lead) == (("", "", ""), "", None)
    assert (bare.result, bare.outcome) == ("", "")
    assert (passed_out.contract, passed_out.outcome) == (("", "", "Passed out"), "Contract: passed out.")


def test_calls_contracts_and_results_are_put_in_words() -> None:
    bids = {"1S": "one spade", "1NT": "one no trump", "7NTXX": "seven no trump redoubled", "2C": "two clubs"}
    for contract, words in bids.items():
        assert names.contract_in_words(Contract.parse(contract, Seat.WEST)) == f"{words} by West"
    for tricks, words in ((10, "made"), (12, "made +2"), (7, "down 3")):
        assert Diagram(replace(PLAYED, tricks=tricks)).result.startswith(f"{words}, ")
    for call, formatted, in_words in (
        *(("1S", "1♠", "one spade"), ("2C", "2♣", "two clubs"), ("3NT", "3NT", "three no trump")),
        *(("Pass", "Pass", "pass"), ("X", "X", "double"), ("XX", "XX", "redouble")),
    ):
        assert (names.format_call(call), names.call_in_words(call)) == (formatted, in_words)
    assert len({names.call_in_words(bid) for bid in BIDS}) == len({names.format_call(bid) for bid in BIDS}) == 35
    assert "".join(names.SUIT_NAMES) == "".join(names.SUIT_SYMBOLS) == SUITS
    assert (*names.SEAT_NAMES.values(),) == ("North", "East", "South", "West")
    assert names.SEAT_KEYS == ("north", "east", "south", "west")
    assert names.DENOMINATIONS == ("C", "D", "H", "S", "NT")
