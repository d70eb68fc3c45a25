"""Hypothesis strategies for the types of bridge. Every value they make is legal."""

from functools import partial
from random import Random

from hypothesis import settings
from hypothesis import strategies as st

from bridge.auction import BIDS, Auction, Call
from bridge.board import TEXTS, BoardRecord, complete_record
from bridge.cards import DECK, SUITS
from bridge.contract import PASSED_OUT, Contract, Denomination
from bridge.errors import BridgeError
from bridge.formats.pbn.results import is_no_name
from bridge.layout import Layout
from bridge.play import play_leaders, tricks_won
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability

moderate = settings(deadline=None, max_examples=25)
"""The settings of every property test: the number of examples bounds its time, never a clock."""

seats = st.sampled_from(Seat)
vulnerabilities = st.sampled_from(Vulnerability)
randoms = st.randoms(use_true_random=False)

printable = st.characters(exclude_categories=("Cc", "Cs"))
lines = st.text(printable, max_size=60).map(str.strip)
"""Free texts that one PBN tag can hold."""

dates = st.sampled_from(("", "2026.11.20", "2026.11.??", "2026.??.??", "last autumn"))
"""Dates that no reader takes for another one."""

events = lines.filter(lambda text: not is_no_name(text))
"""Names that a reader keeps."""

texts = {
    name: st.sampled_from(("", text.example, *text.choices)) if text.choices or text.form else lines
    for name, text in TEXTS.items()
} | {
    "date": dates,
    "event": events,
}

words = st.text(st.one_of(st.sampled_from('{}[]%&#;"\\125'), printable), min_size=1, max_size=30)
paragraphs = st.lists(words.map(lambda word: word.replace(" ", "_")), max_size=60).map(" ".join)
commentaries = st.lists(paragraphs, max_size=4).map(lambda texts: "\n".join(texts).strip("\n"))


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    cards = list(DECK)
    draw(randoms).shuffle(cards)
    hands = {seat: cards[seat.index * 13 :][:13] for seat in Seat}
    suits = {
        seat: {suit: "".join(card[1] for card in hand if card[0] == suit) for suit in SUITS}
        for seat, hand in hands.items()
    }
    return Layout.from_hands(suits)


contracts = partial(
    st.builds, Contract, st.integers(1, 7), st.sampled_from(Denomination), st.sampled_from(["", "X", "XX"]), seats
)


@st.composite
def auctions(draw: st.DrawFn, complete: bool = False) -> Auction:
    """Make an auction of mostly short steps upwards. It stops anywhere unless it is to be complete."""
    random = draw(randoms)
    auction = Auction(draw(seats))
    stop = 999 if complete else draw(st.integers(0, 12))
    while not auction.complete and len(auction.calls) < stop:
        auction = _with_call(auction, random)
    if draw(st.booleans()):
        alerts = [draw(st.booleans()) for _ in auction.calls]
        notes = [draw(lines) if alert else "" for alert in alerts]
        calls = (Call(call.call, *said) for call, *said in zip(auction.calls, alerts, notes, strict=True))
        return Auction(auction.dealer, tuple(calls))
    return auction


def _with_call(auction: Auction, random: Random) -> Auction:
    height = max((BIDS.index(call.call) for call in auction.calls if call.call in BIDS), default=-1)
    candidates = ["Pass", "Pass", "Pass", "X", "XX", *BIDS[height + 1 : height + 6]]
    random.shuffle(candidates)
    for candidate in candidates:
        try:
            return Auction(auction.dealer, (*auction.calls, Call(candidate)))
        except BridgeError:
            continue
    raise AssertionError("a pass is always legal")


def random_play(layout: Layout, contract: Contract, length: int, random: Random) -> tuple[str, ...]:
    """Choose legal cards in the order of play."""
    hands = {seat: [card for card in DECK if card in layout.cards_held_by(seat)] for seat in Seat}
    played: list[str] = []
    for number in range(length):
        seat = play_leaders(contract, played)[-1].clockwise()[number % 4]
        led = played[number - number % 4] if number % 4 else ""
        following = [card for card in hands[seat] if card[:1] == led[:1]]
        card = random.choice(following or hands[seat])
        hands[seat].remove(card)
        played.append(card)
    return tuple(played)


@st.composite
def records(draw: st.DrawFn) -> BoardRecord:
    layout = draw(layouts())
    auction = draw(st.none() | auctions())
    contract = auction.contract if auction and auction.complete else draw(st.none() | contracts())
    if auction and contract and not auction.can_end_in(contract):
        contract = None
    if auction is None and draw(st.integers(0, 9)) == 0:
        contract = PASSED_OUT
    lead, play, tricks = draw(plays(layout, contract)) if contract and contract.leader else ("", (), None)
    return complete_record(
        BoardRecord(
            layout=layout,
            dealer=auction.dealer if auction else draw(seats),
            vulnerability=draw(vulnerabilities),
            board_number=draw(st.none() | st.integers(1, 99999)),
            auction=auction,
            contract=contract,
            opening_lead=lead,
            play=play,
            tricks=tricks,
            commentary=draw(commentaries),
            deal_commentary=draw(commentaries),
            auction_system=draw(lines),
            **{name: draw(each) for name, each in texts.items()},
        )
    )


@st.composite
def plays(draw: st.DrawFn, layout: Layout, contract: Contract) -> tuple[str, tuple[str, ...], int | None]:
    """Make an opening lead, a play and a number of tricks that agree."""
    length = draw(st.one_of(st.sampled_from([0, 1, 52]), st.integers(2, 51)))
    play = random_play(layout, contract, length, draw(randoms))
    won = tricks_won(contract, play)
    tricks = draw(st.none() | st.integers(won, 13 - (length // 4 - won)))
    return "".join(play[:1]), play if length > 1 else (), tricks
