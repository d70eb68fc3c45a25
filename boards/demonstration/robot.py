"""Four players of the same simple natural system, one auction."""

from collections.abc import Callable, Iterator

from deals.bridge.auction import Auction
from deals.bridge.deal import Deal
from deals.bridge.seats import Seat
from deals.bridge.vulnerability import Vulnerability

from .advances import advances, after_a_cue_bid
from .answers import ANSWERS, after_keycards
from .bid import Bid
from .competing import competing
from .continuations import continuations
from .hand import Hand
from .interference import contested_responses
from .notrump import after_stayman, after_transfer
from .openings import openings
from .overcalls import overcalls
from .position import Position
from .rebids import rebids
from .responses import responses
from .strong import after_waiting, over_a_preempt, strong_rebids

Rule = Callable[[Position], Iterator[Bid]]

_AFTER_ANSWER: dict[str, Rule] = {
    "stayman": after_stayman,
    "transfer": after_transfer,
    "keycards": after_keycards,
    "strong": strong_rebids,
    "waiting": after_waiting,
}


def bid_out(deal: Deal, dealer: Seat, vulnerability: Vulnerability) -> Auction:
    """The whole auction, always legal and complete."""
    hands = {seat: Hand.of(deal, seat) for seat in Seat}
    history: tuple[Bid, ...] = ()
    while not Auction(dealer, tuple(bid.spoken() for bid in history)).complete:
        seat = dealer.clockwise()[len(history) % 4]
        history += (choose(Position(hands[seat], dealer, vulnerability, history)),)
    return Auction(dealer, tuple(bid.spoken() for bid in history))


def choose(position: Position) -> Bid:
    """The first call, in the order of preference, that is legal and does not pass a forcing bid."""
    for bid in _candidates(position):
        if bid.call == "Pass" and position.forced:
            continue
        if bid.call and position.legal(bid.call):
            return bid
    return Bid("Pass")


def _candidates(position: Position) -> Iterator[Bid]:
    if position.opener is None:
        yield from openings(position)
    elif position.partner_last.question in ANSWERS and position.right.call == "Pass":
        yield from ANSWERS[position.partner_last.question](position)
    elif position.mine and position.mine[-1].question in _AFTER_ANSWER and position.right.call == "Pass":
        yield from _AFTER_ANSWER[position.mine[-1].question](position)
    elif position.opener.side == position.seat.side:
        yield from _opening_side(position)
    else:
        yield from _defending_side(position)


def _opening_side(position: Position) -> Iterator[Bid]:
    acted = [bid for bid in position.mine if bid.call != "Pass"]
    opening, answered = position.opening, position.partner_last.call != "Pass"
    if not acted and len(position.partners) and position.partner_last is opening:
        if opening.level > 1 and opening.denomination != "NT":
            yield from over_a_preempt(position)
        yield from (contested_responses if position.contested else responses)(position)
    elif acted == [opening] and opening.level == 1 and opening.denomination != "NT" and answered:
        yield from rebids(position)
    if position.ours:
        yield from continuations(position)
    elif _partner_acted(position):
        yield from competing(position)


def _defending_side(position: Position) -> Iterator[Bid]:
    acted = any(bid.call != "Pass" for bid in position.mine)
    if not acted and not _partner_acted(position):
        yield from overcalls(position)
    elif not acted:
        yield from advances(position)
    elif position.partner_last.trump and position.right.call == "Pass":
        yield from after_a_cue_bid(position)
    elif _partner_acted(position):
        yield from (continuations if position.ours else competing)(position)


def _partner_acted(position: Position) -> bool:
    return any(bid.call != "Pass" for bid in position.partners)
