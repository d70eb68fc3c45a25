"""Sound records, spoilt on purpose as files are spoilt, and what becomes of them.

`python -m tests.bridge.formats.pbn.spoiling 10000` spoils so many records and prints the counts; the tests spoil
a few hundred.
"""

import random
import re
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO

from bridge.auction import BIDS, Auction, Call
from bridge.board import BoardRecord, complete_record
from bridge.cards import DECK, SUITS
from bridge.formats.outcomes import ReadBoard
from bridge.formats.pbn.reader import read_pbn
from bridge.formats.pbn.writer import write_pbn
from bridge.layout import Layout
from bridge.play import tricks_won
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability, board_dealer, board_vulnerability
from tests.bridge.strategies import random_play

Spoil = Callable[[str, random.Random], str]

AUCTIONS = (
    *("1NT Pass 3NT Pass Pass Pass", "1S Pass 2S Pass 4S X Pass Pass Pass", "1H 1S 2H 2S Pass Pass 3H Pass Pass Pass"),
    *(
        "1D X Pass Pass Pass",
        "1C 1H X XX 2C Pass Pass 2H Pass Pass Pass",
        "2C Pass 2D Pass 2NT Pass 6NT Pass Pass Pass",
    ),
)


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


def other_deal(spoil: Callable[[BoardRecord, random.Random], BoardRecord]) -> Spoil:
    """Write the deal of a record that is spoilt so."""

    def change(text: str, turns: random.Random) -> str:
        deal = re.search(r'\[Deal "([^"]*)"', text)
        assert deal
        record = BoardRecord(Layout.parse(deal[1]), Seat.NORTH, Vulnerability.NONE)
        return text.replace(deal[1], spoil(record, turns).layout.pbn(Seat(deal[1][0])))

    return change


VALUES = {
    **dict.fromkeys(("Declarer", "Dealer", "Auction", "Play"), "NESW"),
    "Vulnerable": ("None", "NS", "EW", "All"),
    "Contract": BIDS,
    "Result": [str(tricks) for tricks in range(14)],
    "Score": [f"NS {points}" for points in (-620, -420, -100, -50, 90, 110, 140, 170, 400, 430, 620, 1430)],
}


def change_tag(name: str) -> Spoil:
    def change(text: str, turns: random.Random) -> str:
        return re.sub(rf'(?<=\[{name} ")[^"]*', lambda value: another(name, value[0], turns), text)

    return change


def another(name: str, value: str, turns: random.Random) -> str:
    return turns.choice([other for other in VALUES[name] if other != value])


def change_doubling(text: str, turns: random.Random) -> str:
    def change(contract: re.Match[str]) -> str:
        return contract[1] + turns.choice([doubled for doubled in ("", "X", "XX") if doubled != contract[2]])

    return re.sub(r'(?<=\[Contract ")(.*?)(X*)(?=")', change, text)


def give_twice(text: str, turns: random.Random) -> str:
    """Write a tag again, with another value, on the line before it or behind it."""
    name = turns.choice(["Dealer", "Vulnerable", "Declarer", "Contract", "Result"])
    tag = re.search(rf'\[{name} "([^"]*)"\]\r\n', text)
    assert tag
    both = [tag[0], f'[{name} "{another(name, tag[1], turns)}"]\r\n']
    turns.shuffle(both)
    return text.replace(tag[0], "".join(both))


def turn_auction(text: str, seats: int) -> str:
    """Leave out the passes before the first bid, and turn dealer and auction by so many seats."""
    text = re.sub(r'(\[Auction "."\]\s+)(?:Pass\s+)+', r"\1", text)
    return re.sub(r'(?<=\[Dealer ")[NESW]|(?<=\[Auction ")[NESW]', lambda seat: Seat(seat[0]).clockwise()[seats], text)


def change_words(name: str, change: Callable[[list[str], random.Random], object]) -> Spoil:
    """Change the list of an auction's calls or a play's cards."""

    def spoil(text: str, turns: random.Random) -> str:
        section = re.search(rf'(?<=\[{name} "."\]\r\n)[^\[*]*?(?=\s+(?:[\[*]|\Z))', text)
        if section is None:
            return text
        words = section[0].split()
        change(words, turns)
        return f"{text[: section.start()]}{' '.join(words)}{text[section.end() :]}"

    return spoil


def lose_one(words: list[str], turns: random.Random) -> None:
    del words[turns.randrange(len(words))]


def swap_columns(words: list[str], turns: random.Random) -> None:
    """Swap two cards that different hands have played."""
    one = turns.randrange(len(words))
    other = turns.choice([place for place in range(4 * (len(words) // 4)) if place % 4 != one % 4] or [one])
    words[one], words[other] = words[other], words[one]


def change_call(words: list[str], turns: random.Random) -> None:
    words[turns.randrange(len(words))] = turns.choice(("Pass", "X", *BIDS))


def lead_of_another_hand(text: str, turns: random.Random) -> str:
    deal, lead = re.search(r'\[Deal "([^"]*)"', text), re.search(r'(?<=\[Play "."\]\r\n)\w\w', text)
    assert deal and lead
    holders = Layout.parse(deal[1]).holders
    card = turns.choice([card for card in DECK if holders[card] != holders[lead[0]]])
    return text[: lead.start()] + card + text[lead.end() :]


def add_passes(words: list[str], turns: random.Random) -> None:
    words += ["Pass"] * turns.randrange(1, 4)


def cut(words: list[str], turns: random.Random) -> None:
    del words[turns.randrange(len(words)) :]


lose_a_call = change_words("Auction", lose_one)

SPOILERS: dict[str, Spoil] = {
    "hands turned by a seat": other_deal(turn_hands),
    "two cards of the deal swapped": other_deal(swap_two_cards),
    **{f"another {name}": change_tag(name) for name in VALUES},
    "another doubling": change_doubling,
    "a tag twice": give_twice,
    "first passes left out": lambda text, turns: turn_auction(text, 0),
    "first passes left out, dealer turned": lambda text, turns: turn_auction(text, turns.randrange(1, 4)),
    "a call lost": lose_a_call,
    "another call": change_words("Auction", change_call),
    "passes after the end": change_words("Auction", add_passes),
    "the auction cut": change_words("Auction", cut),
    "two cards of the play swapped": change_words("Play", swap_columns),
    "a card of the play lost": change_words("Play", lose_one),
    "a lead of another hand": lead_of_another_hand,
}
"""The ways in which a record is spoilt."""


def bid_record(number: int, calls: str, turns: random.Random) -> BoardRecord:
    cards = turns.sample(DECK, 52)
    hands = {
        seat: {suit: "".join(c[1] for c in cards[seat.index :: 4] if c[0] == suit) for suit in SUITS} for seat in Seat
    }
    auction = Auction(board_dealer(number), tuple(map(Call, calls.split())))
    layout = Layout.from_hands(hands)
    return complete_record(
        BoardRecord(layout, auction.dealer, board_vulnerability(number), board_number=number, auction=auction)
    )


def sound_record(seed: int) -> BoardRecord:
    """Return a record with auction, play and result: most plays are whole, the others end early or with the lead."""
    turns = random.Random(seed)
    calls = "Pass " * turns.randrange(4) + turns.choice(AUCTIONS)
    record = bid_record(turns.randrange(1, 33), calls, turns)
    assert record.contract
    play = random_play(record.layout, record.contract, 52, turns)
    length = turns.choice((52, 52, 52, 52, 40, 21, 1))
    tricks = tricks_won(record.contract, play)
    lead = play[0] if length == 1 else ""
    return complete_record(replace(record, play=play[:length] if length > 1 else (), opening_lead=lead, tricks=tricks))


def written(record: BoardRecord, *, with_score: bool) -> str:
    score = f'[Score "NS {record.score}"]\r\n' * with_score
    return re.sub(r"(?=\[Auction)", score, write_pbn(record), count=1)


def judge(truth: BoardRecord, board: ReadBoard) -> str:
    """Return what is wrong with a spoilt record that would be published: "false", "untrue", or "" for nothing."""
    read, codes = board.content, {warning.code for warning in board.warnings}
    is_repaired = codes & {"passes_added", "passes_left_out"}
    calls = [[call.call for call in each.auction.calls] if each.auction else [] for each in (read, truth)]
    if board.is_doubtful:
        return ""
    if (
        read.contract not in (None, truth.contract)
        or read.play != truth.play[: len(read.play)]
        or read.opening_lead not in ("", truth.opening_lead)
        or read.tricks not in (None, truth.tricks)
    ):
        return "objected" if "score_contradicts" in codes else "false"
    return "untrue" if is_repaired and calls[0] not in ([], calls[1]) else ""


def spoil_records(count: int) -> tuple[Counter[str], Counter[str]]:
    """Spoil so many records, each in one way and between two sound ones. Return the faults, and the same by their way.

    The faults are false (published with another contract, play, lead or result), objected (the same, with a warning
    that the score contradicts), untrue (published with calls that nobody made), lost (no deal) and neighbour (changed).
    """
    neighbours = [bid_record(number, AUCTIONS[0], random.Random(number)) for number in (1, 2)]
    before, after = map(write_pbn, neighbours)
    faults: Counter[str] = Counter()
    ways: Counter[str] = Counter()
    for seed in range(count):
        turns = random.Random(seed)
        way = [*SPOILERS][seed % len(SPOILERS)]
        truth = sound_record(seed)
        text = SPOILERS[way](written(truth, with_score=turns.random() < 0.5 or len(truth.play) < 52), turns)
        first, *middle, last = read_pbn(BytesIO(f"{before}{text}{after}".encode()))
        found = [judge(truth, each) for each in middle if isinstance(each, ReadBoard)]
        found += ["lost"] * (not found)
        found += [
            "neighbour"
            for each, neighbour in zip((first, last), neighbours, strict=True)
            if not isinstance(each, ReadBoard) or each.warnings or each.content != neighbour
        ]
        faults.update(filter(None, found))
        ways.update(f"{fault}: {way}" for fault in found if fault)
    return faults, ways


if __name__ == "__main__":
    for counts in spoil_records(int(sys.argv[1])):
        print(*counts.most_common(), sep="\n")  # noqa: T201
