"""Names of suits, seats, sides and ranks, those of suits in several languages."""

from boards.search.phrases.slots.reading import Value
from bridge.names import RANK_NAMES, SEAT_NAMES, SUIT_NAMES

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
NOTRUMP_WORDS = (
    *("notrump", "nt", "no trump", "sans atout", "sans", "ohne", "sa"),
    *("bez atu", "sin triunfo", "senza atout", "senza", "sang"),
)
STRAINS = {**SUITS, **dict.fromkeys(NOTRUMP_WORDS, NOTRUMP)}
SEATS = {
    spelling: Value(name.lower(), name, letter)
    for letter, name in SEAT_NAMES.items()
    for spelling in (name.lower(), letter.lower())
}
SIDES = {
    **dict.fromkeys(
        ("ns", "n s", "north south", "north and south", "north or south", "n or s"), Value("ns", "North-South")
    ),
    **dict.fromkeys(("ew", "e w", "east west", "east and west", "east or west", "e or w"), Value("ew", "East-West")),
}
TWO_SUITS = {
    "major": Value("spades hearts", "majors"),
    "minor": Value("diamonds clubs", "minors"),
    "black": Value("spades clubs", "black suits"),
    "red": Value("hearts diamonds", "red suits"),
    "rounded": Value("hearts clubs", "rounded suits"),
    "pointed": Value("spades diamonds", "pointed suits"),
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
