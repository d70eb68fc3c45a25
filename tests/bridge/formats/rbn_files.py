"""Reading RBN files, written in the tests themselves."""

from bridge.board import BoardRecord
from bridge.formats.rbn import read_rbn
from bridge.seats import Seat
from tests.bridge.formats.reading import Reading

READING = Reading(read_rbn)
HANDS = "H W:32.AKQJ4.T98.J65:AKQJ.T98.765.432:T987.765.432.AKQ:"
CALLS, PLAY = "A NB:1N*P^1P:P", "P ST42A:H852A:H4963:HT7C7J"
BOARD = f"B 7\n{HANDS}\n{CALLS}\n1 he had slept\nC 1N:N\n{PLAY}\nR 9:+150\n"
HEADER = """% RBN 3.2
D 19980131:1930
T Watch:: the spots:An Author
L Delft NL:The club
E Winter cup:Final
F I
S S:3
K Reds:Blues
N North+South:West+East:O

"""

PIECES = [
    *("\n", "\n\n", " ", "{", "}", "% ", ":", "^1", "*", '"', "\\", "[", "A ", "A NZ:", "1C", "P", "X", "R", "Y", "A"),
    *(f"{HANDS}\n", "\nB 1\n", "\nC 1N:N\n", "\nP ", "ST", "4", "\nR 9\n", "\n1 x\n", "\nE x\n", "\nI x\n", "\0", "é"),
]
"""What a file of this kind is made of, for tests that put it together at random."""


def rbn(record: BoardRecord) -> str:
    """Write a record in RBN, each trick with the suit led once."""
    letters = {"None": "Z", "NS": "N", "EW": "E", "All": "B"}
    words = {"Pass": "P", "XX": "R"}
    calls = "".join(
        ":" * (place > 0 and place % 4 == 0) + words.get(call.call, call.call[:2]) + "*" * call.alert
        for place, call in enumerate(record.auction.calls if record.auction else ())
    )
    if calls and record.auction and not record.auction.complete:
        calls += "Y"  # Calls are missing. Without it, passes alone would contradict a contract.
    lines = [
        f"B {record.board_number or '?'}",
        f"H {record.layout.pbn(Seat.WEST).replace(' ', ':')}",
        f"A {record.dealer}{letters[record.vulnerability]}:{calls}",
    ]
    if record.contract:
        contract = record.contract.text.replace("XX", "R").replace("NT", "N")
        lines.append(f"C {contract}:{record.contract.declarer or ''}")
    cards = record.play or tuple(filter(None, [record.opening_lead]))
    if cards:
        lines.append("P " + ":".join(_trick(cards[start : start + 4]) for start in range(0, len(cards), 4)))
    if record.tricks is not None:
        lines.append(f"R {record.tricks}:+100")
    return "\n".join([*lines, "", ""])


def _trick(cards: tuple[str, ...]) -> str:
    led, *others = cards
    return led + "".join(card[1] if card[0] == led[0] else card for card in others)
