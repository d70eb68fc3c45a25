"""Slots of bids, contracts and auctions."""

import re
from collections.abc import Sequence

from boards.search.phrases.slots.amounts import number_at
from boards.search.phrases.slots.names import STRAINS
from boards.search.phrases.slots.reading import Readings, Value, Words, one_of

BID = re.compile(r"([1-7])(c|d|h|s|nt?|sa|ba)")
CONTRACT = re.compile(r"([1-7])(c|d|h|s|nt?|sa|ba)(xx?)?")
DOUBLED = {"X": ("doubled", "x", "double"), "XX": ("redoubled", "xx", "redouble")}
LETTERS = {"c": "C", "d": "D", "h": "H", "s": "S", "n": "NT", "nt": "NT", "sa": "NT", "ba": "NT"}


def write_contract(level: int, strain: str, doubled: str = "") -> Value:
    said = {"": "", "X": " doubled", "XX": " redoubled"}[doubled]
    return Value(f"{level}{strain}{doubled}", f"{level}{strain}{said}", strain)


def bids(words: Words, at: int) -> Readings:
    """Yield a bid: 1NT, 1 spade, two hearts."""
    if at >= len(words):
        return
    if match := BID.fullmatch(words[at][0]):
        yield at + 1, write_contract(int(match[1]), LETTERS[match[2]])
    level = number_at(words, at)
    if level and level <= 7:
        for end, strain in one_of(STRAINS)(words, at + 1):
            yield end, write_contract(level, strain.letter)


def contracts(words: Words, at: int) -> Readings:
    """Yield a contract, with its doubling where that follows."""
    if at < len(words) and (match := CONTRACT.fullmatch(words[at][0])) and match[3]:
        yield at + 1, write_contract(int(match[1]), LETTERS[match[2]], match[3].upper())
    for end, bid in bids(words, at):
        yield end, bid
        for doubled, spellings in DOUBLED.items():
            if end < len(words) and words[end][0] in spellings:
                yield end + 1, write_contract(int(bid.query[0]), bid.letter, doubled)


LEADING_ON = ("and", "then", "a", "by")
BIDS = [f"{level}{strain}" for level in range(1, 8) for strain in "CDHSN"]
MAX_CALLS = 40
"""The calls of an auction that are read as one."""
CALLS = {"p": "P", "pass": "P", "passes": "P", "x": "X", "double": "X", "xx": "XX", "redouble": "XX"}


def call_of(word: str) -> str:
    """Return a call as the language writes it, "" for another word."""
    if match := BID.fullmatch(word):
        return f"{match[1]}{LETTERS[match[2]][0]}"
    return CALLS.get(word, "")


def next_call(words: Words, at: int) -> tuple[int, str] | None:
    """Return the call that stands at a token, "2h" or "two hearts", and where it ends. "and then a" may lead to it."""
    while at < len(words) and words[at][0] in LEADING_ON:
        at += 1
    if at < len(words) and (call := call_of(words[at][0])):
        return at + 1, call
    return next(((end, bid.query.replace("NT", "N")) for end, bid in bids(words, at)), None)


def auctions(words: Words, at: int) -> Readings:
    """Yield calls that follow each other: 1NT-P-2C, or 1NT pass 2C, in which somebody passes."""
    if at >= len(words):
        return
    calls = [call_of(part) for part in words[at][0].split("-")]
    if len(calls) > 1 and all(calls):
        yield at + 1, write_calls(calls)
        return
    end, calls = at, list[str]()
    while len(calls) < MAX_CALLS and (following := next_call(words, end)):
        end = following[0]
        calls.append(following[1])
    bids_made = [call for call in calls if call not in CALLS.values()]
    if len(calls) > 2 and len(bids_made) > 1 - ("P" in calls) and bids_made == sorted({*bids_made}, key=BIDS.index):
        yield end, write_calls(calls)


def write_calls(calls: Sequence[str]) -> Value:
    """Return calls as an auction begins with them. Before a first bid the others may have passed.

    Where only bids are said, the opponents may have passed throughout: 1NT-3NT.
    """
    texts = ["-".join(calls)]
    if not {*calls} & {*CALLS.values()}:
        texts.append("-P-".join(calls))
    passed = 1 if calls[0] in CALLS.values() else 4
    query = ",".join("P-" * number + text for text in texts for number in range(passed))
    return Value(query, texts[0].replace("-", " – "))
