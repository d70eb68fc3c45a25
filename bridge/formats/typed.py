"""An auction and a play as people type them, and as a form shows them: a line for each round and each trick.

Words are PBN's, and the spellings of players: suit symbols, "1N", "D", "(2S)" and "-" for a pass; "♥10", "10h" and, in
a trick whose first card names the suit, "K" alone. "1NT!" is an alerted call.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from bridge.auction import Call
from bridge.cards import RANKS, parse_card
from bridge.contract import Contract
from bridge.errors import BridgeError
from bridge.formats.pbn.sections import read_auction
from bridge.formats.pbn.tokens import Tag, write_card
from bridge.names import SUIT_SYMBOLS, TEXT_STYLE

_LETTERS = str.maketrans({symbol: letter for letter, symbol in SUIT_SYMBOLS.items()} | {TEXT_STYLE: ""})
_BETWEEN_WORDS = str.maketrans(dict.fromkeys("/|,;()", " "))
_DASHES = ("-", "–", "—")


def read_contract(text: str) -> str:
    """Return a contract without its declarer, as in "4SX". Raise `malformed_contract`."""
    return Contract.parse(text.translate(_LETTERS), None).text


def read_calls(text: str) -> tuple[Call, ...]:
    """Return the calls, the dealer's first. Raise `malformed_call`, `malformed_auction` or `irregularity`."""
    words = text.translate(_LETTERS).translate(_BETWEEN_WORDS).split()
    body = " ".join("Pass" if word in _DASHES else word for word in words)
    section = read_auction(Tag("Auction", "N", 0, [body]))
    if section.remarks.by_position or section.is_cut or (words and not section.calls):
        message = "Write only calls, with ! after one that was alerted. Marks such as ?, !!, $1, * and + are not kept."
        raise BridgeError("malformed_auction", message)
    return section.calls


def write_calls(calls: Sequence[Call]) -> str:
    return _lines([call.call + "!" * call.alert for call in calls])


def keep_explanations(stored: Sequence[Call], typed: Sequence[Call]) -> tuple[Call, ...]:
    """Return the typed calls with the explanations of the stored ones, where no other call took their place."""
    kept = list(typed)
    matcher = SequenceMatcher(None, [call.call for call in stored], [call.call for call in typed], autojunk=False)
    for block in matcher.get_matching_blocks():
        for offset in range(block.size):
            explanation = stored[block.a + offset].explanation
            kept[block.b + offset] = replace(kept[block.b + offset], explanation=explanation)
    return tuple(kept)


def read_card(text: str) -> str:
    """Return a card as in DECK, also of "♥K", "kh" and "10H". Raise `malformed_card`."""
    return parse_card(write_card(text.translate(_LETTERS)))


def read_cards(text: str) -> tuple[str, ...]:
    """Return the cards in the order of play. Raise `malformed_card`, or `malformed_play` where a trick is not whole."""
    lines = [line for line in text.replace("/", "\n").translate(_BETWEEN_WORDS).splitlines() if line.strip()]
    cards: list[str] = []
    for number, line in enumerate(lines, start=1):
        cards += _read_tricks(line.split())
        if len(cards) % 4 and number < len(lines):
            message = f"Line {number} of the play, {line.strip()[:40]!r}, is not a complete trick: write four cards."
            raise BridgeError("malformed_play", message)
    if len(cards) > 52:
        raise BridgeError("malformed_play", "The play has more than 13 tricks.")
    return tuple(cards)


def _read_tricks(words: Sequence[str]) -> Iterator[str]:
    """Yield the cards of a line, which begins with a trick. A rank alone has the suit of the card that was led."""
    led = ""
    for index, word in enumerate(words):
        rank = word.upper().replace("10", "T")
        is_rank = index % 4 and len(rank) == 1 and rank in RANKS
        card = led + rank if is_rank else read_card(word)
        led = led if index % 4 else card[0]
        yield card


def write_cards(cards: Sequence[str]) -> str:
    return _lines(cards)


def _lines(words: Sequence[str]) -> str:
    return "\n".join(" ".join(words[start : start + 4]) for start in range(0, len(words), 4))
