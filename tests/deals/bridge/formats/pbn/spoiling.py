"""Sound records, spoilt on purpose as files are spoilt: for the tests."""

import random
import re
from collections.abc import Callable
from dataclasses import replace

from deals.bridge.board import BoardRecord
from deals.bridge.layout import Layout
from deals.bridge.seats import Seat


def turn_hands(record: BoardRecord, turns: random.Random) -> BoardRecord:
    hands = record.layout.hands
    return replace(record, layout=Layout.parse("N:" + " ".join([*hands[1:], hands[0]])))


def swap_two_cards(record: BoardRecord, turns: random.Random) -> BoardRecord:
    one, other = turns.sample(list(Seat), 2)
    first, second = (turns.choice(sorted(record.layout.cards_held_by(seat))) for seat in (one, other))
    hands = {seat: {*record.layout.cards_held_by(seat)} for seat in Seat}
    hands[one] ^= {first, second}
    hands[other] ^= {first, second}
    suits = {
        seat: {suit: "".join(card[1] for card in cards if card[0] == suit) for suit in "SHDC"}
        for seat, cards in hands.items()
    }
    return replace(record, layout=Layout.from_hands(suits))


def change_tag(name: str) -> Callable[[str, random.Random], str]:
    def change(text: str, turns: random.Random) -> str:
        before, _, rest = text.partition(f'[{name} "')
        others = [seat for seat in "NESW" if seat != rest[0]]
        return f'{before}[{name} "{turns.choice(others)}{rest[1:]}'

    return change


def turn_auction(text: str, seats: int) -> str:
    """Leave out the passes before the first bid, and turn dealer and auction by so many seats."""
    text = re.sub(r'(\[Auction "."\]\s+)(?:Pass\s+)+', r"\1", text)
    return re.sub(r'(?<=\[Dealer ")[NESW]|(?<=\[Auction ")[NESW]', lambda seat: Seat(seat[0]).clockwise()[seats], text)


def lose_a_call(text: str, turns: random.Random) -> str:
    before, opening, rest = text.partition('[Auction "')
    head, _, after = rest.partition("\r\n")
    auction, play, cards = after.partition("[Play")
    words = auction.split()
    del words[turns.randrange(len(words))]
    return f"{before}{opening}{head}\r\n{' '.join(words)}\r\n{play}{cards}"
