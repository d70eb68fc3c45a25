"""The Auction and Play sections of a PBN game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from deals.bridge.auction import MAX_CALLS, Auction, Call, final_passes, parse_call
from deals.bridge.cards import parse_card
from deals.bridge.contract import Contract
from deals.bridge.errors import BridgeError
from deals.bridge.pbn.annotations import Remarks
from deals.bridge.pbn.tokens import Tag
from deals.bridge.play import NOT_PLAYED, from_columns, play_leaders
from deals.bridge.seats import Seat, parse_seat

_ALL_PASS = {"AP", "ALLPASS"}
_IRREGULAR = {
    "I": "an insufficient bid",
    "S": "a call out of rotation",
    "R": "a revoke",
    "L": "a lead out of turn",
}


PlayOrder = Callable[[Contract, Seat, Sequence[str]], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class AuctionSection:
    """What an Auction section says. `auction` is None without a seat, or without a call, "*" and "+".

    `is_cut` when "*" or "+" says that not all calls are there.
    """

    auction: Auction | None
    remarks: tuple[str, ...] = ()
    is_cut: bool = False

    def check_bid(self, contract: Contract | None) -> None:
        """Raise `contract_contradicts_auction` for an auction of passes alone beside a contract that is played."""
        calls = self.auction.calls if self.auction and not self.auction.complete and not self.is_cut else ()
        if calls and contract and contract.declarer and all(call.call == "Pass" for call in calls):
            message = f"The auction has no bid, but the contract is given as {contract}."
            raise BridgeError("contract_contradicts_auction", message)


@dataclass(frozen=True, slots=True)
class PlaySection:
    """What a Play section says. `cards` are in the order of play; `continued` when "+" says that it goes on."""

    cards: tuple[str, ...] = ()
    continued: bool = False
    remarks: tuple[str, ...] = ()


def read_auction(tag: Tag, dealer: Seat | None = None, passes: int = 0) -> AuctionSection:
    """Read an Auction section (PBN 2.1 §3.5). With `passes` so many of them, from the dealer on, are put first.

    Hyphens pass over the seats before the dealer, so that the auction's dealer is its first caller. A note
    or "!" makes a call alerted: to the standard "!" is a good call, but programs that export alerts write it so.
    Other annotations are remarks. Raise `malformed_auction`, `malformed_call`, `illegal_call`, or `irregularity`
    for what §3.9 marks with "^".
    """
    if tag.value.strip() in ("", "?"):
        return AuctionSection(None)
    seat = parse_seat(tag.value)
    calls: list[Call] = []
    remarks = Remarks("call")
    is_ended, is_waiting = False, False
    for kind, text in tag.elements():
        _refuse_oddities(kind, text, "auction")
        if kind == "end":
            is_ended = True
        elif kind == "word" and not text.strip("-"):
            seat = seat if calls else seat.next
            is_waiting = bool(calls)
        elif kind == "word":
            if is_ended or is_waiting:
                raise BridgeError("malformed_auction", f"The call {text[:20]} comes after the auction's end.")
            if len(calls) > MAX_CALLS:
                raise BridgeError("malformed_auction", f"No auction has more than {MAX_CALLS} calls.")
            calls += final_passes(calls) if text.upper() in _ALL_PASS else [Call(parse_call(text))]
        elif calls and kind == "note":
            explanation = tag.notes.get(text, "") or calls[-1].explanation
            calls[-1] = Call(calls[-1].call, True, explanation)
        elif calls and text == "!":
            calls[-1] = replace(calls[-1], alert=True)
        elif calls:
            _add_remark(remarks, len(calls) - 1, kind, text)
    if not calls and not is_ended:
        return AuctionSection(None)
    auction = Auction(dealer or seat, (Call("Pass"),) * passes + tuple(calls))
    names = _call_names(auction)[passes:] if remarks.by_place else ()
    return AuctionSection(auction, tuple(remarks.sentences(names)), is_ended)


def _add_remark(remarks: Remarks, place: int, kind: str, text: str) -> None:
    if kind == "nag":
        remarks.add_glyph(place, text)
    else:
        remarks.add_suffix(place, text)


def _call_names(auction: Auction) -> list[str]:
    order = auction.dealer.clockwise()
    return [
        f"Call {place + 1}, {call.call} by {order[place % 4].full_name}"
        for place, call in enumerate(auction.calls)
    ]


def read_play(
    tag: Tag, contract: Contract | None, order: PlayOrder = from_columns, tricks: int = 13
) -> PlaySection:
    """Read a Play section (PBN 2.1 §3.6), whose columns may stop in mid-trick; "*" ends them.

    `order` puts the cards of the columns into the order of play. Only so many tricks are read. Raise
    `malformed_play`, `malformed_card`, `illegal_lead`, `play_without_contract` or `irregularity`.
    """
    columns, remarks, continued = _read_columns(tag)
    if tricks < 13:
        columns = columns[: 4 * tricks]
    if not any(card != NOT_PLAYED for card in columns):
        return PlaySection(continued=continued)
    if len(columns) > 52:
        raise BridgeError("malformed_play", "The play has more than 13 tricks.")
    if contract is None:
        raise BridgeError("play_without_contract", "There is a play, but no contract.")
    cards = order(contract, parse_seat(tag.value), columns)
    if not remarks.by_place:
        return PlaySection(cards, continued)
    names = _card_names(contract, cards)
    remarks.by_place = [each for each in remarks.by_place if each[0] < len(columns)]
    in_columns = ["" if card == NOT_PLAYED else names[parse_card(card)] for card in columns]
    return PlaySection(cards, continued, tuple(remarks.sentences(in_columns)))


Columns = tuple[list[str], Remarks, bool]
"""Cards or NOT_PLAYED, the remarks on them, and whether the play goes on."""


def read_columns(tag: Tag) -> list[str]:
    """Return the cards of the columns, each as in DECK or NOT_PLAYED. Raise what `read_play` raises."""
    columns, _, _ = _read_columns(tag)
    return [card if card == NOT_PLAYED else parse_card(card) for card in columns]


def _read_columns(tag: Tag) -> Columns:
    columns: list[str] = []
    remarks = Remarks("card")
    continued = False
    for kind, text in tag.elements():
        _refuse_oddities(kind, text, "play")
        if kind == "word":
            columns.append(text if text.strip("-") else NOT_PLAYED)
        elif kind == "end" and text == "*":
            break
        elif kind == "end":
            continued = True
            columns.append(NOT_PLAYED)
        elif columns and kind == "note":
            remarks.add_text(len(columns) - 1, tag.notes.get(text, ""))
        elif columns:
            _add_remark(remarks, len(columns) - 1, kind, text)
    return columns, remarks, continued


def _card_names(contract: Contract, cards: tuple[str, ...]) -> dict[str, str]:
    leaders = play_leaders(contract, cards)
    return {
        card: f"Trick {place // 4 + 1}, {card} by {leaders[place // 4].clockwise()[place % 4].full_name}"
        for place, card in enumerate(cards)
    }


def _refuse_oddities(kind: str, text: str, section: str) -> None:
    """Raise `irregularity` for what §3.9 marks with "^", `malformed_…` for what has no meaning here."""
    if kind == "irregularity":
        message = f"The {section} contains {_IRREGULAR[text.upper()]} (^{text}); such a board cannot be kept."
        raise BridgeError("irregularity", message)
    if kind == "stray":
        raise BridgeError(f"malformed_{section}", f"{text!r} has no place in the {section}.")
