"""Slots of bids, contracts and auctions."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from search.phrases.slots.amounts import AmountReader
from search.phrases.slots.names import NameReader
from search.phrases.slots.reading import Readings, Slot, Value, Words, only, spelled

BID = re.compile(r"([1-7])(c|d|h|s|nt?|sa|ba)")
CONTRACT = re.compile(r"([1-7])(c|d|h|s|nt?|sa|ba)(xx?)?")
LETTERS = {"c": "C", "d": "D", "h": "H", "s": "S", "n": "NT", "nt": "NT", "sa": "NT", "ba": "NT"}
DOUBLED = {"": "", "X": " doubled", "XX": " redoubled"}
BIDS = [f"{level}{strain}" for level in range(1, 8) for strain in "CDHSN"]
GAMES = ("3NT", "4H", "4S")
MAX_LEADING = 3
"""The words that may lead on to a call: "and then a"."""

MAX_CALLS = 40
"""The calls of an auction that are read as one."""


@dataclass(frozen=True)
class Bid(Value):
    """A bid, or a contract with its doubling."""

    level: int = 0
    strain: str = ""

    @property
    def bid(self) -> str:
        """Return the bid without the doubling: 3NT."""
        return f"{self.level}{self.strain}"

    @property
    def call(self) -> str:
        """Return the bid as auctions have it: 3N."""
        return f"{self.level}{self.letter}"

    @property
    def letter(self) -> str:
        return self.strain[0]

    @property
    def doubled_overcall(self) -> str:
        """Return the auctions in which it is doubled over an opening of one in another suit."""
        return ",".join(f"1{suit}-{self.call}-X" for suit in "CDHS" if suit != self.letter)


def write_contract(level: int, strain: str, doubled: str = "") -> Bid:
    bid = f"{level}{strain}"
    return Bid(f"{bid}{doubled}", f"{bid}{DOUBLED[doubled]}", level=level, strain=strain)


class CallReader:
    """Reads bids and auctions with the words of a language."""

    def __init__(
        self, words: Mapping[str, Mapping[str, tuple[str, ...]]], names: NameReader, amounts: AmountReader
    ) -> None:
        self.strains, self.number_at = names.strains, amounts.number_at
        self.calls = spelled(words["call"], {"P": "P", "X": "X", "XX": "XX"})
        self.doubled = words["doubled"]
        self.leading_on = words["then"]["then"]

    def bids(self, words: Words, at: int) -> Readings:
        """Yield a bid: 1NT, 1 spade, two hearts."""
        if at >= len(words):
            return
        if match := BID.fullmatch(words[at][0]):
            yield at + 1, write_contract(int(match[1]), LETTERS[match[2]])
        level = self.number_at(words, at)
        if level and level <= 7:
            for end, strain in self.strains(words, at + 1):
                yield end, write_contract(level, strain.letter)

    def contracts(self, words: Words, at: int) -> Readings:
        """Yield a contract, with its doubling where that follows."""
        if at < len(words) and (match := CONTRACT.fullmatch(words[at][0])) and match[3]:
            yield at + 1, write_contract(int(match[1]), LETTERS[match[2]], match[3].upper())
        for end, bid in self.bids(words, at):
            yield end, bid
            assert isinstance(bid, Bid)
            for doubled, spellings in self.doubled.items():
                if end < len(words) and words[end][0] in spellings:
                    yield end + 1, write_contract(bid.level, bid.strain, doubled)

    def call_of(self, word: str) -> str:
        """Return a call as the language writes it, "" for another word."""
        if match := BID.fullmatch(word):
            return f"{match[1]}{LETTERS[match[2]][0]}"
        return self.calls.get(word, "")

    def next_call(self, words: Words, at: int) -> tuple[int, str] | None:
        """Return the call at a token, "2h" or "two hearts", and where it ends. "and then a" may lead to it."""
        behind = min(len(words), at + MAX_LEADING)
        while at < behind and words[at][0] in self.leading_on:
            at += 1
        if at < len(words) and (call := self.call_of(words[at][0])):
            return at + 1, call
        return next(((end, bid.call) for end, bid in self.bids(words, at) if isinstance(bid, Bid)), None)

    def auctions(self, words: Words, at: int) -> Readings:
        """Yield calls that follow each other: 1NT-P-2C, or 1NT pass 2C, in which somebody passes."""
        if at >= len(words):
            return
        calls = [self.call_of(part) for part in words[at][0].split("-")]
        if len(calls) > 1 and all(calls):
            yield at + 1, write_calls(calls)
            return
        end, calls, bids_made = at, list[str](), list[int]()
        while len(calls) < MAX_CALLS and (following := self.next_call(words, end)):
            end, call = following
            if call in BIDS:
                bids_made.append(BIDS.index(call))
                if bids_made[-1] <= max(bids_made[:-1], default=-1):
                    return  # no auction
            calls.append(call)
        if len(calls) > 2 and len(bids_made) > 1 - ("P" in calls):
            yield end, write_calls(calls)

    def slots(self) -> Mapping[str, Slot]:
        bids = Slot(self.bids, Bid)
        return {
            "bid": bids,
            "last_bid": only(bids, is_last),
            "contract": Slot(self.contracts, Bid),
            "calls": Slot(self.auctions),
        }


def is_last(value: Value) -> bool:
    """Tell whether a bid is one of a game or a slam, which ends most auctions."""
    return isinstance(value, Bid) and (value.bid in GAMES or value.level >= 5)


def write_calls(calls: Sequence[str]) -> Value:
    """Return calls as an auction begins with them. Before a first bid the others may have passed.

    Where only bids are said, the opponents may have passed throughout: 1NT-3NT.
    """
    texts = ["-".join(calls)]
    if {*calls} <= {*BIDS}:
        texts.append("-P-".join(calls))
    passed = 4 if calls[0] in BIDS else 1
    query = ",".join("P-" * number + text for text in texts for number in range(passed))
    return Value(query, texts[0].replace("-", " – "))
