"""What is wrong with a text: the code, the sentence, and where the word stands."""

from typing import get_args

import pytest

from boards.search.language.errors import MAX_SHOWN, Code, nearest
from boards.search.language.parsing import MAX_CHARACTERS, MAX_CONDITIONS, MAX_DEPTH
from boards.search.language.words import BOARD_WORDS, HAND_WORDS, HOLDERS, SIDE_WORDS
from tests.boards.search.language.known import error_of, parse

EXAMPLES = "Write one such as contract=4S, south(hcp>=15) or theme=stayman."
OF_WHAT = "Write of what: result=-2, level=3, south(hcp>=15). In quotes it is looked for in texts."
WORDS_OF_A_HAND = "spades, hearts, diamonds, clubs, hcp, controls, losers, aces, shape or cards"
HOLDER_NAMES = "north, east, south, west, any, declarer, dummy, leader, opener, ns or ew"
NO_SHAPE = "Write 5332, 5=3=3=2, 54xx or 10-2-1-0."
NO_CONTRACT = "Write one such as 4S, 3NT, 4SX or Pass."
NO_DATE = "Write 2026, 2026-01 or 2026-01-05."
WITHOUT_SPACES = "Write without spaces what = compares: contract=4S, south(hcp>=15)."

# A text, the code, the word at which it is wrong, and the sentence. A text has the word once, or else "¦" stands before
# it. The first five are those of the notes.
ERRORS = [
    ("suoth(hcp>=15)", "unknown_word", "suoth", "suoth is no seat. Did you mean south?"),
    ("hcp>=15", "no_seat", "hcp", "Say of which seat: south(hcp>=15)."),
    ("south(shape=5333)", "bad_value", "5333", "A hand has 13 cards, and 5333 has 14."),
    ("auction^=1N-Z", "bad_value", "Z", "Z is no call."),
    ("(vul=ns", "not_closed", "(", "This ( is never closed."),
    ("vul=ns level=1 fit>=8", "no_seat", "fit", "Say of which side: ns(fit>=8)."),
    ("qqq(hcp>=15)", "unknown_word", "qqq", f"qqq is no seat. Write one of {HOLDER_NAMES}."),
    ("contrct=4S", "unknown_word", "contrct", "contrct is no word. Did you mean contract?"),
    ("south(qq=1)", "unknown_word", "qq", f"qq is no word. Write one of {WORDS_OF_A_HAND}."),
    ("vul=ns ???", "bad_value", "???", f"??? has no letter and no digit. {EXAMPLES}"),
    ('vul=ns "…"', "bad_value", '"…"', f'"…" has no letter and no digit. {EXAMPLES}'),
    ("makeable", "unknown_word", "makeable", "makeable is no condition. Did you mean is:makeable?"),
    ("4S", "unknown_word", "4S", "4S is no condition. Did you mean contract=4S?"),
    (
        "south(hcp>=15 squeeze)",
        "wrong_place",
        "squeeze",
        "squeeze says nothing of south(…). Write a condition such as clubs>=5 or hcp>=15.",
    ),
    (
        "south(15+)",
        "wrong_place",
        "15+",
        "15+ says nothing of south(…). Write a condition such as clubs>=5 or hcp>=15.",
    ),
    ("4♠", "unknown_word", "4♠", "4♠ is no condition. Did you mean contract=4S?"),
    ("1nt-p-2♣", "unknown_word", "1nt-p-2♣", "1nt-p-2♣ is no condition. Did you mean auction^=1NT-P-2C?"),
    ("contract=3NT -2", "unknown_word", "2", f"2 is no condition. {OF_WHAT}"),
    ("5-5", "unknown_word", "5-5", f"5-5 is no condition. {OF_WHAT}"),
    ("sort=top", "unknown_word", "sort", "The order is no condition: choose it beside the search (sort=top)."),
    ("commentary=x", "unknown_word", "commentary", 'Words of texts stand alone: finesse, or "safety play".'),
    ("contract", "unknown_word", "contract", "contract needs a value: contract=4S,4H."),
    ("hcp", "unknown_word", "hcp", "hcp needs a value: south(hcp>=15)."),
    ("fit", "unknown_word", "fit", "fit needs a value: ns(fit>=9)."),
    ("west", "unknown_word", "west", "Say what of west: west(hcp>=15)."),
    ("vul=ns AND level=1", "unknown_word", "AND", "AND is no condition. A space is and: leave this word out."),
    ("vul=ns or level=1", "unknown_word", "or", "or is no condition. Did you mean OR?"),
    ("not level=1", "unknown_word", "not", "not is no condition. Write - directly before what is not to be."),
    ("south>=15", "syntax", "south", "Say what of south: south(hcp>=15)."),
    ("hcp(south)>=15", "syntax", ">=", "Compare within the brackets: south(hcp>=15)."),
    ("hcp(aces=1)", "syntax", "hcp", "hcp stands within a seat: south(hcp>=15)."),
    ("fit(aces=1)", "syntax", "fit", "fit stands within a side: ns(fit>=9)."),
    ("contract(level=1)", "syntax", "contract", "contract has no brackets: contract=4S,4H."),
    ("south(vul=ns)", "wrong_place", "vul", "vul is of the board: write it outside of these brackets."),
    ("south(fit>=8)", "wrong_place", "fit", "Say of which side: ns(fit>=8)."),
    ("ns(shape=5332)", "wrong_place", "shape", "Say of which seat: south(shape=5332)."),
    ("any(ns(hcp>=25))", "wrong_place", "ns", "ns cannot stand within any(…): write one after the other."),
    ("south()", "syntax", "south", "Say what of south: south(…)."),
    ("level=1 ¦()", "syntax", "()", "These brackets are empty."),
    ("vul=ns)", "syntax", ")", "This ) was never opened."),
    ("south(hcp=1", "not_closed", "(", "This ( is never closed."),
    ('theme="stayman', "not_closed", '"', 'This " is never closed.'),
    ("OR vul=ns", "syntax", "OR", "OR stands between two conditions."),
    ("vul=ns OR", "syntax", "OR", "OR stands between two conditions."),
    ("vul=ns ¦OR OR level=1", "syntax", "OR", "OR stands between two conditions."),
    ("- vul=ns", "syntax", "-", "Write - directly before a condition or a bracket."),
    ("¦--vul=ns", "syntax", "-", "Write - directly before a condition or a bracket."),
    ("(vul=ns -)", "syntax", "-", "Write - directly before a condition or a bracket."),
    ("level=>5", "syntax", "=>", "=> is no operator. Did you mean >=?"),
    ("level==5", "syntax", "==", "== is no operator. Did you mean =?"),
    ("level!=5", "syntax", "!=", "!= is no operator. Write = and a - before the condition: -contract=4S."),
    ("level^5", "syntax", "^", "^ is no operator. Write one of = >= <= > < ^= *= :"),
    ("=5", "syntax", "=", WITHOUT_SPACES),
    ("level= 5", "syntax", " ", "A value is missing here."),
    ("level=", "syntax", "", "A value is missing here."),
    ("level=1,", "syntax", "", "A value is missing here."),
    ("level=1¦(vul=ns)", "syntax", "(", "This ( needs a space before it."),
    ('vul="ns"x', "syntax", "x", "This x needs a space before it."),
    ("contract>=4S", "wrong_operator", ">=", "contract takes =: contract=4S,4H."),
    ("auction>1N", "wrong_operator", ">", "auction takes ^=, *= or =: auction^=1N-P-2C."),
    ("level>1,2", "wrong_operator", ">", "> compares with one value: level>=6."),
    ("level>=2..3", "wrong_operator", "2..3", "A range stands after =. Write level=2..3."),
    ("level=..", "bad_value", "..", "A range needs at least one end: level>=6."),
    ("level=3..2", "bad_value", "3..2", "3..2 runs backwards. Write 2..3."),
    ("level=x", "bad_value", "x", "x is no whole number."),
    ("level=1.5", "bad_value", "1.5", "1.5 is no whole number."),
    ("level=2..¦9", "bad_value", "9", "level is a number from 0 to 7."),
    ("south(hcp>=41)", "bad_value", "41", "hcp is a number from 0 to 37."),
    ("result=-14", "bad_value", "-14", "result is a number from -13 to 6."),
    ("dealer=suoth", "bad_value", "suoth", "suoth is no seat. Did you mean south?"),
    ("dealer=q", "bad_value", "q", "q is no seat. Write north, east, south, west, ns or ew."),
    ("vul=me", "bad_value", "me", "me is no vulnerability. Write none, ns, ew or all."),
    ("room=opne", "bad_value", "opne", "opne is no room. Did you mean open?"),
    ("is:makable", "bad_value", "makable", "makable is no state of a board. Did you mean makeable?"),
    ("lead=KH", "bad_value", "KH", "Write the suit first: HK."),
    ("lead=10h", "bad_value", "10h", "Write the suit first: HT."),
    ("lead=SAK", "bad_value", "SAK", "lead is one card: lead=HK."),
    ("south(cards=SZ)", "bad_value", "SZ", "SZ is no card. Write the suit, then the ranks: SAKQ."),
    ("south(shape=533)", "bad_value", "533", f"533 is no shape. {NO_SHAPE}"),
    ("south(shape=5=332)", "bad_value", "5=332", f"5=332 is no shape. {NO_SHAPE}"),
    ("south(shape=5331)", "bad_value", "5331", "A hand has 13 cards, and 5331 has 12."),
    ("south(shape=77xx)", "bad_value", "77xx", "A hand has 13 cards, and 77xx has 14."),
    ("contract=8S", "bad_value", "8S", f"8S is no contract. {NO_CONTRACT}"),
    ("contract=4", "bad_value", "4", f"4 is no contract. {NO_CONTRACT}"),
    ("makes=4SX", "bad_value", "4SX", "Write a bid, and by whom: makes=6S:ns."),
    ("makes=4S:nrth", "bad_value", "nrth", "nrth is no seat. Did you mean north?"),
    ("makes=4S:", "bad_value", "", '"" is no seat. Write north, east, south, west, ns or ew.'),
    ("auction*=1N-¦-2C", "bad_value", "", "A call is missing here: auction^=1N-P-2C."),
    ("opening=X", "bad_value", "X", "X is no bid. Write one such as 1N."),
    ("date=2026-13", "bad_value", "2026-13", f"2026-13 is no date. {NO_DATE}"),
    ("date=2026-00", "bad_value", "2026-00", f"2026-00 is no date. {NO_DATE}"),
    ("date=2026-02-30", "bad_value", "2026-02-30", f"2026-02-30 is no date. {NO_DATE}"),
    ("date=20261120", "bad_value", "20261120", f"20261120 is no date. {NO_DATE}"),
    ("date=0000", "bad_value", "0000", f"0000 is no date. {NO_DATE}"),
    ("date=2026..2025", "bad_value", "2026..2025", "2026..2025 runs backwards. Write 2025..2026."),
    ("date<0001", "bad_value", "0001", "There is no date <0001."),
    ("date>9999", "bad_value", "9999", "There is no date >9999."),
    ("theme=staymn", "unknown_name", "staymn", "No theme is called staymn. Did you mean stayman?"),
    ("theme=Stayman", "unknown_name", "Stayman", "No theme is called Stayman. Did you mean stayman?"),
    ("theme=qqq", "unknown_name", "qqq", "No theme is called qqq."),
    ('theme=¦""', "unknown_name", "", 'No theme is called "".'),
    ("system=acll", "unknown_name", "acll", "No auction system is called acll. Did you mean acol?"),
    ("type=conventoin", "unknown_name", "conventoin", "No theme type is called conventoin. Did you mean convention?"),
    ('event="…"', "bad_value", "…", "… has no letter and no digit."),
    ("site=?", "bad_value", "?", "? has no letter and no digit."),
    ("votes=many", "bad_value", "many", "many is no whole number."),
    ("CONTRCT=4S", "unknown_word", "CONTRCT", "CONTRCT is no word. Did you mean contract?"),
    ("owner=é", "bad_value", "é", "é is no account's id."),
]


def test_an_error_says_what_is_wrong_and_where(subtests):
    for marked, code, word, message in ERRORS:
        with subtests.test(marked):
            text = marked.replace("¦", "")
            error = error_of(text)
            assert (error.message, error.code, error.word, str(error)) == (message, code, word, message)
            assert text.startswith(word, error.position)
            assert error.position == expected_position(marked, word)


def expected_position(marked, word):
    if "¦" in marked:
        mark = marked.index("¦")
        return mark + marked.startswith('"', mark + 1)
    return marked.index(word) if word else len(marked)


def test_every_code_is_met_by_a_test():
    elsewhere = {"too_long", "too_many_conditions", "too_deep", "not_signed_in"}
    assert {code for _, code, _, _ in ERRORS} | elsewhere == set(get_args(Code))


def test_an_unknown_word_is_told_which_words_there_are():
    *most, last = BOARD_WORDS
    message = f"qq is no word. Write one of {', '.join(most)} or {last}."
    assert error_of("qq=1").message == message
    assert set(HOLDERS) == set(HOLDER_NAMES.replace(" or ", ", ").split(", "))


NEAR = (
    *("dealr dealer", "delaer dealer", "DEALR dealer", "hpc hcp", "theem theme", "thme theme", "leed lead"),
    *("sites site", "spads spades", "heart hearts", "auct auction", "scor score", "dificulti difficulty"),
    "declarrlots declarerlost",
)
"""A word, and the one that is meant."""
STRANGE = ("stage", "player", "suit", "team", "section", "round", "title", "seet", "day", "qq")


def test_a_suggestion_is_near_or_absent():
    words = [*BOARD_WORDS, *HAND_WORDS, *SIDE_WORDS]
    assert [f"{pair.split()[0]} {nearest(pair.split()[0], words)}" for pair in NEAR] == [*NEAR]
    assert {word: nearest(word, words) for word in STRANGE} == dict.fromkeys(STRANGE)
    assert nearest("suit", ["site", "suit"]) == "suit"
    assert "Did you mean" not in error_of("stage=final").message + error_of("player=1").message


def test_a_long_word_is_shortened_in_the_sentence_only():
    word = "z" * 300
    error = error_of(f"vul=ns {word}=1")
    assert error.word == word
    assert error.message.startswith(f"{'z' * (MAX_SHOWN - 1)}… is no word. ")


def test_a_query_has_at_most_a_thousand_characters():
    text = "level=1".ljust(MAX_CHARACTERS)
    assert parse(text) == parse("level=1")
    error = error_of(text + " ")
    assert (error.code, error.position, error.word) == ("too_long", MAX_CHARACTERS, "")
    assert error.message == "A query has at most 1,000 characters, and this one has 1,001."


@pytest.mark.parametrize("unit", ["level=1 ", "is:draft ", "-(vul=ns) "])
def test_a_query_has_at_most_fifty_conditions(unit):
    parse(unit * MAX_CONDITIONS)
    error = error_of(unit * (MAX_CONDITIONS + 1))
    assert (error.code, error.message) == ("too_many_conditions", "A query has at most 50 conditions.")
    assert error.position >= len(unit) * MAX_CONDITIONS


def test_each_value_counts_as_a_condition():
    board = ",".join(map(str, range(1, MAX_CONDITIONS + 1)))
    parse(f"board={board}")
    error = error_of(f"board={board},51")
    assert (error.code, error.word, error.position) == ("too_many_conditions", "51", len(f"board={board},"))


@pytest.mark.parametrize("bracket", ["(", "-("])
def test_brackets_stand_at_most_eight_deep(bracket):
    def nested(depth: int) -> str:
        return bracket * depth + "vul=ns" + ")" * depth

    parse(nested(MAX_DEPTH))
    parse(f"{nested(MAX_DEPTH)} {nested(MAX_DEPTH)}")
    error = error_of(nested(MAX_DEPTH + 1))
    assert (error.code, error.position) == ("too_deep", len(bracket) * (MAX_DEPTH + 1) - 1)
    assert error.message == "Brackets stand within one another at most 8 deep."


def test_a_hand_counts_as_a_bracket():
    inner = "(" * (MAX_DEPTH - 1) + "hcp=1" + ")" * (MAX_DEPTH - 1)
    parse(f"south({inner})")
    assert error_of(f"(south({inner}))").code == "too_deep"


@pytest.mark.parametrize("condition", ["any(cards=SAKQJT98765432HAKQJT98765432)", "-any(shape=xxxx)"])
def test_a_query_does_not_ask_for_too_much_at_once(condition):
    parse(f"{condition} " * 4)
    error = error_of(f"{condition} " * 12)
    assert (error.code, error.position, error.word) == ("too_many_conditions", 0, "")
    assert error.message == "This asks for too much at once: for more than 1,000 cards, shapes and other values."


def test_as_many_conditions_as_there_may_be_on_a_hand_of_each_kind_are_not_too_much():
    for holder in HOLDERS:
        parse(f"{holder}(hcp=9) " * MAX_CONDITIONS)
        parse(f"{holder}({'hcp=9 ' * MAX_CONDITIONS})")
