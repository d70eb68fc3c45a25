"""Files of dealing machines: deals without auction or play, in the layouts of Jannersten's Duplimate.

A board has the dealer and the vulnerability that its number implies (Law 2). All but DLM are binary and have no lines,
so errors name line 1.

- DLM is text: a header, then "Board 01=" with 26 letters and a checksum. Each letter holds two cards, in the order of
  the deck from the ace of spades to the two of clubs: "a" plus four times the first card's holder plus the second's,
  where North is 0 and West 3. The checksum is the exclusive or of the letters' codes and the board's number. Such a
  file always has 99 boards. Those outside "From board" and "To board" are filler. The checksum of the header is not
  verified: programs that write DLM disagree about what it covers.
- BRI has 128 bytes for a deal, of which the first 78 are the numbers of the cards of North, East and South. Each
  number has two digits, from 01 for the ace of spades to 52 for the two of clubs. West has the other cards.
- DGE has 128 bytes for a deal, of which the first 68 are a diagram in the characters of DOS. Each hand has 17: the
  symbol of each suit (6 spades, 3 hearts, 4 diamonds, 5 clubs) and its ranks.
- DUP has 156 bytes for a deal: as in BRI, again as in DGE, and ten for the machine. The ten are Y or N for random
  hands, Y or N for counting backwards, the number of the first board (3 bytes), the number of copies (2) and the number
  of the last board (3), each from the left and filled with spaces. Some programs leave the diagram blank, or write the
  ten bytes only with the first deal.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import chain
from operator import xor
from typing import NamedTuple

from bridge.board import BoardRecord
from bridge.cards import DECK, SUITS
from bridge.errors import BridgeError
from bridge.formats.guard import read_each
from bridge.formats.outcomes import Check, Outcome, ReadBoard, RecordError, RecordWarning
from bridge.formats.raw_records import Blocks, RawRecord, read_chunks, read_lines
from bridge.layout import Layout
from bridge.seats import SEATS, Seat
from bridge.vulnerability import board_dealer, board_vulnerability

MAX_BOARD_NUMBER = 999
_CARDS_SIZE = 78
_DIAGRAM_SIZE = 68
_BOTH_COPIES_SIZE = _CARDS_SIZE + _DIAGRAM_SIZE
_FILLER = b" \0\r\n\x1a"
"""What may follow the deals of a binary file; the last is the end-of-file mark of DOS."""

_BOARD = re.compile(rb"\s*Board\s+0*([0-9]{1,3})\s*=(.*)", re.IGNORECASE | re.DOTALL)
_FIELD = re.compile(rb"\s*(From board|To board|Crypto key)\s*=\s*([0-9]{1,9})\s*", re.IGNORECASE)
_LETTERS = re.compile(r"([a-p]{26})([0-9]{1,3})")
_NUMBERS = re.compile(rb"(?:0[1-9]|[1-4][0-9]|5[0-2]){39}")
_SYMBOLS = dict(zip(SUITS, (b"\x06", b"\x03", b"\x04", b"\x05"), strict=True))
_SUIT_OF_SYMBOL = {symbol: suit for suit, symbol in _SYMBOLS.items()}
_SUIT = re.compile(rb"([\x03-\x06])([2-9TJQKA]*+)")
_DIAGRAM = re.compile(rb"(?:%s){16}" % _SUIT.pattern)
_FIRST_NUMBER = re.compile(rb"([1-9][0-9]{0,2}) *")


def read_bri(blocks: Blocks, check: Check = BoardRecord.check, strict: bool = False) -> Iterator[Outcome]:
    """Yield the file's boards, numbered from 1. Parameters are those of `read_pbn`."""
    return _read_deals(read_chunks(blocks, 128), lambda chunk: _read_cards(chunk[:_CARDS_SIZE]), check)


def read_dge(blocks: Blocks, check: Check = BoardRecord.check, strict: bool = False) -> Iterator[Outcome]:
    """Yield the file's boards, numbered from 1. Parameters are those of `read_pbn`."""
    return _read_deals(read_chunks(blocks, 128), lambda chunk: _read_diagram(chunk[:_DIAGRAM_SIZE]), check)


def read_dup(blocks: Blocks, check: Check = BoardRecord.check, strict: bool = False) -> Iterator[Outcome]:
    """Yield the file's boards, numbered from the number that the first record gives. Parameters are `read_pbn`'s."""
    chunks = read_chunks(blocks, 156)
    head = next(chunks, b"")
    number = _FIRST_NUMBER.fullmatch(head[148:151])
    first = int(number[1]) if number else 1
    return _read_deals(chain((head,), chunks), _read_both_copies, check, first, _BOTH_COPIES_SIZE, strict=strict)


def read_dlm(blocks: Blocks, check: Check = BoardRecord.check, strict: bool = False) -> Iterator[Outcome]:
    """Yield the boards of the file's span; a board of it that is missing is an error. Parameters are `read_pbn`'s."""

    def read_board(board: DlmBoard, before: int) -> Iterator[Outcome]:
        if board.flaw:
            yield RecordError(before + 1, board.number, board.line, *board.flaw)
        else:
            yield _read_deal(before + 1, int(board.number), partial(_read_letters, board), check, board.line)

    return read_each(_boards(blocks), read_board)


class DlmBoard(NamedTuple):
    """A board of a DLM file: its letters with their checksum, or why there are none. A flaw of all has no number."""

    number: str
    line: int
    letters: bytes = b""
    flaw: tuple[str, str] | None = None


def _boards(blocks: Blocks) -> Iterator[DlmBoard]:
    """Yield the boards of the file's span, then those that are missing."""
    fields: dict[bytes, int] = {}
    seen: set[int] = set()
    line = 1
    for raw in read_lines(blocks):
        line = raw.line
        board = _BOARD.match(raw.data)
        if field := _FIELD.fullmatch(raw.data):
            fields.setdefault(field[1].lower(), int(field[2]))
        elif board:
            if flaw := _flaw_of_header(fields):
                yield DlmBoard("", line, flaw=flaw)
                return
            number = int(board[1])
            if fields[b"from board"] <= number <= fields[b"to board"]:
                seen.add(number)
                yield DlmBoard(str(number), line, board[2])
    for number in range(fields.get(b"from board", 1), min(fields.get(b"to board", 0), MAX_BOARD_NUMBER) + 1):
        if number not in seen:
            message = f"Board {number} is missing: the file's header includes it."
            yield DlmBoard(str(number), line, flaw=("no_deal", message))


def write_dup(layouts: Sequence[Layout], first: int = 1) -> bytes:
    """Write a dealing machine's file of boards numbered from `first` on. Raise ValueError for a number above 999."""
    last = first + len(layouts) - 1
    if first < 1 or last > MAX_BOARD_NUMBER:
        raise ValueError(f"The boards of a DUP file have numbers from 1 to {MAX_BOARD_NUMBER}.")
    settings = f"YN{first:<3}0 {last:<3}".encode()
    return b"".join(_write_cards(layout) + _write_diagram(layout) + settings for layout in layouts)


def _read_deals(
    chunks: Iterable[bytes],
    read_layout: Callable[[bytes], Layout],
    check: Check,
    first: int = 1,
    whole_size: int = 0,
    *,
    strict: bool = False,
) -> Iterator[Outcome]:
    """Yield the boards of a binary file, one a chunk, numbered from `first`. An empty chunk has a number, too.

    A board whose chunk is shorter than `whole_size` has a warning, or is an error when `strict`.
    """

    def read_chunk(numbered: tuple[int, bytes], before: int) -> Iterator[Outcome]:
        number, chunk = numbered
        if not chunk.strip(_FILLER):
            return
        outcome = _read_deal(before + 1, number, partial(read_layout, chunk), check)
        if isinstance(outcome, ReadBoard) and len(chunk) < whole_size:
            message = "The file ends within the second copy of this deal. The two were not compared. Save it again."
            cut = (before + 1, str(number), 1, "second_copy_cut", message)
            outcome = RecordError(*cut) if strict else replace(outcome, warnings=(RecordWarning(*cut),))
        yield outcome

    return read_each(enumerate(chunks, start=first), read_chunk, line_of=lambda _: 1)


def _read_deal(record: int, number: int, read_layout: Callable[[], Layout], check: Check, line: int = 1) -> Outcome:
    """Return the board of this number with the layout that is read, or why there is none."""
    try:
        board = BoardRecord(read_layout(), board_dealer(number), board_vulnerability(number), number)
        check(board)
        return ReadBoard(record, str(number), board)
    except BridgeError as error:
        return RecordError(record, str(number), line, error.code, error.message)


def _read_cards(data: bytes) -> Layout:
    """Read 78 digits. Raise `malformed_deal`, or what a Layout raises."""
    if not _NUMBERS.fullmatch(data):
        message = "The hands of North, East and South are 39 numbers of cards from 01 to 52."
        raise BridgeError("malformed_deal", message)
    cards = [DECK[int(data[start : start + 2]) - 1] for start in range(0, _CARDS_SIZE, 2)]
    rest = [card for card in DECK if card not in cards]
    return _layout_of(dict(zip(SEATS, (cards[:13], cards[13:26], cards[26:], rest), strict=True)))


def _write_cards(layout: Layout) -> bytes:
    """Write the hands of North, East and South as 78 digits, each in the order of the deck."""
    held = (layout.cards_held_by(seat) for seat in Seat if seat is not Seat.WEST)
    return b"".join(b"%02d" % index for hand in held for index, card in enumerate(DECK, 1) if card in hand)


def _read_diagram(data: bytes) -> Layout:
    """Read 68 bytes. Raise `malformed_deal`, or what a Layout raises."""
    if not _is_diagram(data):
        message = "The four hands are not written as 13 ranks with four suit symbols each."
        raise BridgeError("malformed_deal", message)
    suits = [(_SUIT_OF_SYMBOL[symbol], ranks.decode()) for symbol, ranks in _SUIT.findall(data)]
    return Layout.from_hands({seat: dict(suits[4 * seat.index :][:4]) for seat in Seat})


def _is_diagram(data: bytes) -> bool:
    return len(data) == _DIAGRAM_SIZE and _DIAGRAM.fullmatch(data) is not None


def _write_diagram(layout: Layout) -> bytes:
    """Write the four hands from North on, ranks descending."""
    return b"".join(_SYMBOLS[suit] + ranks.encode() for seat in Seat for suit, ranks in layout.suits(seat).items())


def _read_both_copies(chunk: bytes) -> Layout:
    layout = _read_cards(chunk[:_CARDS_SIZE])
    diagram = chunk[_CARDS_SIZE:_BOTH_COPIES_SIZE]
    if _is_diagram(diagram) and _read_diagram(diagram) != layout:
        raise BridgeError("deals_differ", "The record has the deal twice, and the two differ.")
    return layout


def _flaw_of_header(fields: Mapping[bytes, int]) -> tuple[str, str] | None:
    """Return why the boards cannot be told from the filler, or cannot be read; None if they can."""
    if not {b"from board", b"to board"} <= fields.keys():
        message = 'The header does not say which boards the file has: "From board" or "To board" is missing.'
        return "malformed_header", message
    if fields.get(b"crypto key"):
        return "encrypted_file", "The deals are encrypted. Save the file without a crypto key."
    return None


def _read_letters(board: DlmBoard) -> Layout:
    """Read the 26 letters of a board and its checksum. Raise `malformed_deal` or `checksum_mismatch`."""
    match = _LETTERS.fullmatch(RawRecord(board.line, board.letters).text().strip())
    if match is None:
        message = "A board of a DLM file is 26 letters from a to p and a checksum of three digits."
        raise BridgeError("malformed_deal", message)
    letters = match[1].encode()
    checksum = reduce(xor, letters, int(board.number))
    if checksum != int(match[2]):
        message = f"The checksum of board {board.number} is {match[2]}, but its letters give {checksum:03}."
        raise BridgeError("checksum_mismatch", message)
    holders = [holder for letter in letters for holder in divmod(letter - ord("a"), 4)]
    hands: dict[Seat, list[str]] = {seat: [] for seat in Seat}
    for card, holder in zip(DECK, holders, strict=True):
        hands[SEATS[holder]].append(card)
    return _layout_of(hands)


def _layout_of(hands: Mapping[Seat, Sequence[str]]) -> Layout:
    """Return the layout of hands that are given as cards."""
    suits = {seat: dict.fromkeys(SUITS, "") for seat in hands}
    for seat, cards in hands.items():
        for card in cards:
            suits[seat][card[0]] += card[1]
    return Layout.from_hands(suits)
