"""The opening lead by the rules a beginner learns: partner's suit, a sequence, fourth best, a singleton."""

from deals.bridge.auction import Auction
from deals.bridge.cards import RANKS
from deals.bridge.contract import Contract
from deals.bridge.deal import Deal

from .hand import Hand


def opening_lead(deal: Deal, auction: Auction, contract: Contract) -> str:
    """Empty when nobody leads."""
    if contract.leader is None or contract.denomination is None:
        return ""
    hand, trump = Hand.of(deal, contract.leader), contract.denomination.trump
    leader = (contract.leader.index - auction.dealer.index) % 4
    partners, theirs = _suits_bid(auction, (leader + 2) % 4), _suits_bid(auction, (leader + 1) % 4)
    theirs |= _suits_bid(auction, (leader + 3) % 4)
    suit = _suit(hand, trump, partners - theirs, theirs)
    return suit + (_against_notrump(hand.suits[suit]) if trump is None else _card(hand.suits[suit]))


def _suits_bid(auction: Auction, first: int) -> set[str]:
    """Natural suits named by the player who made the call of that number."""
    calls = auction.calls[first::4]
    return {call.call[1] for call in calls if len(call.call) == 2 and call.call != "XX" and not call.alert}


def _suit(hand: Hand, trump: str | None, partners: set[str], theirs: set[str]) -> str:
    held = [suit for suit in "SHDC" if hand.suits[suit] and suit != trump]
    if trump:
        return max(held, key=lambda suit: _appeal(hand.suits[suit], suit in partners, suit in theirs))
    return max(
        held,
        key=lambda suit: (
            hand.length(suit) + 3 * (suit in partners) - 4 * (suit in theirs),
            bool(_sequence(hand.suits[suit])),
            sum("23456789TJQKA".find(rank) for rank in hand.suits[suit]),
        ),
    )


def _appeal(ranks: str, partners: bool, theirs: bool) -> float:
    """How attractive a side suit is against a trump contract."""
    if ranks[:2] == "AK":
        return 9
    if len(ranks) == 1 and ranks != "K":
        return 7
    if partners:
        return 8
    if _sequence(ranks) and ranks[0] != "A":
        return 6 + 0.1 * RANKS[::-1].find(ranks[0]) - 3 * theirs
    if ranks[0] == "A":
        return 1
    return 3 + 0.1 * len(ranks) - 2 * theirs - (ranks[0] in "KQ" and len(ranks) < 3)


def _sequence(ranks: str) -> str:
    """The top of touching honours, also inside a suit: ace-king, or three cards with one gap at the end."""
    for start in range(len(ranks) - 1):
        place = RANKS.find(ranks[start])
        touching = ranks[start + 1] == RANKS[place + 1 : place + 2]
        third = ranks[start + 2 : start + 3] or "?"
        if touching and (place == 0 or (place <= 3 and third in RANKS[place + 2 : place + 4])):
            return ranks[start]
    return ""


def _card(ranks: str) -> str:
    """Against a trump contract: never away from an ace."""
    if ranks[0] == "A" or len(ranks) < 3:
        return ranks[0]
    if ranks[:2] == "KQ" or _sequence(ranks):
        return _sequence(ranks) or "K"
    if ranks[0] in "KQJ":
        return ranks[3] if len(ranks) > 3 else ranks[2]
    return ranks[3] if len(ranks) > 3 else ranks[0]


def _against_notrump(ranks: str) -> str:
    if _sequence(ranks):
        return _sequence(ranks)
    if len(ranks) > 3:
        return ranks[3]
    return ranks[2] if len(ranks) == 3 and ranks[0] in "AKQJ" else ranks[0]
