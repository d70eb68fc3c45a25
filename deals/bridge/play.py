"""The play of the cards: its laws, and the columns in which PBN writes it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from deals.bridge.cards import DECK, STRENGTHS, check_card, parse_card
from deals.bridge.contract import Contract
from deals.bridge.errors import BridgeError
from deals.bridge.layout import Layout
from deals.bridge.seats import Seat

NOT_PLAYED = "-"

_CARDS = frozenset(DECK)
_COLUMNS = _CARDS | {NOT_PLAYED}


def trick_winner(cards: Sequence[str], trump: str | None) -> int:
    """Which of a trick's cards, in the order of play, wins it (Law 44E, 44F)."""
    strength = STRENGTHS[trump][cards[0][0]]
    ranked = [strength[card] for card in cards]
    return ranked.index(max(ranked))


def play_leaders(contract: Contract, cards: Sequence[str]) -> tuple[Seat, ...]:
    """Who leads to each trick of a chronological play and, after its last whole trick, to the next.

    `play_without_contract` when the contract is passed out or its declarer unknown.
    """
    leader, trump = _opening(contract)
    return _leaders(leader, trump, tuple(cards))


@lru_cache(maxsize=8)  # A board is asked several times in a row.
def _leaders(leader: Seat, trump: str | None, cards: tuple[str, ...]) -> tuple[Seat, ...]:
    leaders = [leader]
    for start in range(0, len(cards) - 3, 4):
        leader = leader.clockwise()[trick_winner(cards[start : start + 4], trump)]
        leaders.append(leader)
    return tuple(leaders)


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


def check_play(deal: Layout, contract: Contract, cards: Sequence[str]) -> None:
    """Chronological cards, from the opening lead on; `illegal_play` names the card and the trick.

    Each card is held by the player whose turn it is and follows suit where possible (Law 44).
    `malformed_card` and `play_without_contract` besides.
    """
    if not _CARDS.issuperset(cards):
        for card in cards:
            check_card(card)
    leaders = play_leaders(contract, cards)
    if not _is_legal(deal, leaders, cards):
        raise _fault(deal, leaders, cards)


def _is_legal(deal: Layout, leaders: Sequence[Seat], cards: Sequence[str]) -> bool:
    tricks = [cards[start : start + 4] for start in range(0, len(cards), 4)]
    in_turn = [_rotate(trick, -leader.index) for leader, trick in zip(leaders, tricks, strict=False)]
    led = [trick[0][0] for trick in tricks]
    return len(set(cards)) == len(cards) and all(
        _follows(deal.suits(seat), deal.held(seat), [card for card in played if card != NOT_PLAYED], led)
        for seat, played in zip(Seat, zip(*in_turn, strict=True), strict=False)
    )


def _follows(
    hand: Mapping[str, str], held: frozenset[str], played: Sequence[str], led: Sequence[str]
) -> bool:
    """Whether a player played his own cards, and another suit than was led only when he had no more of that."""
    suits = "".join([card[0] for card in played])
    return held.issuperset(played) and not any(
        suit != asked and suits.count(asked, 0, trick) < len(hand[asked])
        for trick, (suit, asked) in enumerate(zip(suits, led, strict=False))
    )


def _fault(deal: Layout, leaders: Sequence[Seat], cards: Sequence[str]) -> BridgeError:
    """The first card of an illegal play that may not be played."""
    left = {seat: set(deal.held(seat)) for seat in Seat}
    for number, card in enumerate(cards):
        trick, place = divmod(number, 4)
        seat = leaders[trick].clockwise()[place]
        objection = _objection(deal, card, cards[trick * 4], seat, left[seat])
        if objection:
            return BridgeError("illegal_play", f"Trick {trick + 1}, {card} by {seat.spoken}: {objection}.")
        left[seat].remove(card)
    raise AssertionError("the play is legal")


def _objection(deal: Layout, card: str, led: str, seat: Seat, left: set[str]) -> str:
    """Why `seat`, with these cards left, may not play the card; "" when it may."""
    holder = deal.holder(card)
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
    table = list(columns)
    if not _COLUMNS.issuperset(table):
        table = [card if card == NOT_PLAYED else parse_card(card) for card in columns]
    given = sum(card != NOT_PLAYED for card in table)
    if not given:
        return ()
    leader, trump = _opening(contract)
    if leader is not first:
        message = f"{leader.spoken} leads to {contract}, but the play begins with {first.spoken}."
        raise BridgeError("illegal_lead", message)
    table += [NOT_PLAYED] * (-len(table) % 4)
    played: list[str] = []
    column = 0
    for start in range(0, len(table), 4):
        trick = table[start + column : start + 4] + table[start : start + column]
        played += trick
        if NOT_PLAYED in trick:
            break
        column = (column + trick_winner(trick, trump)) % 4
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
    whole = [*trick, *[NOT_PLAYED] * (4 - len(trick))] if len(trick) < 4 else list(trick)
    return whole[turn % 4 :] + whole[: turn % 4]
