"""RBN, Richard Pavlicek's notation (rpbridge.net/7a12.htm), read by way of PBN.

Each record becomes a game of PBN, line by line, so that errors name the right line, and so that PBN's rules for
contradictions hold.

A line is a letter, a space and a text. The letters D, T, L, E, F, S, K, N, B and H hold until they come again, the
others for their record only. Players' names (N), the double-dummy table (M) and the items (I) are dropped.

An auction is dealer and vulnerability, then its rounds: "SE:PP1S^1P:2H*P4SA". R is a redouble, A all pass and Y "your
call"; "*" marks a conventional call and "^1" one with a note. A play is its tricks: "SK8A4:C8A23". A rank without a
suit follows the suit led.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import groupby

from bridge.auction import Auction, Call, final_passes, parse_call
from bridge.board import BoardRecord
from bridge.cards import check_cards
from bridge.contract import Contract
from bridge.errors import BridgeError
from bridge.formats.guard import read_each
from bridge.formats.outcomes import Check, Outcome
from bridge.formats.pbn.games import read_games
from bridge.formats.pbn.reader import GameReader
from bridge.formats.pbn.tokens import write_tag
from bridge.formats.raw_records import MAX_RECORD_SIZE, Blocks, RawRecord, decode_text, read_lines
from bridge.play import NOT_PLAYED, to_columns
from bridge.seats import Seat, parse_seat

RBN = re.compile(rb"\s*%\s*RBN\b|(?:.{0,4000}[\r\n])?H [NESW][:;]", re.DOTALL)
"""What such a file begins with, or has in its first lines."""

_LABEL = re.compile(r"([DTLEFSKNBHACPRMI0-9])[ \t]+(.*)")
_HELD = frozenset("DTLEFSKNBH")
_MAX_HELD_LENGTH = 256
"""The notation allows 128. A longer text would be written again with each later record."""

_OF_A_TABLE = frozenset("HACPR")
_NOTHING = "%"
"""A line that says nothing of the board: an escape line of PBN."""

_COLON = re.compile(r"(?<!:):(?!:)")
_DATE = re.compile(r"([0-9]{4})([0-9]{2}|\?\?)?([0-9]{2}|\?\?)?(?::.*)?")
_TRICKS = re.compile(r"1[0-3]|[0-9]")
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
_START = re.compile(r"([NESW])([ZNEB?])?(?::|$)")
_VULNERABILITIES = {"Z": "None", "N": "NS", "E": "EW", "B": "All"}
_CALL = re.compile(r"([1-7][CDHSN]|[PXR])|(A)|(Y)|\^([0-9])|(\*)|[:;!?\s]|(.)")
_CARD = re.compile(r"([SHDC]?)([2-9TJQKA])|\^([0-9])|[*!?\s]|(.)")


def read_rbn(blocks: Blocks, check: Check = BoardRecord.check, strict: bool = False) -> Iterator[Outcome]:
    """Yield what comes of the file's records. Parameters, memory and rules are those of `read_pbn`."""
    games, held = GameReader(check, strict=strict), dict[str, str]()

    def read_record(record: RawRecord, before: int) -> Iterator[Outcome]:
        return read_each(_games(record, held), games.read, before)

    return read_each(_records(blocks), read_record)


def _games(record: RawRecord, held: dict[str, str]) -> Iterator[RawRecord]:
    """Yield the games of a record: one, unless it has two deals."""
    if record.too_long or b"\0" in record.data:  # PBN's reader reports it.
        yield record
        return
    text = "".join(f"{line}\n" for line in _translate(decode_text(record.data).split("\n"), held))
    for game in read_games([text.encode()]):
        yield replace(game, line=record.line + game.line - 1)


def _records(blocks: Blocks) -> Iterator[RawRecord]:
    """Yield the records, which blank lines part."""
    for _, group in groupby(enumerate(read_lines(blocks)), lambda numbered: numbered[1].line - numbered[0]):
        lines: list[bytes] = []
        first, size, too_long = 0, 0, False
        for _, line in group:
            first = first or line.line
            size += len(line.data) + 1
            too_long |= line.too_long or size > MAX_RECORD_SIZE
            if not too_long:
                lines.append(line.data)
        yield RawRecord(first, b"" if too_long else b"\n".join(lines), too_long)


def _translate(lines: list[str], held: dict[str, str]) -> list[str]:
    """Return a record as the same number of lines of PBN. Lines without data of a board become empty escape lines.

    `held` has the texts that hold from the records before, and holds for the next.
    """
    parsed = list(_parse(lines))
    labels: dict[str, str] = {}
    for label, text in parsed:
        if label.isalnum():
            labels.setdefault(label, text)
    before = dict(held)
    held |= {label: text for label, text in labels.items() if label in _HELD and len(text) <= _MAX_HELD_LENGTH}
    if not _OF_A_TABLE & labels.keys():
        return [_NOTHING] * len(lines)
    # A new board number has other hands, and new hands another number.
    changed = {label for label in "BH" if label in labels and labels[label] != before.get(label)}
    over = labels.keys() | ({"B", "H"} if changed else set())
    waiting = "".join(_tags(label, text, labels) for label, text in before.items() if label not in over)
    game = []
    for label, text in parsed:
        if label == "{":
            game.append(text)
            continue
        tags = _tags(label, text, labels)
        if tags:
            tags, waiting = waiting + tags, ""
        game.append(tags or _NOTHING)
    if parsed[-1][0] == "{" and not game[-1].endswith("}"):
        game[-1] += "}"
    return game


def _parse(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the letter and the text of each line. The lines of a comment have "{" for a letter, others none."""
    in_comment = False
    for line in lines:
        if not in_comment and (match := _LABEL.fullmatch(line)):
            yield match[1], match[2].strip()
        elif in_comment or line.startswith("{"):
            begin = "" if in_comment else "{"
            text = line.removeprefix(begin).rstrip()
            in_comment = not text.endswith("}")
            end = "" if in_comment else "}"
            yield "{", begin + text.removesuffix(end).replace("}", "&#125;") + end
        else:
            yield "", ""


def _tags(label: str, text: str, labels: Mapping[str, str]) -> str:
    """Return the tags of PBN for one line, with their sections, or "" for none."""
    if label.isdigit():
        return write_tag("Note", f"{label}:{text}")
    if label in _VALUES:
        name, value_of = _VALUES[label]
        return write_tag(name, value_of(text))
    if label == "P":
        return _play(text, _contract_of(labels.get("C", ""), labels.get("A", "")))
    return "".join(_SECTIONS[label](text)) if label in _SECTIONS else ""


def _fields(text: str) -> list[str]:
    """Split a text at its colons."""
    return [part.strip() for part in text.split(":")]


def _texts(text: str) -> list[str]:
    """Split a text of T, L, E or S at its colons. A double colon is one that belongs to the text."""
    return [part.replace("::", ":").strip() for part in _COLON.split(text)]


def _joined(text: str) -> str:
    return ", ".join(filter(None, _texts(text)))


def _date(text: str) -> str:
    match = _DATE.fullmatch(text)
    return ".".join(part or "??" for part in match.groups()) if match else text


def _scoring(text: str) -> str:
    first, *more = _fields(text)
    return ", ".join([_SCORINGS.get(first, first), *more])


def _stage(text: str) -> str:
    """Return the stage. A number alone is a session, "R16" the round of 16."""
    first, *more = _texts(text)
    if match := _SESSION_OR_ROUND.fullmatch(first):
        first = f"Round of {match[2]}" if match[1] else f"Session {match[2]}"
    return ", ".join([_STAGES.get(first, first), *more])


def _deal(text: str) -> str:
    """Return the hands. The last may be left out, with its colon there: it has the other cards."""
    first, *hands = text.replace(";", ":").split(":")
    hands += ["-"] * (4 - len(hands))
    return f"{first}:{' '.join(hand or '-' for hand in hands)}"


_VALUES: dict[str, tuple[str, Callable[[str], str]]] = {
    "D": ("Date", _date),
    "T": ("Description", lambda text: _texts(text)[0]),  # The author's name after it is dropped.
    "L": ("Site", _joined),
    "E": ("Event", _joined),
    "F": ("Scoring", _scoring),
    "S": ("Stage", _stage),
    "B": ("Board", lambda text: _fields(text)[0]),
    "H": ("Deal", _deal),
}
"""The letters that become one tag each."""


def _teams(text: str) -> Iterator[str]:
    for name, team in zip(("HomeTeam", "VisitTeam"), _fields(text), strict=False):
        yield write_tag(name, team)


def _room(text: str) -> Iterator[str]:
    """Write the room or the table, which follows the names of the two pairs."""
    table = [*_fields(text), "", "", ""][2]
    if table in _ROOMS:
        yield write_tag("Room", _ROOMS[table])
    elif table:
        yield write_tag("Table", table)


def _contract(text: str) -> Iterator[str]:
    contract, declarer, *_ = [*_fields(text), ""]
    yield write_tag("Contract", contract)
    if declarer:
        yield write_tag("Declarer", declarer)


def _result(text: str) -> Iterator[str]:
    if match := _TRICKS.fullmatch(_fields(text)[0]):
        yield write_tag("Result", match[0])


def _auction(text: str) -> Iterator[str]:
    """Write Dealer, Vulnerable and the Auction with its calls. What cannot be read is written unchanged."""
    dealer, vulnerability, rounds = _start(text)
    yield f'[Dealer "{dealer}"]'
    if vulnerability:
        yield f'[Vulnerable "{vulnerability}"]'
    if words := list(_words(rounds)):
        yield f'[Auction "{dealer}"] {" ".join(words)}'


_SECTIONS = {"K": _teams, "N": _room, "A": _auction, "C": _contract, "R": _result}


def _start(text: str) -> tuple[str, str, str]:
    """Return dealer, vulnerability or "", and the rest. Without a beginning West deals, as the notation has it."""
    match = _START.match(text)
    if match is None:
        return "W", "", text
    return match[1], _VULNERABILITIES.get(match[2] or "", ""), text[match.end() :]


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


@lru_cache(maxsize=1)  # A record may have thousands of plays, each with the same contract.
def _contract_of(contract: str, auction: str) -> Contract | None:
    """Return the contract that the record gives, or its auction; None for one that cannot be read."""
    text, declarer, *_ = [*_fields(contract), ""]
    try:
        if declarer.strip("?"):
            return Contract.parse(text, parse_seat(declarer))
        dealer, _, rounds = _start(auction)
        calls: list[Call] = []
        for word in _words(rounds):
            if word == "AP":
                calls += final_passes(calls)
            elif word[0] not in "=!+":
                calls.append(Call(parse_call(word)))
        return Auction(Seat(dealer), tuple(calls)).contract
    except BridgeError:
        return None


def _play(text: str, contract: Contract | None) -> str:
    """Write the Play in columns; in rows as they are where the contract or a card cannot be read."""
    cards, notes = _read_cards(text)
    if not cards:
        return ""
    leader = contract.leader if contract else None
    return f'[Play "{leader or "?"}"] {" ".join(card + notes.get(card, "") for card in _columns(cards, contract))}'


def _read_cards(text: str) -> tuple[list[str], dict[str, str]]:
    """Return the cards of a play, and the notes on them as PBN writes them, by the card."""
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
        check_cards(*cards)
        rows = to_columns(contract, cards) if contract else [cards]
    except BridgeError:
        return cards
    return [card or NOT_PLAYED for row in rows for card in row]


def _harmless(character: str) -> str:
    """Return a character that cannot be read, so that it stays unreadable in PBN and opens nothing there."""
    return character if character.isalnum() else "&"
