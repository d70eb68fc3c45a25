"""The play of the cards: its laws, and the columns in which PBN writes it."""

from collections.abc import Sequence

from deals.bridge.cards import STRENGTHS, check_card, parse_card
from deals.bridge.contract import Contract
from deals.bridge.errors import BridgeError
from deals.bridge.layout import Layout
from deals.bridge.seats import Seat

NOT_PLAYED = "-"
"""PBN's columns show this for a card that was not played."""


class IllegalPlay(BridgeError):
    """A card that may not be played. So many whole tricks before it are sound."""

    def __init__(self, code: str, message: str, *, whole_tricks: int) -> None:
        super().__init__(code, message)
        self.whole_tricks = whole_tricks


def trick_winner(cards: Sequence[str], trump: str | None) -> int:
    """Return which of a trick's cards, counted from 0 in the order of play, wins it (Law 44E, 44F)."""
    strength = STRENGTHS[trump][cards[0][0]]
    ranked = [strength[card] for card in cards]
    return ranked.index(max(ranked))


def play_leaders(contract: Contract, cards: Sequence[str]) -> tuple[Seat, ...]:
    """Return who leads to each trick of a chronological play and, after its last whole trick, to the next.

    Raise `play_without_contract` when the contract is passed out or its declarer unknown.
    """
    leader, trump = _leader_and_trump(contract)
    leaders = [leader]
    for start in range(0, len(cards) - 3, 4):
        leader = leader.clockwise()[trick_winner(cards[start : start + 4], trump)]
        leaders.append(leader)
    return tuple(leaders)


def _leader_and_trump(contract: Contract) -> tuple[Seat, str | None]:
    """Return the opening leader and the trump suit, None for notrump; or raise `play_without_contract`."""
    if contract.leader is None or contract.denomination is None:
        message = "Cards are played only in a contract whose declarer is known."
        raise BridgeError("play_without_contract", message)
    return contract.leader, contract.denomination.trump


def tricks_won(contract: Contract, cards: Sequence[str]) -> int:
    """Count the whole tricks that declarer's side took."""
    declarer = contract.declarer
    leaders = play_leaders(contract, cards)[1:]
    return sum(leader.side == declarer.side for leader in leaders) if declarer else 0


def check_lead(layout: Layout, contract: Contract, lead: str) -> None:
    """Raise `illegal_lead` unless declarer's left-hand opponent holds the opening lead (Law 41A); or `malformed_card`.

    Any player may hold it while declarer is not known.
    """
    holder = layout.holder(lead)
    if contract.leader and holder is not contract.leader:
        message = f"{contract.leader.full_name} leads, but {holder.full_name} holds the opening lead {lead}."
        raise BridgeError("illegal_lead", message)


def check_play(layout: Layout, contract: Contract, cards: Sequence[str]) -> None:
    """Raise `illegal_play`, naming card and trick, unless these cards may be played from the opening lead on.

    Each card is held by the player whose turn it is and follows suit where possible (Law 44).
    `malformed_card` and `play_without_contract` are raised too.
    """
    for card in cards:
        check_card(card)
    leaders = play_leaders(contract, cards)
    left = {seat: set(layout.cards_held_by(seat)) for seat in Seat}
    for number, card in enumerate(cards):
        trick, place = divmod(number, 4)
        seat = leaders[trick].clockwise()[place]
        objection = _objection(layout, card, cards[trick * 4], seat, left[seat])
        if objection:
            message = f"Trick {trick + 1}, {card} by {seat.full_name}: {objection}."
            raise IllegalPlay("illegal_play", message, whole_tricks=trick)
        left[seat].remove(card)


def _objection(layout: Layout, card: str, led: str, seat: Seat, left: set[str]) -> str:
    """Return why `seat`, with these cards left, may not play the card; "" when it may."""
    if card not in left:
        holder = layout.holder(card)
        if holder is seat:
            return "the card has been played already"
        return f"the card was dealt to {holder.full_name}"
    if card[0] != led[0] and any(other[0] == led[0] for other in left):
        return f"a revoke, as {led} was led"
    return ""


def from_columns(contract: Contract, first: Seat, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the cards of PBN's table of four columns, `first`'s leftmost, in the order of play (PBN 2.1 §3.6).

    Every row is a trick in the seats' order, "-" for a card not played. Raise `illegal_lead` when `first` is
    not the opening leader, `malformed_play` when cards follow a missing one, or `malformed_card`.
    """
    table = [card if card == NOT_PLAYED else parse_card(card) for card in columns]
    total = len(table) - table.count(NOT_PLAYED)
    if not total:
        return ()
    leader, trump = _leader_and_trump(contract)
    if leader is not first:
        message = f"{leader.full_name} leads to {contract}, but the play begins with {first.full_name}."
        raise BridgeError("illegal_lead", message)
    table += [NOT_PLAYED] * (-len(table) % 4)
    played: list[str] = []
    column = 0
    for start in range(0, len(table), 4):
        trick = _rotate(table[start : start + 4], column)
        played += trick
        if NOT_PLAYED in trick:
            break
        column = (column + trick_winner(trick, trump)) % 4
    length = played.index(NOT_PLAYED) if NOT_PLAYED in played else len(played)
    if length < total:
        message = f"Trick {length // 4 + 1}: a card is missing, but later cards are there."
        raise BridgeError("malformed_play", message)
    return tuple(played[:length])


def from_turned_rows(layout: Layout, contract: Contract, columns: Sequence[str]) -> tuple[str, ...] | None:
    """Return the cards of rows of four, each of which begins with any seat, in the order of play; or None.

    Whoever holds a card has played it. The cards of a row must come from hands in clockwise order, only the last row
    may be short, and the opening leader's own card must be the first. Check the play that is returned.
    """
    leader, trump = _leader_and_trump(contract)
    rows = [columns[start : start + 4] for start in range(0, len(columns), 4)]
    while rows and all(card == NOT_PLAYED for card in rows[-1]):
        rows.pop()
    if not rows or rows[0][0] == NOT_PLAYED or layout.holder(rows[0][0]) is not leader:
        return None
    played: list[str] = []
    for row in rows:
        by_seat = _holders(layout, row)
        order = leader.clockwise()[: len(by_seat)]
        if not by_seat or by_seat.keys() != set(order) or (len(by_seat) < 4 and row is not rows[-1]):
            return None
        trick = [by_seat[seat] for seat in order]
        played += trick
        if len(trick) == 4:
            leader = leader.clockwise()[trick_winner(trick, trump)]
    return tuple(played)


def _holders(layout: Layout, row: Sequence[str]) -> dict[Seat, str]:
    """Return the cards of a row by their holders, or nothing unless they stand in clockwise columns."""
    by_place = {place: card for place, card in enumerate(row) if card != NOT_PLAYED}
    turns = {(layout.holder(card).index - place) % 4 for place, card in by_place.items()}
    return {layout.holder(card): card for card in by_place.values()} if len(turns) == 1 else {}


def to_columns(contract: Contract, cards: Sequence[str]) -> list[list[str]]:
    """Return rows of four, the opening leader's card leftmost: the inverse of `from_columns`."""
    leaders = play_leaders(contract, cards)
    padded = [*cards, *[NOT_PLAYED] * (-len(cards) % 4)]
    tricks = [padded[start : start + 4] for start in range(0, len(padded), 4)]
    first = leaders[0].index
    return [_rotate(trick, first - leader.index) for leader, trick in zip(leaders, tricks, strict=False)]


def _rotate(trick: list[str], turn: int) -> list[str]:
    """Return the four cards of a trick beginning `turn` places further on."""
    return trick[turn % 4 :] + trick[: turn % 4]
