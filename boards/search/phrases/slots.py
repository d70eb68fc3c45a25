"""What a pattern has in braces, such as {suit}: which words stand for it, and what they are in a query and in words.

A slot yields each reading that begins at a token: the token behind it, and the value.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from bridge.names import RANK_NAMES, SEAT_NAMES, SUIT_NAMES

Words = Sequence[Sequence[str]]
"""The tokens of a text, each as the forms in which it may be read: as it stands, without its s, without its slip."""


@dataclass(frozen=True)
class Value:
    """A value of a slot, as a query has it, and in words. `letter` is that of a suit, `low` that of a number alone."""

    query: str
    words: str
    letter: str = ""
    low: int | None = None

    def __str__(self) -> str:
        return self.query


Readings = Iterator[tuple[int, Value]]
Slot = Callable[[Words, int], Readings]

NUMBERS = {
    word: number
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
        ]
    )
}
RANGE = re.compile(r"(\d{1,2})(?:-|\.\.)(\d{1,2})")
BEFORE = {
    ("at", "least"): ">=",
    ("minimum",): ">=",
    ("min",): ">=",
    ("more", "than"): ">",
    ("over",): ">",
    ("above",): ">",
    ("at", "most"): "<=",
    ("up", "to"): "<=",
    ("maximum",): "<=",
    ("max",): "<=",
    ("less", "than"): "<",
    ("fewer", "than"): "<",
    ("under",): "<",
    ("below",): "<",
    ("exactly",): "=",
    ("precisely",): "=",
    ("only",): "=",
}
BEHIND: dict[tuple[str, ...], str] = {
    **dict.fromkeys((("plus",), ("or", "more"), ("or", "longer"), ("or", "better"), ("or", "higher")), ">="),
    **dict.fromkeys((("or", "less"), ("or", "fewer"), ("or", "lower"), ("or", "shorter")), "<="),
}
IN_WORDS = {
    "=": "{}",
    ">=": "{} or more",
    "<=": "{} or fewer",
    ">": "more than {}",
    "<": "fewer than {}",
}


def has_at(words: Words, at: int, sequence: Sequence[str]) -> bool:
    return at + len(sequence) <= len(words) and all(word in words[at + offset] for offset, word in enumerate(sequence))


def number_at(words: Words, at: int) -> int | None:
    """Return the number that a token is, in figures or spelt out, None for another word."""
    if at >= len(words):
        return None
    word = words[at][0]
    return int(word) if word.isdecimal() and len(word) < 4 else NUMBERS.get(word)


def counts(words: Words, at: int) -> Readings:
    """Yield a number alone, of tricks."""
    if number := number_at(words, at):
        yield at + 1, Value(str(number), str(number))


def amount(plain: Literal["=", ">="]) -> Slot:
    """Return the slot of an amount, 15, 15-17, 15+, at least 15, 15 or more. `plain` is what a number alone means."""

    def one(operator: str, number: int) -> Value:
        low = number if operator == plain else None
        return Value(f"{operator}{number}", IN_WORDS[operator].format(number), low=low)

    def between(low: int, high: int) -> Value:
        return Value(f"={low}..{high}", f"{low} to {high}")

    def read(words: Words, at: int) -> Readings:
        if at >= len(words):
            return
        word = words[at][0]
        if (match := RANGE.fullmatch(word)) and int(match[1]) < int(match[2]):
            yield at + 1, between(int(match[1]), int(match[2]))
        if word.endswith("+") and word[:-1].isdecimal():
            yield at + 1, one(">=", int(word[:-1]))
        for before, operator in BEFORE.items():
            if has_at(words, at, before) and (number := number_at(words, at + len(before))) is not None:
                yield at + len(before) + 1, one(operator, number)
        if "between" in words[at]:
            at += 1
        if (number := number_at(words, at)) is None:
            return
        yield at + 1, one(plain, number)
        for behind, operator in BEHIND.items():
            if has_at(words, at + 1, behind):
                yield at + 1 + len(behind), one(operator, number)
        if has_at(words, at + 1, ["to"]) or has_at(words, at + 1, ["and"]) or has_at(words, at + 1, ["or"]):
            high = number_at(words, at + 2)
            if high is not None and number < high:
                yield at + 3, between(number, high)

    return read


MIN_POINTS, MAX_POINTS = 8, 37
"""Between these a range alone, 15-17 or 20+, is one of points."""


def points(words: Words, at: int) -> Readings:
    """Yield the points that an amount alone means, if it is no plain number."""
    for end, value in amount("=")(words, at):
        numbers = [int(number) for number in re.findall(r"\d+", value.query)]
        if value.low is None and min(numbers) >= MIN_POINTS and max(numbers) <= MAX_POINTS:
            yield end, value


def one_of(values: Mapping[str, Value]) -> Slot:
    """Return the slot of some words, of which each is a token or, with spaces between them, several."""
    by_first: dict[str, list[tuple[list[str], Value]]] = {}
    for spelling, value in values.items():
        first, *rest = spelling.split()
        by_first.setdefault(first, []).append((rest, value))

    def read(words: Words, at: int) -> Readings:
        for form in words[at] if at < len(words) else ():
            for rest, value in by_first.get(form, ()):
                if has_at(words, at + 1, rest):
                    yield at + 1 + len(rest), value

    return read


IN_LANGUAGES = {
    "S": "spade pique pik schoppen pica picche piki spader",
    "H": "heart coeur herz harten corazon corazones cuori kiery kier hjarter",
    "D": "diamond carreau karo ruiten diamante quadri kara ruter",
    "C": "club trefle treff kreuz klaveren klaver trebol treboles fiori trefle klover",
}
SUITS = {
    spelling: Value(SUIT_NAMES[letter], SUIT_NAMES[letter], letter)
    for letter, spellings in IN_LANGUAGES.items()
    for spelling in spellings.split()
}
NOTRUMP = Value("notrump", "notrump", "NT")
STRAINS = {**SUITS, **dict.fromkeys(("notrump", "nt", "no trump", "sans atout", "sans", "ohne", "sa"), NOTRUMP)}
SEATS = {
    spelling: Value(name.lower(), name, letter)
    for letter, name in SEAT_NAMES.items()
    for spelling in (name.lower(), letter.lower())
}
SIDES = {
    **dict.fromkeys(("ns", "n s", "north south", "north and south"), Value("ns", "North-South")),
    **dict.fromkeys(("ew", "e w", "east west", "east and west"), Value("ew", "East-West")),
}
RANK_WORDS = {
    **{name: Value(letter, name, letter) for letter, name in RANK_NAMES.items() if letter in "AKQJT"},
    **{letter.lower(): Value(letter, RANK_NAMES[letter], letter) for letter in "KQJ"},  # "a" is a word
}
TURNS = {
    spelling: Value(str(number), spellings[0])
    for number, spellings in enumerate(
        [("first", "1st"), ("second", "2nd"), ("third", "3rd"), ("fourth", "4th")], start=1
    )
    for spelling in spellings
}

BID = re.compile(r"([1-7])(c|d|h|s|nt?)")
CONTRACT = re.compile(r"([1-7])(c|d|h|s|nt?)(xx?)?")
DOUBLED = {"X": ("doubled", "x", "dbl"), "XX": ("redoubled", "xx", "rdbl")}
LETTERS = {"c": "C", "d": "D", "h": "H", "s": "S", "n": "NT", "nt": "NT"}


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
CALLS = {"p": "P", "pass": "P", "passes": "P", "x": "X", "dbl": "X", "double": "X", "xx": "XX", "redouble": "XX"}


def call_of(word: str) -> str:
    """Return a call as the language writes it, "" for another word."""
    if match := BID.fullmatch(word):
        return f"{match[1]}{match[2][0].upper()}"
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
    """Return calls as an auction begins with them. Before a first bid the others may have passed."""
    text = "-".join(calls)
    passed = 1 if calls[0] in CALLS.values() else 4
    return Value(",".join("P-" * number + text for number in range(passed)), text.replace("-", " – "))


MAX_HELD = 5
"""The honours that are named one after the other."""

CARDS = re.compile(r"(?!cat|hat|sat)([shdc])((?:[akqjt2-9]|10)+)x*")
HELD = re.compile(r"(?!at)([akqjt]{2,})x*")
CARD_BEHIND = re.compile(r"(?!as)([akqjt])([shdc])")


def cards(words: Words, at: int) -> Readings:
    """Yield cards of a suit: SAK, AKQ in spades, ace of hearts, KH."""
    if at >= len(words):
        return
    word = words[at][0]
    if match := CARDS.fullmatch(word):
        yield at + 1, write_cards(match[1], match[2])
    if match := CARD_BEHIND.fullmatch(word):
        yield at + 1, write_cards(match[2], match[1])
    ranks = [(end, rank.letter) for end, rank in one_of(RANK_WORDS)(words, at)]
    for end, held in ranks:  # ace king queen
        ranks += [(last, held + rank.letter) for last, rank in one_of(RANK_WORDS)(words, end) if len(held) < MAX_HELD]
    if match := HELD.fullmatch(word):
        ranks.append((at + 1, match[1]))
    for end, held in ranks:
        behind = end + 1 if has_at(words, end, ["of"]) or has_at(words, end, ["in"]) else end
        for last, suit in one_of(SUITS)(words, behind):
            yield last, write_cards(suit.letter, held)
    for end, suit in one_of(SUITS)(words, at):
        for last, rank in one_of(RANK_WORDS)(words, end):
            yield last, write_cards(suit.letter, rank.letter)


def write_cards(suit: str, ranks: str) -> Value:
    held = ranks.upper().replace("10", "T")
    return Value(f"{suit.upper()}{held}", f"{SUIT_NAMES[suit.upper()]} {held}", suit.upper())


def honours(words: Words, at: int) -> Readings:
    """Yield honours of a suit that is not named: AK, KQJ."""
    if at < len(words) and (match := HELD.fullmatch(words[at][0])):
        held = match[1].upper()
        yield at + 1, Value(held, held)


SHAPE = re.compile(r"(\d)-?(\d)-?(\d)-?(\d)")
PAIR = re.compile(r"(\d)-(\d)")


def shapes(words: Words, at: int) -> Readings:
    """Yield four lengths of 13 cards: 4441, 5-3-3-2."""
    if at < len(words) and (match := SHAPE.fullmatch(words[at][0])) and sum(map(int, match.groups())) == 13:
        yield at + 1, Value("".join(match.groups()), "-".join(match.groups()))


def pairs(words: Words, at: int) -> Readings:
    """Yield two lengths of a hand, 5-5 or 6-4, the longer one in `query` first."""
    if at >= len(words) or not (match := PAIR.fullmatch(words[at][0])):
        return
    high, low = sorted(map(int, match.groups()), reverse=True)
    if low >= 3 and 8 <= high + low <= 13:
        yield at + 1, Value(f"{high}{low}", f"{high}-{low}")


def splits(words: Words, at: int) -> Readings:
    """Yield how two hands share a suit, 4-4 or 5-3, the longer one first."""
    if at < len(words) and (match := PAIR.fullmatch(words[at][0])):
        high, low = sorted(match.groups(), reverse=True)
        yield at + 1, Value(f"{high}-{low}", f"{high}-{low}")


def matching(pattern: str, query: str = "{}", words: str = "{}") -> Slot:
    """Return the slot of one token of a form. Its first group goes into `query` and `words`."""
    form = re.compile(pattern)

    def read(tokens: Words, at: int) -> Readings:
        if at < len(tokens) and (match := form.fullmatch(tokens[at][0])):
            yield at + 1, Value(query.format(match[1]), words.format(match[1]))

    return read


SLOTS: Mapping[str, Slot] = {
    "n": amount("="),
    "length": amount(">="),
    "suit": one_of(SUITS),
    "strain": one_of(STRAINS),
    "seat": one_of(SEATS),
    "side": one_of(SIDES),
    "rank": one_of(RANK_WORDS),
    "turn": one_of(TURNS),
    "bid": bids,
    "contract": contracts,
    "calls": auctions,
    "cards": cards,
    "honours": honours,
    "shape": shapes,
    "pair": pairs,
    "split": splits,
    "points": points,
    "count": counts,
    "down": matching(r"-(1[0-3]|[1-9])"),
    "over": matching(r"\+([1-6])"),
    "won": matching(r"\+(\d{2,3}0)"),
    "lost": matching(r"-(\d{2,3}0|[5-9]0)"),
    "number": matching(r"(\d{1,5})"),
    "numbers": matching(r"(\d{1,5}-\d{1,5})"),
    "year": matching(r"((?:19|20)\d\d)"),
    "day": matching(r"((?:19|20)\d\d-\d\d(?:-\d\d)?)"),
}
"""The slots by their names. A digit behind a name tells two of one kind apart: {suit} and {suit2}."""

KNOWN = {
    word
    for spellings in (SUITS, STRAINS, SEATS, SIDES, RANK_WORDS, TURNS, NUMBERS)
    for spelling in spellings
    for word in spelling.split()
    if len(word) > 1
} | {word for sequence in (*BEFORE, *BEHIND) for word in sequence}
"""The words that slots read. They may have slips like those of patterns."""
