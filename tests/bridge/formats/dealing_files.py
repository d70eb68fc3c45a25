"""Files of dealing machines, written from layouts as the machines' programs write them."""

from collections.abc import Sequence
from functools import reduce
from operator import xor

from bridge.cards import DECK
from bridge.formats.dealing_machines import read_bri, read_dge, read_dlm, read_dup
from bridge.layout import Layout
from tests.bridge.formats.reading import Reading

DLM, DUP, BRI, DGE = map(Reading, (read_dlm, read_dup, read_bri, read_dge))

FILLER = "aaaaaabffffffkkkkkklpppppp"
"""The board that fills a DLM file up: each hand has one suit."""


def dlm_line(number: int, letters: str) -> str:
    return f"Duplicates {number:02}=0\r\nBoard {number:02}={letters}{reduce(xor, letters.encode(), number):03}\r\n"


def dlm_letters(layout: Layout) -> str:
    holders = [layout.holder(card).index for card in DECK]
    return "".join(chr(97 + 4 * one + two) for one, two in zip(holders[::2], holders[1::2], strict=True))


def dlm(layouts: Sequence[Layout], first: int = 1) -> bytes:
    last = first + len(layouts) - 1
    header = (
        f"[Document]\r\nHeadline=Club night\r\nStatus=Show\r\nDuplicates=1\r\nFrom board={first}\r\n"
        f"To board={last}\r\nNext board to duplimate=0\r\nPrintOuts=0\r\nCrypto key=0\r\nChecksum=1\r\n"
    )
    letters = {first + place: dlm_letters(layout) for place, layout in enumerate(layouts)}
    return (header + "".join(dlm_line(number, letters.get(number, FILLER)) for number in range(1, 100))).encode()


def bri_cards(layout: Layout) -> bytes:
    hands = layout.hands[:3]
    cards = [
        suit + rank for hand in hands for suit, ranks in zip("SHDC", hand.split("."), strict=True) for rank in ranks
    ]
    return "".join(f"{DECK.index(card) + 1:02}" for card in cards).encode()


def dge_diagram(layout: Layout) -> bytes:
    suits = [ranks.encode() for hand in layout.hands for ranks in hand.split(".")]
    return b"".join(symbol + ranks for symbol, ranks in zip(b"\6 \3 \4 \5".split() * 4, suits, strict=True))


def bri(layouts: Sequence[Layout]) -> bytes:
    return b"".join(bri_cards(layout) + b" " * 32 + b"\0" * 18 for layout in layouts)


def dge(layouts: Sequence[Layout]) -> bytes:
    return b"".join(dge_diagram(layout) + b"\0" * 60 for layout in layouts)


def dup(layouts: Sequence[Layout], settings: bytes) -> bytes:
    """Write the settings of the machine with the first deal only, as some programs do."""
    rest = b"\0" * 10
    return b"".join(
        bri_cards(layout) + dge_diagram(layout) + (rest if place else settings) for place, layout in enumerate(layouts)
    )
