"""What the picture of a board says, in the letters that it can be drawn with."""

import unicodedata
from typing import NamedTuple

from boards.models import Board
from boards.models.names import event_name_of, heading_of, name_of
from boards.records import diagram_of
from bridge.names import SUIT_SYMBOLS, vulnerability_in_words

SITE = "Bridge Boards"
MAX_LETTERS = 200
"""The letters of a title that are measured and drawn. Some characters are spelled with several."""

SPELLED = str.maketrans(
    dict.fromkeys("–—−‐‑", "-")
    | dict.fromkeys("‘’", "'")
    | dict.fromkeys("“”«»", '"')
    | dict.fromkeys("\ufe0e\ufe0f", "")  # say how a suit symbol is to look
    | {"…": "...", "×": "x", "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE"}
    | dict(zip("øØłŁđĐ", "oOlLdD", strict=True))
)
"""How letters that the font lacks are spelled. Accents are left out."""


class PictureText(NamedTuple):
    """What a picture says: all that decides on its pixels."""

    title: str
    facts: tuple[str, ...]
    hands: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    """Each seat's letter, and each suit's symbol with its ranks."""

    dealer: str
    vulnerable: str
    """The letters of the seats that are vulnerable."""

    contract: str
    outcome: tuple[str, ...]
    site: str


def text_of(board: Board) -> PictureText:
    diagram = diagram_of(board)
    names = (name_of(board), " of ".join(filter(None, (heading_of(board), event_name_of(board)))))
    title = next(filter(None, map(spell, names)), diagram.heading or "A bridge board")
    facts = (
        diagram.heading if diagram.heading != title else "",
        f"Dealer {diagram.record.dealer.full_name}",
        capitalise(vulnerability_in_words(diagram.record.vulnerability)),
    )
    lead = f"Lead {diagram.lead.symbol}{diagram.lead.ranks}" if diagram.lead else ""
    hands = diagram.hands.values()
    return PictureText(
        title=title,
        facts=tuple(filter(None, facts)),
        hands=tuple((hand.seat.value, tuple((suit.symbol, suit.ranks) for suit in hand.suits)) for hand in hands),
        dealer=diagram.record.dealer.value,
        vulnerable="".join(hand.seat.value for hand in hands if hand.is_vulnerable),
        contract="".join(diagram.contract),
        outcome=tuple(capitalise(line) for line in (lead, *diagram.result.split(", ")) if line),
        site=SITE,
    )


def spell(text: str) -> str:
    """Return a text in ASCII and suit symbols, without accents; "" if it has letters that the font lacks."""
    decomposed = unicodedata.normalize("NFKD", text.translate(SPELLED))
    letters = "".join(each for each in decomposed if not unicodedata.combining(each))
    return letters.strip()[:MAX_LETTERS] if all(is_drawn(each) for each in letters) else ""


def is_drawn(letter: str) -> bool:
    return " " <= letter <= "~" or letter in SUIT_SYMBOLS.values()


def capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]
