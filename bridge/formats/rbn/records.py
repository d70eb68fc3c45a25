"""One record of RBN as the lines of a PBN game.

A line is a letter, a space and a text. The letters D, T, L, E, F, S, K, N, B and H hold until they come again, the
others for their record only. Players' names (N), the double-dummy table (M) and the items (I) are dropped.

An auction is dealer and vulnerability, then its rounds: "SE:PP1S^1P:2H*P4SA". R is a redouble, A all pass and Y "your
call"; "*" marks a conventional call and "^1" one with a note. A play is its tricks: "SK8A4:C8A23". A rank without a
suit follows the suit led.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from bridge.auction import Auction, Call, final_passes, parse_call
from bridge.cards import check_cards
from bridge.contract import Contract
from bridge.errors import BridgeError
from bridge.formats.pbn.tokens import write_tag
from bridge.play import NOT_PLAYED, to_columns
from bridge.seats import Seat, parse_seat

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


_LABEL = re.compile(r"([DTLEFSKNBHACPRMI0-9])[ \t]+(.*)")
_HELD = "DTLEFSKNBH"
_MAX_HELD_LENGTH = 256
"""The notation allows 128. A longer text would be written again with each record behind it."""

_OF_A_TABLE = frozenset("HACPR")
_COLON = re.compile(r"(?<!:):(?!:)")
_DATE = re.compile(r"([0-9]{4})([0-9]{2}|\?\?)?([0-9]{2}|\?\?)?(?::.*)?")
_TRICKS = re.compile(r"1[0-3]|[0-9]")
_NOTHING = "%"
"""A line that says nothing of the board: an escape line of PBN."""

_SCORINGS = {
    "I": "IMP",
    "B": "BAM",
    "T": "Total points",
    "X": "Cross-IMP",
    "M": "MP",
    "N": "Instant MP",
    "R": "Rubber",
    "C": "Chicago",
    "A": "Cavendish",
}
_STAGES = {"F": "Final", "P": "Playoff", "S": "Semifinal", "Q": "Quarterfinal", "I": "Qualifying"}
_SESSION_OR_ROUND = re.compile(r"(R?)([0-9]{1,4})")
_ROOMS = {"O": "Open", "C": "Closed"}


class Translator:
    """Turns the records of one file into games, in order."""

    def __init__(self) -> None:
        self._held: dict[str, str] = {}

    def game(self, lines: list[str]) -> list[str]:
        """Return as many lines of PBN. Lines that say nothing of a board become empty escape lines."""
        labels = _labels(lines)
        before = dict(self._held)
        self._held |= {
            label: text for label, text in labels.items() if label in _HELD and len(text) <= _MAX_HELD_LENGTH
        }
        if not _OF_A_TABLE & labels.keys():
            return [_NOTHING] * len(lines)
        held = _held_tags(before, labels)
        in_text = False
        game: list[str] = []
        for line in lines:
            match = None if in_text else _LABEL.fullmatch(line)
            if match:
                tags = _tags(match[1], match[2].strip(), labels)
                if tags != _NOTHING:
                    tags, held = held + tags, ""
                game.append(tags)
            elif in_text or line.startswith("{"):
                game.append(_text_line(line, is_first=not in_text))
                in_text = not line.rstrip().endswith("}")
            else:
                game.append(_NOTHING)
        game[-1] += "}" * in_text
        return game


def _labels(lines: list[str]) -> dict[str, str]:
    """Return the texts of a record by their letters; of those that occur twice the first."""
    labels: dict[str, str] = {}
    in_text = False
    for line in lines:
        match = None if in_text else _LABEL.fullmatch(line)
        if match:
            labels.setdefault(match[1], match[2].strip())
        in_text = (in_text or line.startswith("{")) and not line.rstrip().endswith("}")
    return labels


def _held_tags(before: Mapping[str, str], labels: Mapping[str, str]) -> str:
    """Return the tags of the earlier texts that hold for a record with these labels."""
    tags = (_tags(label, text, labels) for label, text in before.items() if _is_held(label, before, labels))
    return "".join(tags).replace(_NOTHING, "")


def _is_held(label: str, before: Mapping[str, str], labels: Mapping[str, str]) -> bool:
    """Tell whether an earlier text holds here. A new board number has other hands, and new hands another number."""
    other = {"B": "H", "H": "B"}.get(label, "")
    return label not in labels and (other not in labels or labels[other] == before.get(other))


def _text_line(line: str, *, is_first: bool) -> str:
    """Return a line of a text in braces: a comment. A brace within it is written as a character reference."""
    begin, line = ("{", line[1:]) if is_first else ("", line)
    stripped = line.rstrip()
    end = "}" if stripped.endswith("}") else ""
    return begin + stripped.removesuffix(end).replace("}", "&#125;") + end


def _tags(label: str, text: str, labels: Mapping[str, str]) -> str:
    """Return the tags of PBN for one line, with their sections; or _NOTHING."""
    if label.isdigit():
        return write_tag("Note", f"{label}:{text}")
    write = _WRITERS.get(label)
    return ("".join(write(text, labels)) if write else "") or _NOTHING


def _fields(text: str) -> list[str]:
    """Split a text at its colons."""
    return [part.strip() for part in text.split(":")]


def _texts(text: str) -> list[str]:
    """Split a text of T, L, E or S at its colons. A double colon is one that belongs to the text."""
    return [part.replace("::", ":").strip() for part in _COLON.split(text)]


def _plain(name: str) -> Callable[[str, Mapping[str, str]], Iterator[str]]:
    def write(text: str, labels: Mapping[str, str]) -> Iterator[str]:
        yield write_tag(name, ", ".join(filter(None, _texts(text))))

    return write


def _date(text: str, labels: Mapping[str, str]) -> Iterator[str]:
    match = _DATE.fullmatch(text)
    yield write_tag("Date", ".".join(part or "??" for part in match.groups()) if match else text)


def _title(text: str, labels: Mapping[str, str]) -> Iterator[str]:
    """Write the title. The author's name behind it is dropped."""
    yield write_tag("Description", _texts(text)[0])


def _scoring(text: str, labels: Mapping[str, str]) -> Iterator[str]:
    first, *more = _fields(text)
    yield write_tag("Scoring", ", ".join([_SCORINGS.get(first, first), *more]))


def _stage(text: str, labels: Mapping[str, str]) -> Iterator[str]:
    """Write the stage. A number alone is a session, "R16" the round of 16."""
    first, *more = _texts(text)
    match = _SESSION_OR_ROUND.fullmatch(first)
    if match:
        first = f"Round of {match[2]}" if match[1] else f"Session {match[2]}"
    yield write_tag("Stage", ", ".join([_STAGES.get(first, first), *more]))


def _teams(text: str, labels: Mapping[str, str]) -> Iterator[str]:
    for name, team in zip(("HomeTeam", "VisitTeam"), _fields(text), strict=False):
        yield write_tag(name, team)


def _room(text: str, labels: Mapping[str, str]) -> Iterator[str]:
    """Write the room or the table, which stands behind the names of the two pairs."""
    table = [*_fields(text), "", "", ""][2]
    if table in _ROOMS:
        yield write_tag("Room", _ROOMS[table])
    elif table:
        yield write_tag("Table", table)


def _board(text: str, labels: Mapping[str, str]) -> Iterator[str]:
    yield write_tag("Board", _fields(text)[0])


def _deal(text: str, labels: Mapping[str, str]) -> Iterator[str]:
    """Write the hands. The last may be left out, with its colon there: it has the other cards."""
    first, *hands = text.replace(";", ":").split(":")
    if len(hands) == 4 and not hands[3]:
        hands[3] = "-"
    hands += ["-"] * (4 - len(hands))
    yield write_tag("Deal", f"{first}:{' '.join(hand or '-' for hand in hands)}")


def _auction(text: str, labels: Mapping[str, str]) -> Iterator[str]:
    yield from write_auction(text)


def _contract(text: str, labels: Mapping[str, str]) -> Iterator[str]:
    contract, declarer, *_ = [*_fields(text), ""]
    yield write_tag("Contract", contract)
    if declarer:
        yield write_tag("Declarer", declarer)


def _play(text: str, labels: Mapping[str, str]) -> Iterator[str]:
    yield from write_play(text, _contract_of(labels.get("C", ""), labels.get("A", "")))


@lru_cache(maxsize=1)  # A record may have thousands of plays, each with the same contract.
def _contract_of(contract: str, auction: str) -> Contract | None:
    """Return the contract that the record gives, or its auction; None for one that cannot be read."""
    text, declarer, *_ = [*_fields(contract), ""]
    try:
        if declarer.strip("?"):
            return Contract.parse(text, parse_seat(declarer))
        dealer, calls = read_auction(auction)
        return Auction(dealer, calls).contract
    except BridgeError:
        return None


def _result(text: str, labels: Mapping[str, str]) -> Iterator[str]:
    match = _TRICKS.fullmatch(_fields(text)[0])
    if match:
        yield write_tag("Result", match[0])


_WRITERS: dict[str, Callable[[str, Mapping[str, str]], Iterator[str]]] = {
    "D": _date,
    "T": _title,
    "L": _plain("Site"),
    "E": _plain("Event"),
    "F": _scoring,
    "S": _stage,
    "K": _teams,
    "N": _room,
    "B": _board,
    "H": _deal,
    "A": _auction,
    "C": _contract,
    "P": _play,
    "R": _result,
}
