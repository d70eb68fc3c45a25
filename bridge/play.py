"""The play of the cards: its laws, and the columns in which PBN writes it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from bridge.cards import STRENGTHS, check_cards, parse_card
from bridge.contract import Contract
from bridge.errors import BridgeError
from bridge.layout import Layout
from bridge.seats import Seat

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
    winner, best = 0, 0
    for index, card in enumerate(cards):
        if strength[card] > best:
            winner, best = index, strength[card]
    return winner


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


def players_of(contract: Contract, cards: Sequence[str]) -> list[Seat]:
    """Return who played each card of a chronological play."""
    leaders = play_leaders(contract, cards)
    return [leaders[index // 4].clockwise()[index % 4] for index in range(len(cards))]


def trick_on_table(contract: Contract, cards: Sequence[str]) -> tuple[Seat, Sequence[str]]:
    """Return who leads to the trick that is being played after these cards, and its cards so far, three at most."""
    whole = len(cards) // 4 * 4
    return play_leaders(contract, cards)[-1], cards[whole:]


def cards_to_play(layout: Layout, contract: Contract, played: Sequence[str]) -> tuple[Seat, list[str]]:
    """Return whose turn it is after these cards, and what may be played (Law 44), ordered as DECK; none at the end."""
    leader, row = trick_on_table(contract, played)
    player = leader.clockwise()[len(row)]
    held = [suit + rank for suit, ranks in layout.suits(player).items() for rank in ranks]
    left = [card for card in held if card not in played]
    return player, [card for card in left if row and card[0] == row[0][0]] or left


def _leader_and_trump(contract: Contract) -> tuple[Seat, str | None]:
    """Return the opening leader and the trump suit, None for notrump; or raise `play_without_contract`."""
    if contract.leader is None or contract.denomination is None:
        message = "Cards are played only in a contract whose declarer is known."
        raise BridgeError("play_without_contract", message)
    return contract.leader, contract.denomination.trump


def tricks_won(contract: Contract, cards: Sequence[str]) -> int:
    """Count the whole tricks that declarer's side took."""
    return count_won(contract, play_leaders(contract, cards))


def count_won(contract: Contract, leaders: Sequence[Seat]) -> int:
    """Count the whole tricks that declarer's side took. Who leads to the next trick has won the one before."""
    declarer = contract.declarer
    return sum(leader.side == declarer.side for leader in leaders[1:]) if declarer else 0


def check_lead(layout: Layout, contract: Contract, lead: str) -> None:
    """Raise `illegal_lead` unless the leader, where known, holds the opening lead (Law 41A); or `malformed_card`."""
    holder = layout.holder(lead)
    if contract.leader and holder is not contract.leader:
        message = f"{contract.leader.full_name} leads, but {holder.full_name} holds the opening lead {lead} (Law 41A)."
        raise BridgeError("illegal_lead", message)


@lru_cache(maxsize=1)  # A repair checks the play that the record's own check meets next.
def check_play(layout: Layout, contract: Contract, cards: tuple[str, ...]) -> tuple[Seat, ...]:
    """Raise `illegal_play`, naming card and trick, unless these cards may be played from the opening lead on.

    Each card is held by the player whose turn it is and follows suit where possible (Law 44).
    `malformed_card` and `play_without_contract` are raised too. Return the leaders, as `play_leaders` does.
    """
    check_cards(*cards)
    leader, trump = _leader_and_trump(contract)
    leaders = [leader]
    holders = layout.holders
    played: set[str] = set()
    for start in range(0, len(cards), 4):
        row = cards[start : start + 4]
        led, order = row[0][0], leader.clockwise()
        for seat, card in zip(order, row, strict=False):
            if holders[card] is not seat:
                objection = f"the card was dealt to {holders[card].full_name}"
            elif card in played:
                objection = "the card has been played already"
            elif card[0] != led and any(led + rank not in played for rank in layout.suits(seat)[led]):
                objection = f"a revoke, as {row[0]} was led (Law 61)"
            else:
                played.add(card)
                continue
            message = f"Trick {start // 4 + 1}, {card} by {seat.full_name}: {objection}."
            raise IllegalPlay("illegal_play", message, whole_tricks=start // 4)
        if len(row) == 4:
            leader = order[trick_winner(row, trump)]
            leaders.append(leader)
    return tuple(leaders)


def parse_columns(columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns with cards as in DECK, or NOT_PLAYED. Raise `malformed_card`."""
    return tuple([card if card == NOT_PLAYED else parse_card(card) for card in columns])


def from_columns(contract: Contract, first: Seat, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the cards of PBN's table of four columns, `first`'s leftmost, in the order of play (PBN 2.1 §3.6).

    Every row is a trick in the seats' order, "-" for a card not played. Raise `illegal_lead` when `first` is
    not the opening leader, or `malformed_play` when cards follow a missing one. The cards are as in DECK.
    """
    table = [*columns]
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


def from_columns_of(contract: Contract, first: Seat, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the cards of a table whose leftmost column is `first`'s, whoever leads, in the order of play."""
    leader, _ = _leader_and_trump(contract)
    table = [*columns, *[NOT_PLAYED] * (-len(columns) % 4)]
    rows = (_rotate(table[start : start + 4], leader.index - first.index) for start in range(0, len(table), 4))
    return from_columns(contract, leader, [card for row in rows for card in row])


def from_turned_rows(layout: Layout, contract: Contract, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the cards of rows of four, each starting with any seat, in the order of play.

    A card was played by its holder. The cards of a row must come from hands in clockwise order, only the last row may
    be short, and the opening leader's own card must be the first: else `malformed_play`. Check the play that is
    returned. The cards are as in DECK.
    """
    leader, trump = _leader_and_trump(contract)
    table = [*columns]
    while table[-1:] == [NOT_PLAYED]:
        table.pop()
    holders = layout.holders
    played: list[str] = []
    for start in range(0, len(table), 4):
        row = (table[start : start + 4] + [NOT_PLAYED] * 3)[:4]
        order = leader.clockwise()
        trick = _turn_row(row, order, holders)
        is_last, is_first = start + 4 >= len(table), start == 0
        if not trick or (len(trick) < 4 and not is_last) or (trick[0] != row[0] and is_first):
            message = f"Trick {start // 4 + 1} cannot be told from the row of its cards."
            raise BridgeError("malformed_play", message)
        played += trick
        if len(trick) == 4:
            leader = order[trick_winner(trick, trump)]
    return tuple(played)


def _turn_row(row: list[str], order: Sequence[Seat], holders: Mapping[str, Seat]) -> list[str]:
    """Return the cards of a row in the order of the seats that hold them, [] where no turn puts them into it."""
    by_seat = {holders[card]: card for card in row if card != NOT_PLAYED}
    trick = [by_seat.get(seat, NOT_PLAYED) for seat in order]
    turn = row.index(trick[0]) if trick[0] in row else 0
    cards = trick[: len(by_seat)]
    return cards if _rotate(row, turn) == trick and NOT_PLAYED not in cards else []


def to_columns(contract: Contract, cards: Sequence[str]) -> list[list[str]]:
    """Return rows of four, the opening leader's card leftmost: the inverse of `from_columns`."""
    leaders = play_leaders(contract, cards)
    padded = [*cards, *[NOT_PLAYED] * (-len(cards) % 4)]
    tricks = [padded[start : start + 4] for start in range(0, len(padded), 4)]
    first = leaders[0].index
    return [_rotate(trick, first - leader.index) for leader, trick in zip(leaders, tricks, strict=False)]


def _rotate(trick: list[str], turn: int) -> list[str]:
    """Return the four cards of a trick beginning `turn` cards further on."""
    return trick[turn % 4 :] + trick[: turn % 4]
