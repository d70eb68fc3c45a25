"""Which seat of a board has a decision to make, and at which of its turns: whom practice asks, and from where on.

Each turn of an auction has a score, the sum of what is known of it:

| points | for |
| --- | --- |
| 2 | a call other than Pass, but for the one answer that partner's call asks for (FORCED) |
| 1 | close alternatives: the hand is within a point of where players begin to call otherwise (Turn.is_close) |
| 1 or 2 | of the tables where the same calls came before, a tenth or a quarter did not make the most frequent call |
| 1 or 2 | instead, if more: of at least READERS readers so many, where alternatives are close or tables differ |

A seat with a turn of CLEAR points or more is asked before others, then the one with the highest sum, then the one whose
turn comes first. The first question is its first turn of CLEAR points, else its first one of the most points that it
has. A seat that only passed counts only where the others did too, or where other tables called there. Where nobody has
a decision, the opening leader is asked for the lead. Nothing is said of how good a call was. A hand's points are its
high cards and one for each card of a suit after the fourth.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bridge.auction import BIDS
from bridge.board import BoardRecord
from bridge.layout import Layout
from bridge.replay import calls_of
from bridge.seats import Seat

OPENING, RESPONSE, OVERCALL, INVITATION, FORCE, EXTRAS, GAME = 12, 6, 9, 11, 13, 15, 18
"""The points from which players open, answer, overcall, invite to game, insist on game, have more than they have
promised, and bid game opposite an answer."""

GAMES = {"NT": 3, "S": 4, "H": 4, "D": 5, "C": 5}
FORCED = {
    ("1NT", "2D"): ["2H"],
    ("1NT", "2H"): ["2S"],
    ("2NT", "3D"): ["3H"],
    ("2NT", "3H"): ["3S"],
    ("1NT", "2C"): ["2D", "2H", "2S"],
    ("2NT", "3C"): ["3D", "3H", "3S"],
    ("", "2C"): ["2D"],
}
"""The answers to transfers and to Stayman, and the waiting answer to two clubs, by one's own call and partner's."""

CLEAR = 3
"""The points of a turn at which there is clearly something to decide: a call with an alternative that is close."""

READERS = 5
"""The least number of readers' answers that count. Anybody may send many, so they only weigh what is close without
them: made-up ones lead from one such decision to another, and never to a call that nobody doubts."""

FieldCalls = Mapping[int, Mapping[str, int]]
"""How many tables made which call, by the number of calls before, which were the same at all of them. Or how many
answers of readers did."""


REASONS = ("opening", "overcall", "response", "rebid", "competition", "lead")
"""What is decided: the first call of a side, before or over the opponents'; a call after partner's or one's own; one
after both sides have called; the opening lead."""


class Decision(NamedTuple):
    """A turn of a seat after so many calls, with its score: 0 where there is nothing to decide, and for a lead.

    `reason` is one of REASONS. `acts` tells whether this table, another or a reader did more than pass.
    """

    step: int
    seat: Seat
    score: int
    reason: str
    acts: bool = False


@dataclass(slots=True)
class Turn:
    """A seat's turn: its hand, each seat's last call other than Pass, who made the last of them, and the last bid."""

    seat: Seat
    hand: Mapping[str, str]
    hcp: int
    points: int
    last: Mapping[Seat, str] = field(default_factory=dict)
    last_to_act: Seat | None = None
    bid: str = ""

    @property
    def partners(self) -> str:
        return self.last.get(self.seat.partner, "")

    @property
    def is_contested(self) -> bool:
        """Tell whether an opponent did more than pass since this side last did."""
        return self.last_to_act is not None and self.last_to_act.side != self.seat.side

    @property
    def reason(self) -> str:
        own = self.last.get(self.seat)
        if not own and not self.partners:
            return "overcall" if self.is_contested else "opening"
        if self.is_contested:
            return "competition"
        return "rebid" if own else "response"

    def is_forced(self, call: str) -> bool:
        """Tell whether the call is the answer that partner's call asks for."""
        if self.last_to_act is not self.seat.partner:
            return False
        is_answer_to_aces = self.partners == "4NT" and call in BIDS[20:25]
        return is_answer_to_aces or call in FORCED.get((self.last.get(self.seat, ""), self.partners), ())

    def is_near(self, *thresholds: int) -> bool:
        return any(abs(self.points - threshold) <= 1 for threshold in thresholds)

    def is_close(self) -> bool:
        """Tell whether a player might as well call otherwise, as far as points and lengths tell."""
        longest = max(map(len, self.hand.values()))
        level = int(self.bid[0]) if self.bid else 0
        match self.reason:
            case "opening":
                return self.is_near(OPENING) or (longest >= 6 and 5 <= self.hcp < OPENING)
            case "overcall":
                is_short = len(self.hand.get(self.bid[1:], "---")) <= 2
                can_bid, can_double = longest >= 5 and self.is_near(OVERCALL), is_short and self.is_near(OPENING)
                return level <= 3 and (can_bid or can_double)
            case "competition":
                support = len(self.hand.get(self.partners[1:], ""))
                return level <= 5 and (self.points >= 10 or (support >= 4 and self.points >= RESPONSE - 1))
        if self.partners[1:] in GAMES and int(self.partners[0]) >= GAMES[self.partners[1:]]:
            return self.is_near(GAME)
        return self.is_near(*((EXTRAS, GAME) if self.reason == "rebid" else (RESPONSE, INVITATION, FORCE)))


def decisions_of(
    record: BoardRecord, others: FieldCalls | None = None, readers: FieldCalls | None = None
) -> list[Decision]:
    """Return all turns of the auction in their order. `others` are the calls of all tables, this one's among them."""
    found = []
    turns = {seat: make_turn(record.layout, seat) for seat in Seat}
    last: dict[Seat, str] = {}
    last_to_act, bid, order = None, "", record.dealer.clockwise()
    for step, call in enumerate(calls_of(record)):
        turn = turns[seat := order[step % 4]]
        turn.last, turn.last_to_act, turn.bid = last, last_to_act, bid
        found.append(weigh(turn, step, call.call, *((each or {}).get(step, {}) for each in (others, readers))))
        if call.call != "Pass":
            last[seat], last_to_act = call.call, seat
            bid = call.call if call.call in BIDS else bid
    return found


def make_turn(layout: Layout, seat: Seat) -> Turn:
    hand, hcp = layout.suits(seat), layout.hcp(seat)
    return Turn(seat, hand, hcp, hcp + sum(max(0, len(ranks) - 4) for ranks in hand.values()))


def weigh(turn: Turn, step: int, call: str, others: Mapping[str, int], readers: Mapping[str, int]) -> Decision:
    """Return the decision of a turn, at which this table made this call."""
    acts, is_close = call != "Pass" and not turn.is_forced(call), turn.is_close()
    disagreement = disagreement_in(others, 2)
    if is_close or disagreement:
        disagreement = max(disagreement, disagreement_in(readers, READERS))
    score = 2 * acts + is_close + disagreement
    return Decision(step, turn.seat, score, turn.reason, acts or disagreement > 0)


def disagreement_in(calls: Mapping[str, int], least: int) -> int:
    """Return the points for calls other than the most frequent one, none where fewer than `least` were made."""
    made = sum(calls.values())
    unusual = made - max(calls.values(), default=0)
    return (2 if unusual * 4 >= made else int(unusual * 10 >= made)) if made >= least else 0


def first_question(
    record: BoardRecord,
    others: FieldCalls | None = None,
    seat: Seat | None = None,
    readers: FieldCalls | None = None,
) -> Decision | None:
    """Return the first decision of the seat that is to be asked, or of a seat that is named.

    A named seat that has none leads, where it is on lead, or is asked at its first turn. Return None where nobody can
    be asked.
    """
    decisions = [each for each in decisions_of(record, others, readers) if seat in (None, each.seat)]
    scored = [each for each in decisions if each.score]
    acting = {each.seat for each in scored if each.acts} or {each.seat for each in scored}
    if acting:
        turns = {each: [turn for turn in scored if turn.seat is each] for each in dict.fromkeys(t.seat for t in scored)}
        asked = max(acting, key=lambda each: rank(turns[each]))
        highest = rank(turns[asked])[0]
        return next(turn for turn in turns[asked] if turn.score >= highest)
    leader = leader_of(record)
    if leader and seat in (None, leader):
        return Decision(len(calls_of(record)), leader, 0, "lead")
    return decisions[0] if seat and decisions else None


def rank(turns: Sequence[Decision]) -> tuple[int, int, int]:
    """Return what sorts the seats, the highest first: whether a turn is clear, the sum, and who comes first."""
    scores = [turn.score for turn in turns]
    return min(CLEAR, max(scores)), sum(scores), -turns[0].step


def leader_of(record: BoardRecord) -> Seat | None:
    """Return who leads after the auction, or None: it is not over or not known, or nobody plays."""
    is_over = record.auction is not None and record.auction.complete
    return record.contract.leader if is_over and record.contract else None


def turns_of(record: BoardRecord, seat: Seat) -> list[int]:
    """Return the steps at which a seat calls, and leads: each a number of calls before."""
    calls, order = len(calls_of(record)), record.dealer.clockwise()
    leads = [calls] if leader_of(record) is seat else []
    return [*range(order.index(seat), calls, 4), *leads]
