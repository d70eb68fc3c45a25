"""What players type is read as what they mean, and nothing that is typed in words is refused."""

from collections.abc import Iterable
from pathlib import Path
from string import ascii_lowercase, digits

from hypothesis import given, settings
from hypothesis import strategies as st

from search.conditions import EVERY_BOARD, AnyOf, Condition
from search.language.parsing import MAX_CHARACTERS
from search.language.queries import parse_query
from search.language.understanding import understand
from search.phrases.phrasebook import ENGLISH
from tests.search.language.known import LABELS, REFERENCE, TODAY, parse, refusal
from tests.search.language.test_any_text import steps

MEANT = {
    "3NT going down": "contract=3NT is:down",
    "5-5 majors": "any(spades>=5 hearts>=5)",
    "balanced 15-17": "any(is:balanced hcp=15..17)",
    "hands with a void in spades": "any(spades=0)",
    "South has 5 spades and 4 hearts": "south(spades>=5 hearts>=4)",
    "exactly 5 spades": "any(spades=5)",
    "void with South": "south(shortest=0)",
    "opener has a void, dummy 4441": "opener(shortest=0) dummy(shape=4441)",
    "NS have 25-26 points": "ns(hcp=25..26)",
    "NS have a void": "(north(shortest=0) OR south(shortest=0))",
    "25 points together": "(ns(hcp=25) OR ew(hcp=25))",
    "opened 1NT with 12 points": "opening=1NT opener(hcp=12)",
    "4 hearts -1": "contract=4H result=-1",
    "4 spades or 4 hearts made": "(contract=4S OR contract=4H) is:made",
    "4!s doubled": "contract=4SX",
    "31.12.2025": "date=2025-12-31",
    "1/2/2026": "date=2026-02-01",
    "31.2.2025": '"31 2 2025"',
    "negative double of 1S with 4 hearts": "auction*=1C-1S-X,1D-1S-X,1H-1S-X doubler(hearts>=4)",
    "1430": "(score=1430 OR score=-1430)",
    "1nt all pass": "opening=1NT contract=1NT",
    "4 spades goes down but 3NT makes": "contract=4S is:down makes=3NT",
    "1nt opening then 2c": "opening=1NT auction*=2C",
    "6NT east": "contract=6NT declarer=east",
    "EW went down": "is:down declarer=ew",
    "north made 4 spades": "is:made contract=4S declarer=north",
    "north has 5 spades 3NT": "north(spades>=5) contract=3NT",
    "dealer 12-14 balanced": "dealer(hcp=12..14 is:balanced)",
    "lead 10 of clubs": "lead=CT",
    "red 10 3": "vul=declarer",
    "3NT -♠": "contract=3NT",
    "28 point slam": "is:slam declarers(hcp=28)",
    "trump lead against 3NT, 4S": "lead=trump contract=3NT,4S",
    "♠AKQ with north": "north(cards=SAKQ)",
    "1NT pass 2C": "auction^=1N-P-2C,P-1N-P-2C,P-P-1N-P-2C,P-P-P-1N-P-2C",
    "3NT - down : board 7 !": "contract=3NT is:down board=7",
    "not doubled": "-is:doubled",
    "-doubled 3NT": "-is:doubled contract=3NT",
    "-undoubled": "-(-is:doubled)",
    "-(3NT down) (-(-(level=1)))": "-(contract=3NT is:down) (-(-(level=1)))",
    "void or singleton": "any((shortest=0 OR shape=xxx1))",
    "void OR 3NT": "any(shortest=0) OR contract=3NT",
    "south(void in spades 15+)": "south(spades=0 hcp>=15)",
    "3NT down south(hcp>=15)": "contract=3NT is:down south(hcp>=15)",
    "weak two in haerts": "opening=2H",
    "last Friday": "date=2026-11-20",
    "Friday pairs": '"friday" "pairs"',
    "semi-final": '"semi final"',
    "round 3": '"round 3"',
    "1nt opening not 15-17": "opening=1NT opener(-hcp=15..17)",
    "pair 12 tuesday": "pair=12 date=2026-11-24",
    "above par ns": "(declarer=ns againstpar>0 OR declarer=ew againstpar<0)",
    "game on but stopped in partscore": "makes=game is:partscore",
    "1nt x'd": "contract=1NTX",
    "spectacular 3NT": '~"spectacular" contract=3NT',
    "dealer North 4 spades": "dealer=north contract=4S",
    "5=4=3=1": "any(shape=5=4=3=1)",
    "ns good suit 13 losers": (
        "(north(((good=S spades>=5) OR (good=H hearts>=5) OR (good=D diamonds>=5) OR (good=C clubs>=5)))"
        " OR south(((good=S spades>=5) OR (good=H hearts>=5) OR (good=D diamonds>=5) OR (good=C clubs>=5))))"
        " ns(losers=13)"
    ),
    "bad slam hopeless slam 3NT": "is:slam is:unmakeable contract=3NT",
    "south(5=4=3=1 15+)": "south(shape=5=4=3=1 hcp>=15)",
    "south 5=4=3=1, 3NT=": "south(shape=5=4=3=1) contract=3NT result=0",
    "five-four in the minors": "any(((diamonds>=5 clubs>=4) OR (diamonds>=4 clubs>=5)))",
    "4/4 heart fit": "split=4-4 denomination=hearts",
    "both balanced": "((north(is:balanced) south(is:balanced)) OR (east(is:balanced) west(is:balanced)))",
    "both sides balanced": "is:balanced",
    "EW both balanced": "east(is:balanced) west(is:balanced)",
    "good hearts, six of them": "any(good=H hearts>=5 hearts>=6)",
    "six of them": '"six"',
    "♠KJ109x": "any(cards=SKJT9)",
    "hearts KJ10": "any(cards=HKJT)",
    "slam on fewer than 30 points": "is:slam declarers(hcp<30)",
    "4S with a void": "contract=4S (declarer(shortest=0) OR dummy(shortest=0))",
    "N has 15 points": "north(hcp=15)",
    "nv vs vul": "vul=defence -vul=declarer",
    "1NT dbl": "contract=1NTX",
    "more than two down": "result<-2",
    "down 2-4": "result=-4..-2",
    "not undoubled": "-(-is:doubled)",
    "penalties": "is:doubled",
    "3 November 2025": "date=2025-11-03",
    "Dec 24": "date=2025-12-24",
    "three weeks ago": "date=2026-11-03..2026-11-09",
    "last two weeks": "date=2026-11-14..2026-11-27",
    "1NT-3NT": "auction^=1N-3N,P-1N-3N,P-P-1N-3N,P-P-P-1N-3N,1N-P-3N,P-1N-P-3N,P-P-1N-P-3N,P-P-P-1N-P-3N",
    "20+ opposite a void, 4H": "((north(hcp>=20) south(shortest=0)) OR (south(hcp>=20) north(shortest=0))"
    " OR (east(hcp>=20) west(shortest=0)) OR (west(hcp>=20) east(shortest=0))) contract=4H",
    "opposite a void": "any(shortest=0)",
    "9-card fit in 3NT": "declarers(fit>=9) contract=3NT",
    "didn't make 3SA": "is:down contract=3NT",
    "3NT making by S": "contract=3NT is:made declarer=south",
    "hands w/ 5 hearts w/o an ace": "any(hearts>=5 aces=0)",
    "balanced 12-14 opening 1 club": "opener(is:balanced hcp=12..14) opening=1C",
    "what is the common lead against 4S": "contract=4S",
    "3NT by East or West": "contract=3NT declarer=ew",
    "eleven tricks in spades": "tricks=11 denomination=spades",
    "5 diamonds making by West": "contract=5D is:made declarer=west",
    "games made with 22 points": "is:game is:made declarers(hcp=22)",
    "25 points between NS": "ns(hcp=25)",
    "longer than 12 calls": "calls>12",
    "heart or spade lead": "(lead=H OR lead=S)",
    "boards with 6-5 or wilder": "any(shape=6511,6520,6610,7510,7600,8500)",
    "void in hearts or spades": "any((hearts=0 OR spades=0))",
    "partials in clubs or diamonds": "(is:partscore denomination=clubs OR is:partscore denomination=diamonds)",
    "fifteen to seventeen points": "any(hcp=15..17)",
    "West led a heart": "lead=H declarer=south",
    "tricks": '"tricks"',
    "45 points": '"45" "points"',
    "hands with a where was": "",
}


def test_words_are_read_as_players_mean_them() -> None:
    read = {text: understand(text, LABELS, TODAY).query for text in MEANT}
    assert read == MEANT
    for text, query in MEANT.items():
        assert parse(text) == parse(query), text


SIGNS = (
    "-----",
    "~~~",
    "!!!",
    "--",
    "…",
    "?!",
    "- -",
    "&",
    "/",
    "_",
    "♠",
    "!s",
    ":",
    "(…)",
    "… OR (&)",
    "\u0301",
    "😀",
)


def test_signs_alone_find_no_board_and_are_not_refused() -> None:
    assert {text: parse(text) for text in SIGNS} == dict.fromkeys(SIGNS, AnyOf())
    for text in SIGNS:
        understood = understand(text, LABELS, TODAY)
        assert (understood.query, [part.meaning for part in understood.parts]) == (
            "",
            ["signs without a word, which find no board"],
        )
    assert parse("") == parse("  ") == parse("hands with a") == EVERY_BOARD
    for text in ("3NT", "contract=3NT"):
        assert {sign: parse(f"{text} {sign}") for sign in ("…", "?!", "&")} == dict.fromkeys(
            ("…", "?!", "&"), parse("3NT")
        )
    assert refusal('"…"') is not None


def test_a_reader_is_told_of_every_part_in_its_order() -> None:
    parts = understand("void in spades doubled slam passed out 1nt", LABELS, TODAY).parts
    assert [part.meaning for part in parts] == [
        "a void in spades",
        "the contract was doubled",
        "level 6 or 7",
        "passed out",
        "contract 1NT",
    ]


def test_a_theme_is_found_by_its_name_and_by_that_in_texts() -> None:
    assert understand("stayman", LABELS, TODAY).query == "(auction*=1N-P-2C,2N-P-3C OR theme=stayman)"
    assert understand("Squeezes", LABELS, TODAY).query == '(theme=Squeeze OR "squeeze")'


def test_the_words_in_texts_are_the_other_meaning_of_a_phrase() -> None:
    assert understand("3NT down!", LABELS, TODAY).in_texts == '"3NT down"'
    assert understand("Friday pairs", LABELS, TODAY).in_texts == ""
    assert understand("contract=3NT down", LABELS, TODAY).in_texts == ""


WISHES = [line.split(" | ") for line in (Path(__file__).parent / "wishes.txt").read_text(encoding="utf-8").splitlines()]
"""Wishes of players, each with the query that is meant.

Somebody who did not know the phrases wrote the first hundred. The queries of the others are those that the reader made,
kept where they are what was meant. The last ones are of a list of sixty that nobody had tried: 56 were read as meant.
"""


def test_the_wishes_of_players_are_understood() -> None:
    def meaning(text: str) -> Condition:
        return parse_query(text, REFERENCE, None, TODAY)

    assert len(WISHES) == 353
    assert {wish for wish, query in WISHES if meaning(wish) != meaning(query)} == set()


WORDS = sorted(
    {word for phrase in ENGLISH.phrases for word in phrase.example.split()}.union(
        ENGLISH.slot_words, *ENGLISH.lists.values()
    )
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(WORDS) | st.from_regex(r"\A\w[\w'+/.,;?!-]{0,12}\Z"), max_size=30))
def test_nothing_that_is_typed_in_words_is_refused(words: list[str]) -> None:
    assert refusal(" ".join(words)) is None


DEAR = (
    *("xyzzy ", "ace ", "a ", "p ", "2 ", "p-", "1/1/", "one no trump ", "5 heart ", "a of the in on "),
    "zero or more than between one and two ",
)
"""What costs the most, or cost more than twice as much for twice the text once."""


def test_every_word_costs_about_as_much_as_one_that_nobody_knows() -> None:
    size = 60
    fixed, dear = steps("xyzzy " * (size // 6)), {}
    for word in (*ENGLISH.slot_words, *ascii_lowercase, *digits, "akq", "4441", "1nt"):
        cost = steps(f"{word} " * (size // (len(word) + 1)))
        if cost > 6 * fixed:
            dear[word] = cost / fixed
    assert dear == {}


def test_words_that_hyphens_join_stay_what_they_are() -> None:
    for text, query in {
        "not semi-final": '-"semi final"',
        "xyzzy or semi-final": '("xyzzy" OR "semi final")',
        "semi-of-final": '"semi of final"',
    }.items():
        assert understand(text, LABELS, TODAY).query == query, text


def test_twice_the_words_cost_at_most_two_and_a_half_times() -> None:
    """Repeat the dearest words. tests/system/search repeats each phrase."""
    assert more_than_linear(DEAR) == {}


def more_than_linear(texts: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Return the steps that half of a text of MAX_CHARACTERS takes and all of it, of those where all take too many."""
    dear = {}
    for text in texts:
        half = MAX_CHARACTERS // len(text) // 2
        once, twice = steps(text * half), steps(text * half * 2)
        if twice > 2.5 * once + 200:
            dear[text] = once, twice
    return dear
