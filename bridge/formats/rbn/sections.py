"""The auction and the play of RBN, and the sections of PBN that they become.

An auction is dealer and vulnerability, then its rounds: "SE:PP1S^1P:2H*P4SA". R is a redouble, A all pass and Y "your
call"; "*" marks a conventional call and "^1" one with a note. A play is its tricks: "SK8A4:C8A23". A rank without a
suit follows the suit led.
"""

import re
from collections.abc import Iterator

from bridge.auction import Call, final_passes, parse_call
from bridge.cards import check_cards
from bridge.contract import Contract
from bridge.errors import BridgeError
from bridge.play import NOT_PLAYED, to_columns
from bridge.seats import Seat

_START = re.compile(r"([NESW])([ZNEB?])?(?::|$)")
_VULNERABILITIES = {"Z": "None", "N": "NS", "E": "EW", "B": "All"}
_CALL = re.compile(r"([1-7][CDHSN]|[PXR])|(A)|(Y)|\^([0-9])|(\*)|[:;!?\s]|(.)")
_CARD = re.compile(r"([SHDC]?)([2-9TJQKA])|\^([0-9])|[*!?\s]|(.)")


def _start(text: str) -> tuple[str, str, str]:
    """Return dealer, vulnerability or "", and the rest. Without a beginning West deals, as the notation has it."""
    match = _START.match(text)
    if match is None:
        return "W", "", text
    return match[1], _VULNERABILITIES.get(match[2] or "", ""), text[match.end() :]


def write_auction(text: str) -> Iterator[str]:
    """Yield Dealer, Vulnerable and the Auction with its calls. What cannot be read stands there as it is."""
    dealer, vulnerability, rounds = _start(text)
    yield f'[Dealer "{dealer}"]'
    if vulnerability:
        yield f'[Vulnerable "{vulnerability}"]'
    words = list(_words(rounds))
    if words:
        yield f'[Auction "{dealer}"] {" ".join(words)}'


def _words(rounds: str) -> Iterator[str]:
    for call, all_pass, your_call, note, alert, other in _CALL.findall(rounds):
        if call:
            yield parse_call(call)
        elif all_pass:
            yield "AP"
        elif your_call:
            yield "+"
        elif note:
            yield f"={note}="
        elif alert:
            yield "!"
        elif other:
            yield _harmless(other)


def read_auction(text: str) -> tuple[Seat, tuple[Call, ...]]:
    """Return the dealer and the calls. Raise BridgeError for what is no call."""
    dealer, _, rounds = _start(text)
    calls: list[Call] = []
    for word in _words(rounds):
        if word == "AP":
            calls += final_passes(calls)
        elif word[0] not in "=!+":
            calls.append(Call(parse_call(word)))
    return Seat(dealer), tuple(calls)


def write_play(text: str, contract: Contract | None) -> Iterator[str]:
    """Yield the Play in columns; in rows as they are where the contract or a card cannot be read."""
    cards, notes = _read_cards(text)
    if cards:
        leader = contract.leader if contract else None
        yield f'[Play "{leader or "?"}"] '
        yield " ".join(card + notes.get(card, "") for card in _columns(cards, contract))


def _read_cards(text: str) -> tuple[list[str], dict[str, str]]:
    """Return the cards of a play, and the notes behind them as PBN writes them, by the card."""
    cards: list[str] = []
    notes: dict[str, str] = {}
    for trick in re.split("[:;]", text):
        led = ""
        for suit, rank, note, other in _CARD.findall(trick):
            if rank:
                led = led or suit
                cards.append((suit or led) + rank)
            elif note and cards:
                notes[cards[-1]] = f" ={note}="
            elif other:
                cards.append(_harmless(other))
    return cards, notes


def _columns(cards: list[str], contract: Contract | None) -> list[str]:
    try:
        for card in cards:
            check_cards(card)
        rows = to_columns(contract, cards) if contract else [cards]
    except BridgeError:
        return cards
    return [card or NOT_PLAYED for row in rows for card in row]


def _harmless(character: str) -> str:
    """Return a character that cannot be read, so that it stays unreadable in PBN and opens nothing there."""
    return character if character.isalnum() else "&"
