"""The play of the cards: its laws, and the columns in which PBN writes it."""

from collections.abc import Sequence

from .cards import check_card, outranks, parse_card
from .contract import Contract
from .deal import Deal
from .errors import BridgeError
from .seats import Seat

NOT_PLAYED = "-"


def trick_winner(cards: Sequence[str], trump: str | None) -> int:
    """Which of a trick's cards, in the order of play, wins it (Law 44E, 44F)."""
    best = 0
    for place in range(1, len(cards)):
        if outranks(cards[place], cards[best], trump):
            best = place
    return best


def play_leaders(contract: Contract, cards: Sequence[str]) -> list[Seat]:
    """Who leads to each trick of a chronological play and, after its last whole trick, to the next.

    `play_without_contract` when the contract is passed out or its declarer unknown.
    """
    leader, trump = _opening(contract)
    leaders = [leader]
    for start in range(0, len(cards) - 3, 4):
        leader = leader.clockwise()[trick_winner(cards[start : start + 4], trump)]
        leaders.append(leader)
    return leaders


def _opening(contract: Contract) -> tuple[Seat, str | None]:
    """The opening leader and the trump suit."""
    if contract.leader is None or contract.denomination is None:
        raise BridgeError("play_without_contract", "Cards are played only in a contract with a declarer.")
    return contract.leader, contract.denomination.trump


def tricks_won(contract: Contract, cards: Sequence[str]) -> int:
    """Whole tricks taken by declarer's side."""
    declarer = contract.declarer
    leaders = play_leaders(contract, cards)[1:]
    return sum(leader.side == declarer.side for leader in leaders) if declarer else 0


def check_play(deal: Deal, contract: Contract, cards: Sequence[str]) -> None:
    """Chronological cards, from the opening lead on; `illegal_play` names the card and the trick.

    Each card is held by the player whose turn it is and follows suit where possible (Law 44).
    `malformed_card` and `play_without_contract` besides.
    """
    held = deal.holders()
    for card in cards:
        check_card(card)
    leaders = play_leaders(contract, cards)
    left = {seat: {card for card in held if held[card] is seat} for seat in Seat}
    for number, card in enumerate(cards):
        trick, place = divmod(number, 4)
        seat = leaders[trick].clockwise()[place]
        objection = _objection(card, cards[trick * 4], held[card], seat, left[seat])
        if objection:
            message = f"Trick {trick + 1}, {card} by {seat.spoken}: {objection}."
            raise BridgeError("illegal_play", message)
        left[seat].remove(card)


def _objection(card: str, led: str, holder: Seat, seat: Seat, left: set[str]) -> str:
    """Why `seat`, with these cards left, may not play the card; "" when it may."""
    if holder is not seat:
        return f"the card was dealt to {holder.spoken}"
    if card not in left:
        return "the card has been played already"
    if card[0] != led[0] and any(other[0] == led[0] for other in left):
        return f"a revoke, as {led} was led"
    return ""


def from_columns(contract: Contract, first: Seat, columns: Sequence[str]) -> tuple[str, ...]:
    """PBN's table of four columns, `first`'s leftmost, in the order of play (PBN 2.1 §3.6).

    Every row is a trick in the seats' order, "-" for a card not played. `illegal_lead` when `first` is
    not the opening leader, `malformed_play` when cards follow one that is not given, `malformed_card`.
    """
    table = [card if card == NOT_PLAYED else parse_card(card) for card in columns]
    given = sum(card != NOT_PLAYED for card in table)
    if not given:
        return ()
    leader, trump = _opening(contract)
    if leader is not first:
        message = f"{leader.spoken} leads to {contract}, but the play begins with {first.spoken}."
        raise BridgeError("illegal_lead", message)
    played: list[str] = []
    for start in range(0, len(table), 4):
        trick = _rotate(table[start : start + 4], leader.index - first.index)
        played += trick
        if NOT_PLAYED in trick:
            break
        leader = leader.clockwise()[trick_winner(trick, trump)]
    known = played.index(NOT_PLAYED) if NOT_PLAYED in played else len(played)
    if known < given:
        message = f"Trick {known // 4 + 1}: a card is missing, but later ones are given."
        raise BridgeError("malformed_play", message)
    return tuple(played[:known])


def to_columns(contract: Contract, cards: Sequence[str]) -> list[list[str]]:
    """Rows of four, the opening leader's card leftmost: the inverse of `from_columns`."""
    leaders = play_leaders(contract, cards)
    tricks = [cards[start : start + 4] for start in range(0, len(cards), 4)]
    first = leaders[0].index
    return [_rotate(trick, first - leader.index) for leader, trick in zip(leaders, tricks, strict=False)]


def _rotate(trick: Sequence[str], turn: int) -> list[str]:
    """A trick of up to four cards, filled up with "-", beginning `turn` places further on."""
    whole = [*trick, *[NOT_PLAYED] * (4 - len(trick))]
    return whole[turn % 4 :] + whole[: turn % 4]
