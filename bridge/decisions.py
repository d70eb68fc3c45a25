"""Which seat of a board has a decision to make, and at which of its turns: whom practice asks, and from where on.

Each turn of an auction has a score, the sum of what is known of it:

| points | for |
| --- | --- |
| 2 | a call other than Pass, but for the one answer that partner's call asks for (FORCED) |
| 1 | alternatives are close: the hand is where players begin to call otherwise (Turn.is_close) |
| 1 or 2 | a fifth or a third of the tables with the same calls before did not make the most frequent call |
| 1 or 2 | instead, if more: the same shares of at least READERS readers, if alternatives are close or tables differ |

Which bid opens a hand, or answers one of a minor, is a matter of system: there tables and readers differ only by
passing or not. A hand's points are its high cards and one for each card of a suit after the fourth.

A seat with a turn of CLEAR points or more is asked, of several the one with the highest sum, then the one whose turn
comes first, and from its first turn of CLEAR points on. Where there is none, the opening leader is asked for the lead.
A seat that is named, and the four where nobody leads, are asked at the first turn of the most points. A seat that only
passed counts only where the others did too, or where other tables called there. How good a call was is not judged.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bridge.auction import BIDS
from bridge.board import BoardRecord
from bridge.layout import Layout
from bridge.replay import calls_of
from bridge.seats import Seat

OPENING, PREEMPT, OVERCALL, DOUBLE = range(11, 13), range(5, 11), range(8, 11), range(11, 14)
"""The points at which some players open the bidding, bid a suit of six cards before others, overcall a suit of five,
and double for takeout, while others do not."""

ANSWER, INVITATION, ACCEPTANCE, EXTRAS, SLAM = range(4, 6), range(10, 13), range(15, 18), range(16, 19), range(17, 20)
"""The points at which some players answer partner's opening, insist on game rather than invite to it, go on after a
raise, show that they have more than they have promised, and go on beyond game, while others do not."""

OPPOSITE_NO_TRUMP = {"1NT": range(8, 10), "2NT": range(3, 6)}
"""The same for inviting to game, or bidding it, opposite these openings."""

ONE_OF_A_SUIT = ("1C", "1D", "1H", "1S")
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
    """A turn of a seat after a number of calls, with its score: 0 where there is nothing to decide, and for a lead.

    `reason` is one of REASONS. `acts` tells whether this table, another or a reader did more than pass.
    """

    step: int
    seat: Seat
    score: int
    reason: str
    acts: bool = False


@dataclass(slots=True)
class Turn:
    """A seat's turn: its hand, each seat's last call other than Pass, who made the last of them, and the last bid.

    `begun` has, by sides, who first did more than pass, and how.
    """

    seat: Seat
    hand: Mapping[str, str]
    hcp: int
    points: int
    last: Mapping[Seat, str] = field(default_factory=dict)
    last_to_act: Seat | None = None
    bid: str = ""
    begun: Mapping[str, tuple[Seat, str]] = field(default_factory=dict)

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
        """Tell whether the call is the answer that partner's bid asks for. A double of it changes nothing."""
        if self.bid != self.partners:
            return False
        is_answer_to_aces = self.partners == "4NT" and call in BIDS[20:25]
        return is_answer_to_aces or call in FORCED.get((self.last.get(self.seat, ""), self.partners), ())

    @property
    def longest(self) -> int:
        return max(map(len, self.hand.values()))

    def support(self, suits: Collection[str] = "SHDC") -> int:
        """Return the length of partner's suit in the hand, 0 where it is none of these."""
        suit = self.partners[1:]
        return len(self.hand[suit]) if suit and suit in suits else 0

    def is_close(self) -> bool:
        """Tell whether a player might as well call otherwise, as far as points and lengths tell."""
        match self.reason:
            case "opening":
                return self.is_close_opening()
            case "overcall":
                return self.is_close_overcall()
            case "competition":
                return self.is_close_in_competition()
        if self.partners[1:] in GAMES and int(self.partners[0]) >= GAMES[self.partners[1:]]:
            return self.points in SLAM
        return self.is_close_response() if self.reason == "response" else self.is_close_rebid()

    @property
    def level(self) -> int:
        """Return the level of the last bid, 0 before any."""
        return int(self.bid[:1] or 0)

    def is_close_opening(self) -> bool:
        is_light = self.points in OPENING and self.hcp <= OPENING.start
        return is_light or (self.longest >= 6 and self.hcp in PREEMPT)

    def is_close_overcall(self) -> bool:
        is_short = len(self.hand.get(self.bid[1:], "---")) <= 2
        can_bid, can_double = self.longest >= 5 and self.points in OVERCALL, is_short and self.points in DOUBLE
        return self.level <= 3 and (can_bid or can_double)

    def is_close_in_competition(self) -> bool:
        has_values = self.points >= 10 or (self.support() >= 4 and self.points >= 5)
        return self.level <= 5 and has_values and not (self.level <= 2 and self.shows_major_by_double())

    def is_close_response(self) -> bool:
        """Tell the same of a first call after partner's. Majors are shown first, whatever the points."""
        if inviting := OPPOSITE_NO_TRUMP.get(self.partners):
            return self.points in inviting and all(len(self.hand[suit]) < 5 for suit in "SH")
        bid = BIDS.index(self.bid)
        has_major = any(len(self.hand[suit]) >= 4 and BIDS.index(f"1{suit}") > bid for suit in "SH")
        return (self.hcp in INVITATION and not has_major) or (self.points in ANSWER and bid < BIDS.index("1NT"))

    def shows_major_by_double(self) -> bool:
        """Tell whether a negative double says it all: four cards of an unbid major, and no support for partner's."""
        is_first = self.seat not in self.last and self.partners in ONE_OF_A_SUIT and self.support("SH") < 3
        unbid = {"S", "H"} - {call[1:] for call in self.last.values()}
        return is_first and any(len(self.hand[suit]) == 4 for suit in unbid)

    def is_close_rebid(self) -> bool:
        """Tell the same of a later call, of who began and of the partner."""
        beginner, opening = self.begun[self.seat.side]
        if beginner is not self.seat:
            return self.points in OPPOSITE_NO_TRUMP.get(opening, INVITATION) or self.points >= ACCEPTANCE.start
        if opening in OPPOSITE_NO_TRUMP:
            return self.partners == "2NT"
        if self.partners[1:] == self.last[self.seat][1:]:
            return self.points in ACCEPTANCE
        return self.points in EXTRAS and (self.longest >= 6 or self.support("SH") >= 3)


def decisions_of(
    record: BoardRecord, others: FieldCalls | None = None, readers: FieldCalls | None = None
) -> list[Decision]:
    """Return all turns of the auction in their order. `others` are the calls of all tables, this one's among them."""
    found = []
    turns = {seat: make_turn(record.layout, seat) for seat in Seat}
    last: dict[Seat, str] = {}
    begun: dict[str, tuple[Seat, str]] = {}
    last_to_act, bid, order = None, "", record.dealer.clockwise()
    for step, call in enumerate(calls_of(record)):
        turn = turns[seat := order[step % 4]]
        turn.last, turn.last_to_act, turn.bid, turn.begun = last, last_to_act, bid, begun
        found.append(weigh(turn, step, call.call, *((each or {}).get(step, {}) for each in (others, readers))))
        if call.call != "Pass":
            last[seat], last_to_act = call.call, seat
            begun.setdefault(seat.side, (seat, call.call))
            bid = call.call if call.call in BIDS else bid
    return found


def make_turn(layout: Layout, seat: Seat) -> Turn:
    hand, hcp = layout.suits(seat), layout.hcp(seat)
    return Turn(seat, hand, hcp, hcp + sum(max(0, len(ranks) - 4) for ranks in hand.values()))


def weigh(turn: Turn, step: int, call: str, others: Mapping[str, int], readers: Mapping[str, int]) -> Decision:
    """Return the decision of a turn, at which this table made this call."""
    acts, is_close = call != "Pass" and not turn.is_forced(call), turn.is_close()
    if turn.reason == "opening" or (turn.reason == "response" and turn.partners in ("1C", "1D")):
        others, readers = pass_or_open(others), pass_or_open(readers)
    disagreement = disagreement_in(others, 2)
    if is_close or disagreement:
        disagreement = max(disagreement, disagreement_in(readers, READERS))
    score = 2 * acts + is_close + disagreement
    return Decision(step, turn.seat, score, turn.reason, acts or disagreement > 0)


def pass_or_open(calls: Mapping[str, int]) -> Mapping[str, int]:
    """Return how many passed and how many did not."""
    passed = calls.get("Pass", 0)
    return {"Pass": passed, "": sum(calls.values()) - passed}


def disagreement_in(calls: Mapping[str, int], least: int) -> int:
    """Return the points for calls other than the most frequent one, none where fewer than `least` were made."""
    made = sum(calls.values())
    unusual = made - max(calls.values(), default=0)
    return (2 if unusual * 3 >= made else int(unusual * 5 >= made)) if made >= least else 0


def first_question(
    record: BoardRecord,
    others: FieldCalls | None = None,
    seat: Seat | None = None,
    readers: FieldCalls | None = None,
) -> Decision | None:
    """Return the first decision of the seat to ask, or of the named seat.

    A named seat without a decision leads, if it is on lead, or is asked at its first turn. Return None if no seat can
    be asked.
    """
    decisions = [each for each in decisions_of(record, others, readers) if seat in (None, each.seat)]
    question, leader = choose([each for each in decisions if each.score]), leader_of(record)
    if question and (question.score >= CLEAR or seat or not leader):
        return question
    if leader and seat in (None, leader):
        return Decision(len(calls_of(record)), leader, 0, "lead")
    return next(iter(decisions), None) if seat else None


def choose(scored: Sequence[Decision]) -> Decision | None:
    """Return the first question of the seat that ranks highest, None without turns.

    A seat that only passed is not asked where another one acted.
    """
    seats = {each.seat for each in scored if each.acts} or {each.seat for each in scored}
    turns = max(([each for each in scored if each.seat is seat] for seat in seats), key=rank, default=[])
    return next((turn for turn in turns if turn.score >= rank(turns)[0]), None)


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
