from random import Random

from hypothesis import given
from pytest import raises

from bridge.cards import DECK, parse_card
from bridge.errors import BridgeError
from bridge.layout import Layout
from bridge.seats import Seat
from tests.bridge.strategies import layouts, moderate, randoms

CARDS = "N:AKQJ.T98.765.432 T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65"


def refusal(text: str) -> BridgeError:
    with raises(BridgeError) as error:
        Layout.parse(text)
    return error.value


def test_it_reads_any_first_hand_any_order_either_case_and_10() -> None:
    for text in (
        CARDS,
        "E:T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65 AKQJ.T98.765.432",
        "N:QJKA.T89.567.234 9T87.657.423.QAK 456.23.JAKQ.T789 23.4AKQJ.9T8.56J",
        "  n:akqj.t98.765.432\tt987.765.432.akq   654.32.akqj.t987 32.akqj4.t98.j65 \n",
        "N:AKQJ.1098.765.432 10987.765.432.AKQ 654.32.AKQJ.10987 32.AKQJ4.1098.J65",
    ):
        assert Layout.parse(text).cards == Layout(text).cards == CARDS, text


def test_a_hand_that_names_each_suit_by_its_letter_may_have_them_in_any_order() -> None:
    for hand in ("SAKQJ.HT98.D765.C432", "hT98.sAKQJ.c432.d765"):
        assert Layout.parse(CARDS.replace("AKQJ.T98.765.432", hand)).cards == CARDS, hand
    void = Layout.parse("N:C.HAKQJ.ST98765432.D SAKQJ.HT98.D765432.C .765432.AKQ.AKQJ ..JT98.T98765432")
    assert void.hands[0] == "T98765432.AKQJ.."
    for hand in ("SAKQJ.HT98.765.432", "SAKQJ.HT98.D765.D432", "SAKQJ.HT98.D765432", "SAKQJHT98D765C432"):
        assert refusal(CARDS.replace("AKQJ.T98.765.432", hand)).code == "malformed_deal", hand


def test_a_layout_knows_its_hands_suits_points_and_holders() -> None:
    layout = Layout.parse(CARDS)
    assert layout.hands[Seat.WEST.index] == "32.AKQJ4.T98.J65"
    assert layout.suits(Seat.EAST) == {"S": "T987", "H": "765", "D": "432", "C": "AKQ"}
    assert [layout.hcp(seat) for seat in Seat] == [10, 9, 10, 11]
    assert (layout.holder("D9"), parse_card(" h10 ")) == (Seat.WEST, "HT")
    with raises(BridgeError):
        layout.holder("S1")
    assert layout.pbn(Seat.SOUTH).startswith("S:654.32.AKQJ.T987 32.AKQJ4")
    assert (len(layout.cards), layout.key[:2]) == (69, "00")


def test_it_refuses_hands_that_are_no_deal_by_card_and_seat() -> None:
    for text, code, message in (
        (CARDS.replace("32.AKQJ4", "A2.AKQJ4"), "duplicate_card", "SA is dealt twice, to North and West."),
        (CARDS.replace("AKQJ.T98", "AAQJ.T98"), "duplicate_card", "SA is dealt twice, to North."),
        (CARDS.replace("654.32.", "654.2."), "wrong_card_count", "South's hand has 12 cards, not 13."),
        ("W:32.AKQJ4.T98.J65 - T987.765.432.AKQ -", "unknown_hand", "North's hand is missing."),
    ):
        error = refusal(text)
        assert (error.code, error.message) == (code, message)


def test_it_refuses_what_is_not_four_hands_of_four_suits() -> None:
    for text in (
        *("", "N", "N:", "X:" + CARDS[2:], CARDS[2:], CARDS + " ...", CARDS.replace("K", "Z"), "N:. . . ."),
        *(CARDS.replace(".432", ""), CARDS.replace("AKQJ.T98", "AKQJ.T98."), "N:" + "A" * 10_000),
    ):
        assert refusal(text).code == "malformed_deal", text
    with raises(BridgeError):
        Layout("nonsense")


def test_hands_given_suit_by_suit_may_leave_out_voids_but_no_hand() -> None:
    suit = "2345678910jqka"
    layout = Layout.from_hands({seat: {name: suit} for seat, name in zip(Seat, "SHDC", strict=True)})
    assert layout.cards == "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    with raises(BridgeError) as error:
        Layout.from_hands({Seat.NORTH: {"S": suit}})
    assert error.value.code == "unknown_hand"


@moderate
@given(layouts())
def test_a_layout_is_the_same_read_from_any_of_its_texts(layout: Layout) -> None:
    assert Layout.parse(layout.cards) == Layout.from_canonical(layout.cards) == layout
    assert all(Layout.parse(layout.pbn(seat)) == layout for seat in Seat)
    assert sum(map(layout.hcp, Seat)) == 40


@moderate
@given(layouts(), randoms)
def test_the_key_gives_two_bits_to_each_card_in_the_order_of_the_deck(layout: Layout, random: Random) -> None:
    holders = [layout.holder(card).index for card in DECK]
    assert layout.key == f"{sum(holder << 2 * (51 - place) for place, holder in enumerate(holders)):026x}"
    hands = [".".join("".join(random.sample(r, len(r))) for r in layout.suits(seat).values()) for seat in Seat]
    assert Layout.parse("N:" + " ".join(hands)).key == layout.key
