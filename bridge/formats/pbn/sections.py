"""The Auction and Play sections of a PBN game."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from bridge.auction import MAX_CALLS, Auction, Call, final_passes, parse_call, plain_call, without_passes_after_end
from bridge.contract import Contract
from bridge.errors import BridgeError
from bridge.formats.pbn.comments import Remarks
from bridge.formats.pbn.tokens import Tag
from bridge.layout import Layout
from bridge.play import (
    NOT_PLAYED,
    check_play,
    from_columns,
    from_columns_of,
    from_turned_rows,
    parse_columns,
    players_of,
)
from bridge.seats import Seat, parse_seat

ALL_TRICKS = 14
"""Not 13: to those a play of more tricks is shortened."""

_ALL_PASS = {"AP", "ALLPASS"}
_IRREGULAR = {"I": "an insufficient bid", "S": "a call out of rotation", "R": "a revoke", "L": "a lead out of turn"}
_ODDITIES = ("irregularity", "stray")


@dataclass(frozen=True)
class AuctionSection:
    """What an Auction section says. `is_cut` when "*" or "+" says that not all calls are there."""

    dealer: Seat = Seat.NORTH
    calls: tuple[Call, ...] = ()
    remarks: Remarks = field(default_factory=lambda: Remarks("call"))
    is_cut: bool = False

    @cached_property
    def auction(self) -> Auction | None:
        """Return the auction, None without a call, "*" and "+". Raise `illegal_call`."""
        return Auction(self.dealer, self.calls) if self.calls or self.is_cut else None

    @property
    def is_legal(self) -> bool:
        try:
            return self.auction is not None
        except BridgeError:
            return False

    @property
    def contract(self) -> Contract | None:
        """Return the contract in which the auction ends, None without an end."""
        return self.auction.contract if self.auction else None

    def check_bid(self, contract: Contract | None) -> None:
        """Raise `contract_contradicts_auction` for another end than the contract.

        An auction of passes alone has no other end than that all pass, unless it is cut and may have a bid later.
        """
        bid = self.contract
        if contract is None or bid is contract or bid == contract:
            return
        if bid:
            message = f"The auction ends in {bid}, but the contract is given as {contract}."
            raise BridgeError("contract_contradicts_auction", message)
        if contract.declarer and self.calls and not self.is_cut and all(call.call == "Pass" for call in self.calls):
            message = f"The auction has no bid, but the contract is given as {contract}."
            raise BridgeError("contract_contradicts_auction", message)

    def sentences(self) -> Iterator[str]:
        order = self.dealer.clockwise()
        return self.remarks.sentences(
            lambda position: f"Call {position + 1}, {self.calls[position].call} by {order[position % 4].full_name}"
        )

    def with_passes(self, dealer: Seat, count: int) -> "AuctionSection":
        """Return the same calls after this number of passes from the dealer on."""
        remarks = Remarks("call", [(position + count, text) for position, text in self.remarks.by_position])
        return replace(self, dealer=dealer, calls=(plain_call("Pass"),) * count + self.calls, remarks=remarks)

    def without_passes_after_end(self) -> "AuctionSection":
        """Return the same calls without the passes after the end, and without the remarks on those."""
        calls = without_passes_after_end(self.calls)
        remarks = Remarks("call", [each for each in self.remarks.by_position if each[0] < len(calls)])
        return replace(self, calls=calls, remarks=remarks)


def read_auction(tag: Tag) -> AuctionSection:
    """Read an Auction section (PBN 2.1 §3.5); one without a seat says nothing.

    Hyphens pass over the seats before the dealer, so that the auction's dealer is its first caller. A note
    or "!" makes a call alerted: to the standard "!" is a good call, but programs that export alerts write it so.
    Other annotations are remarks. Raise `malformed_auction`, `malformed_call`, or `irregularity` for what §3.9
    marks with "^".
    """
    if tag.value.strip() in ("", "?"):
        return AuctionSection()
    seat = parse_seat(tag.value)
    calls: list[Call] = []
    remarks = Remarks("call")
    is_ended, is_waiting = False, False
    for kind, text in tag.elements():
        if kind == "word" and not text.strip("-"):
            seat = seat if calls else seat.next
            is_waiting = bool(calls)
        elif kind == "word":
            calls += _read_word(text, calls, is_over=is_ended or is_waiting)
        elif kind == "end":
            is_ended = True
        elif kind in _ODDITIES:
            raise _oddity(kind, text, "auction")
        elif calls and kind == "note":
            calls[-1] = Call(calls[-1].call, True, tag.notes.get(text, "") or calls[-1].explanation)
        elif calls and text == "!":
            calls[-1] = replace(calls[-1], alert=True)
        elif calls:
            remarks.add(len(calls) - 1, kind, text)
    return AuctionSection(seat, tuple(calls), remarks, is_ended)


def _read_word(text: str, calls: Sequence[Call], *, is_over: bool) -> Sequence[Call]:
    """Return what a word adds to these calls: one, or all passes that end the auction."""
    if is_over:
        raise BridgeError("malformed_auction", f"The call {text[:20]} comes after the auction's end.")
    if len(calls) > MAX_CALLS:
        raise BridgeError("malformed_auction", f"No auction has more than {MAX_CALLS} calls.")
    return final_passes(calls) if text.upper() in _ALL_PASS else [plain_call(parse_call(text))]


@dataclass(frozen=True, slots=True)
class PlaySection:
    """What a Play section says. `cards` are in the order of play; `continued` when "+" says that it goes on."""

    cards: tuple[str, ...] = ()
    continued: bool = False
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Columns:
    """The columns of a Play section, one for each seat: cards as they are written, or NOT_PLAYED.

    `first` is the seat of the leftmost column, as it is written; `continued` when "+" says that the play goes on.
    """

    first: str
    entries: tuple[str, ...]
    remarks: Remarks
    continued: bool

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """Return the entries, each card as in DECK. Raise `malformed_card`."""
        return parse_columns(self.entries)

    @property
    def lead(self) -> str:
        """Return the first card, "" when there is none. Raise `malformed_card` for any card."""
        return "".join(self.cards[:1]).strip(NOT_PLAYED)

    def read(self, contract: Contract | None, turned: tuple[str, ...] = (), tricks: int = ALL_TRICKS) -> PlaySection:
        """Return the cards in the order of play, which may stop in mid-trick.

        `turned` is that order where it is known already. At most this number of tricks is read. Raise `malformed_play`,
        `malformed_card`, `illegal_lead` or `play_without_contract`.
        """
        entries = self.entries[: 4 * tricks] if tricks < ALL_TRICKS else self.entries
        if {NOT_PLAYED}.issuperset(entries):
            return PlaySection(continued=self.continued)
        if len(entries) > 52:
            raise BridgeError("malformed_play", "The play has more than 13 tricks.")
        if contract is None:
            raise BridgeError("play_without_contract", "There is a play, but no contract.")
        first, columns = parse_seat(self.first), self.cards[: len(entries)]
        cards = turned or from_columns(contract, first, columns)
        if not self.remarks.by_position:
            return PlaySection(cards, self.continued)
        names = {
            card: f"Trick {position // 4 + 1}, {card} by {player.full_name}"
            for position, (card, player) in enumerate(zip(cards, players_of(contract, cards), strict=True))
        }
        remarks = Remarks("card", [each for each in self.remarks.by_position if each[0] < len(columns)])
        sentences = remarks.sentences(lambda position: names.get(columns[position], ""))
        return PlaySection(cards, self.continued, tuple(sentences))

    def turn_rows(self, layout: Layout, contract: Contract, *, is_bid: bool) -> tuple[str, ...]:
        """Return the play with each card played by the hand that holds it; () unless the whole of it is legal.

        Where the Play names another seat than the leader, that seat must not have led: the auction says so (`is_bid`),
        or its lead would have been illegal.
        """
        try:
            first = parse_seat(self.first)
        except BridgeError:
            return ()
        turned = partial(from_turned_rows, layout, contract, self.cards)
        if first is contract.leader:
            return _legal_play(layout, contract, turned)
        other = replace(contract, declarer=first.partner.next)
        if not is_bid and _legal_play(layout, other, partial(from_columns, other, first, self.cards)):
            return ()
        of_first = partial(from_columns_of, contract, first, self.cards)
        return _legal_play(layout, contract, of_first) or _legal_play(layout, contract, turned)

    def say_how_turned(self, contract: Contract) -> str:
        leader = contract.leader
        if leader and parse_seat(self.first) is not leader:
            begin = f"The Play is headed {self.first}, but {leader.full_name} leads."
        else:
            begin = "The rows of the play begin with different seats."
        return f"{begin} Each card was assigned to the hand that holds it."

    def count_sound_tricks(self, layout: Layout, contract: Contract) -> int:
        """Return how many whole tricks there are before the fault."""
        for tricks in range(min(13, len(self.cards) // 4), 0, -1):
            cards = _legal_play(layout, contract, partial(self._in_order, contract, 4 * tricks))
            if len(cards) == 4 * tricks:
                return tricks
        return 0

    def _in_order(self, contract: Contract, end: int) -> tuple[str, ...]:
        return from_columns(contract, parse_seat(self.first), self.cards[:end])


def _legal_play(layout: Layout, contract: Contract, read: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
    """Return the play as it is read so, or () when it is not legal."""
    try:
        cards = read()
        check_play(layout, contract, cards)
    except BridgeError:
        return ()
    return cards


def read_columns(tag: Tag) -> Columns:
    """Read a Play section (PBN 2.1 §3.6); "*" ends it. Raise `malformed_play` or `irregularity`."""
    entries: list[str] = []
    remarks = Remarks("card")
    continued = False
    for kind, text in tag.elements():
        if kind == "word":
            entries.append(text if text.strip("-") else NOT_PLAYED)
        elif kind in _ODDITIES:
            raise _oddity(kind, text, "play")
        elif kind == "end":
            if text == "*":
                break
            continued = True
            entries.append(NOT_PLAYED)
        elif entries:
            remarks.add(len(entries) - 1, kind, tag.notes.get(text, "") if kind == "note" else text)
    return Columns(tag.value, tuple(entries), remarks, continued)


def _oddity(kind: str, text: str, section: str) -> BridgeError:
    """Return `irregularity` for what §3.9 marks with "^", `malformed_…` for what has no meaning here."""
    if kind == "irregularity":
        message = f"The {section} contains {_IRREGULAR[text.upper()]} (^{text}); such a board cannot be kept."
        return BridgeError("irregularity", message)
    return BridgeError(f"malformed_{section}", f"{text!r} does not belong in the {section}.")
