from pytest import mark

from boards.demonstration.leads import opening_lead
from deals.bridge.auction import Auction, Call
from deals.bridge.deal import Deal
from deals.bridge.seats import Seat

NOTRUMP = ("1NT", "Pass", "3NT", "Pass", "Pass", "Pass")
SPADES = ("1S", "Pass", "4S", "Pass", "Pass", "Pass")


def lead(east: str, *calls: str) -> str:
    """East's lead against North; the other three hands share the rest in order."""
    held = {suit + rank for suit, ranks in zip("SHDC", east.split("."), strict=True) for rank in ranks}
    rest = [suit + rank for suit in "SHDC" for rank in "AKQJT98765432" if suit + rank not in held]
    others = [_hand(rest[start::3]) for start in range(3)]
    deal = Deal.parse(f"N:{others[0]} {east} {others[1]} {others[2]}")
    auction = Auction(Seat.NORTH, tuple(map(Call, calls)))
    assert auction.contract
    return opening_lead(deal, auction, auction.contract)


def _hand(cards: list[str]) -> str:
    return ".".join("".join(card[1] for card in cards if card[0] == suit) for suit in "SHDC")


@mark.parametrize(
    ("east", "calls", "card"),
    [
        ("K5.AJ952.832.765", NOTRUMP, "H5"),
        ("95.QJT82.832.765", NOTRUMP, "HQ"),
        ("K5.AJT82.832.765", NOTRUMP, "HJ"),
        ("852.KQ74.A832.J5", SPADES, "HK"),
        ("852.QJ74.AK32.J5", SPADES, "DA"),
        ("8532.Q9742.AJ32.", SPADES, "H4"),
        ("852.A9742.J9832.", SPADES, "D3"),
        ("852.7.A9832.J642", SPADES, "H7"),
        ("852.85.A9832.J64", ("1S", "Pass", "2S", "3H", "4S", "Pass", "Pass", "Pass"), "H8"),
    ],
)
def test_it_leads_as_beginners_learn(east: str, calls: tuple[str, ...], card: str) -> None:
    assert lead(east, *calls) == card
