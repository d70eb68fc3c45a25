"""What is wrong with a text: the code, the sentence, and where the word stands."""

from typing import get_args

from search.language.parsing import MAX_CHARACTERS, MAX_CONDITIONS, MAX_DEPTH, MAX_SHOWN, Code, nearest
from search.language.words import BOARD_WORDS, HAND_WORDS, HOLDERS, SIDE_WORDS
from tests.search.language.known import error_of, parse

EXAMPLES = "Write one such as contract=4S, south(hcp>=15) or theme=stayman."
WORDS_OF_A_HAND = "spades, hearts, diamonds, clubs, hcp, controls, losers, aces, shape"
WORDS_OF_A_HAND += ", longest, shortest, cards, good or is"
HOLDER_NAMES = (
    "north, east, south, west, any, declarer, dummy, leader, dealer, opener, responder, overcaller, doubler, ns, ew"
)
HOLDER_NAMES += ", declarers or defenders"
NO_SUIT = "{} is not a suit. Write spades, hearts, diamonds or clubs."
NO_DATE = "{} is not a date. Write 2026, 2026-01 or 2026-01-05."
OF_A_HAND = "{} says nothing of south(…). Write a condition such as clubs>=5 or hcp>=15."

ERRORS: dict[Code, tuple[tuple[str, ...], ...]] = {
    "unknown_word": (
        ("«commentary»=x", 'Words of texts stand alone: finesse, or "safety play".'),
        ("«contrct»=4S", "«CONTRCT»=4S", "Unknown search word: {}. Did you mean contract?"),
        ("«qqq»(hcp>=15)", f"{{}} is not a seat. Write one of {HOLDER_NAMES}."),
        ("«sort»=top", "Sorting is not part of the search. Use sort=top."),
        ("south(«qq»=1)", f"Unknown search word: {{}}. Write one of {WORDS_OF_A_HAND}."),
        ("«suoth»(hcp>=15)", "{} is not a seat. Did you mean south?"),
    ),
    "no_seat": (
        ("«hcp»>=15", "Name the hand: south({}>=15)."),
        ("vul=ns level=1 «fit»>=8", "Name the side: ns(fit>=8)."),
    ),
    "bad_value": (
        *(("auction*=1N-«»-2C", "A call is missing here: auction^=1N-P-2C."), ("auction^=1N-«Z»", "{} is not a call.")),
        ("contract=«8S»", "contract=«4»", "{} is not a contract. Write one such as 4S, 3NT, 4SX or Pass."),
        ("date<«0001»", "No date is <0001."),
        ("date=«2026-13»", "date=«2026-00»", "date=«2026-02-30»", NO_DATE),
        *(("date=«2026..2025»", "{} runs backwards. Write 2025..2026."), ("date=«20261120»", "date=«0000»", NO_DATE)),
        ("date>«9999»", "No date is >9999."),
        ("dealer=«q»", "{} is not a seat. Write north, east, south, west, ns or ew."),
        ("dealer=«suoth»", "{} is not a seat. Did you mean south?"),
        ('event="«…»"', "site=«?»", "{} has neither a letter nor a digit."),
        ("is:«makable»", "{} is not a state of a board. Did you mean makeable?"),
        *(("lead=«10h»", "Write the suit first: HT."), ("lead=«KH»", "Write the suit first: HK.")),
        *(
            ("lead=«SAK»", "lead is one card: lead=HK."),
            ("south(good=«x»)", NO_SUIT),
            ("level=«..»", "A range needs at least one end: level>=6."),
        ),
        *(("level=2..«9»", "level is a number from 0 to 7."), ("level=«3..2»", "{} runs backwards. Write 2..3.")),
        ("level=«x»", "level=«1.5»", "votes=«many»", "{} is not a whole number."),
        ("makes=4S:«»", '"" is not a seat. Write north, east, south, west, ns or ew.'),
        ("makes=4S:«nrth»", "{} is not a seat. Did you mean north?"),
        ("makes=«4SX»", "Write a bid, and by whom: makes=6S:ns."),
        *(("opening=«X»", "{} is not a bid. Write one such as 1N."), ("owner=«é»", "{} is not an account's id.")),
        *(
            ("result=«-14»", "result is a number from -13 to 6."),
            ("room=«opne»", "{} is not a room. Did you mean open?"),
        ),
        ("south(cards=«SZ»)", "{} is not a card. Write the suit, then the ranks: SAKQ."),
        ("south(hcp>=«41»)", "hcp is a number from 0 to 37."),
        ("south(shape=«533»)", "south(shape=«5=332»)", "{} is not a shape. Write 5332, 5=3=3=2, 54xx or 10-2-1-0."),
        ("south(shape=«5331»)", "A hand has 13 cards, and {} has 12."),
        ("south(shape=«5333»)", "south(shape=«77xx»)", "A hand has 13 cards, and {} has 14."),
        ("split=«7»", "split=«8-6»", "{} is not a split of a suit. Write two lengths, of 13 cards at most: split=4-3."),
        ("vul=«me»", "{} is not a vulnerability. Write none, ns, ew, all, declarer or defence."),
        ('vul=ns «"…"»', f"{{}} has neither a letter nor a digit. {EXAMPLES}"),
    ),
    "not_closed": (("«(»vul=ns", "south«(»hcp=1", 'theme=«"»stayman', "This {} is never closed."),),
    "wrong_place": (
        ("any(«ns»(hcp>=25))", "{} cannot stand within any(…): write one after the other."),
        ("ns(«shape»=5332)", "Name the hand: south({}=5332)."),
        ("south(«fit»>=8)", "Name the side: ns(fit>=8)."),
        ("south(hcp>=15 «squeeze»)", OF_A_HAND),
        ("south(«vul»=ns)", "{} is about the board: write it outside these brackets."),
    ),
    "syntax": (
        ("«-» vul=ns", "«-»-vul=ns", "(vul=ns «-»)", "Write - directly before a condition or a bracket."),
        ("«=»5", "Write without spaces what = compares: contract=4S, south(hcp>=15)."),
        ("«contract»(level=1)", "{} has no brackets: contract=4S,4H."),
        ("«fit»(aces=1)", "{} belongs in the brackets of a side: ns(fit>=9)."),
        ("«hcp»(aces=1)", "{} belongs in the brackets of a hand: south(hcp>=15)."),
        ("hcp(south)«>=»15", "Compare within the brackets: south(hcp>=15)."),
        ("level«!=»5", "{} is not an operator. Write = and a - before the condition: -contract=4S."),
        ("level=« »5", "level=«»", "level=1,«»", "A value is missing here."),
        ("level=1 «()»", "These brackets are empty."),
        ("level=1«(»vul=ns)", 'vul="ns"«x»', "This {} needs a space before it."),
        *(
            ("level«==»5", "{} is not an operator. Did you mean =?"),
            ("level«=>»5", "{} is not an operator. Did you mean >=?"),
        ),
        ("level«^»5", "{} is not an operator. Write one of = >= <= > < ^= *= :"),
        ("«OR» vul=ns", "vul=ns «OR»", "vul=ns «OR» OR level=1", "{} belongs between two conditions."),
        *(
            ("«south»()", "Put a condition in the brackets: south(…)."),
            ("«south»>=15", "Put a condition in the brackets: south(hcp>=15)."),
        ),
        ("vul=ns«)»", "This {} was never opened."),
    ),
    "wrong_operator": (
        ("auction«>»1N", "auction takes ^=, *= or =: auction^=1N-P-2C."),
        ("contract«>=»4S", "contract takes =: contract=4S,4H."),
        ("level«>»1,2", "{} compares with one value: level>=6."),
        ("level>=«2..3»", "A range goes after =. Write level=2..3."),
    ),
    "unknown_name": (
        ("system=«acll»", "No auction system is called {}. Did you mean acol?"),
        *(('theme="«»"', 'No theme is called "".'), ("theme=«qqq»", "No theme is called {}.")),
        ("theme=«staymn»", "theme=«Stayman»", "No theme is called {}. Did you mean stayman?"),
        ("type=«conventoin»", "No theme type is called {}. Did you mean convention?"),
    ),
}
"""Texts with the word in marks at which they are wrong, and the sentence in which {} stands for the word, by code."""


def unmarked(text: str) -> str:
    return text.replace("«", "").replace("»", "")


def test_an_error_says_what_is_wrong_and_where():
    for code, rows in ERRORS.items():
        for *texts, sentence in rows:
            for marked in texts:
                error, word = error_of(unmarked(marked)), marked[marked.index("«") + 1 : marked.index("»")]
                assert (error.code, error.word, error.position) == (code, word, marked.index("«")), marked
                assert error.message == sentence.format(word), marked


def test_every_code_is_met_by_a_test():
    elsewhere = {"too_long", "too_many_conditions", "too_deep", "not_signed_in"}
    elsewhere |= {
        "draft",
        "too_many_texts",
        "too_many_auctions",
        "too_many_tables",
        "too_much_work",
    }  # of what is found
    assert {*ERRORS} | elsewhere == set(get_args(Code))


def test_an_unknown_word_is_told_which_words_there_are():
    *most, last = BOARD_WORDS
    message = f"Unknown search word: qq. Write one of {', '.join(most)} or {last}."
    assert error_of("qq=1").message == message
    assert set(HOLDERS) == set(HOLDER_NAMES.replace(" or ", ", ").split(", "))


NEAR = (
    *("dealr dealer", "delaer dealer", "DEALR dealer", "hpc hcp", "theem theme", "thme theme", "leed lead"),
    *("sites site", "spads spades", "heart hearts", "auct auction", "scor score", "dificulti difficulty"),
    "declarrlots declarerlost",
)
"""A word, and the one that is meant."""
STRANGE = ("player", "suit", "section", "round", "title", "seet", "day", "qq")


def test_a_suggestion_is_near_or_absent():
    words = [*BOARD_WORDS, *HAND_WORDS, *SIDE_WORDS]
    assert [f"{pair.split()[0]} {nearest(pair.split()[0], words)}" for pair in NEAR] == [*NEAR]
    assert {word: nearest(word, words) for word in STRANGE} == dict.fromkeys(STRANGE)
    assert nearest("suit", ["site", "suit"]) == "suit"
    assert "Did you mean" not in error_of("player=1").message


def test_a_long_word_is_shortened_in_the_sentence_only():
    word = "z" * 300
    error = error_of(f"vul=ns {word}=1")
    assert error.word == word
    assert error.message.startswith(f"Unknown search word: {'z' * (MAX_SHOWN - 1)}…. ")


def test_a_query_has_at_most_a_thousand_characters():
    text = "level=1".ljust(MAX_CHARACTERS)
    assert parse(text) == parse("level=1")
    error = error_of(text + " ")
    assert (error.code, error.position, error.word) == ("too_long", MAX_CHARACTERS, "")
    assert error.message == "A query has at most 1,000 characters, and this one has 1,001."


def test_a_query_has_at_most_fifty_conditions_and_each_value_counts_as_one():
    for unit in ("level=1 ", "is:draft ", "-(vul=ns) "):
        parse(unit * MAX_CONDITIONS)
        error = error_of(unit * (MAX_CONDITIONS + 1))
        assert (error.code, error.message) == ("too_many_conditions", "A query has at most 50 conditions.")
        assert error.position >= len(unit) * MAX_CONDITIONS, unit
    board = f"board={','.join(map(str, range(1, MAX_CONDITIONS + 1)))}"
    parse(board)
    error = error_of(f"{board},51")
    assert (error.code, error.word, error.position) == ("too_many_conditions", "51", len(f"{board},"))


def test_brackets_and_hands_stand_at_most_eight_deep():
    def nested(bracket: str, depth: int, condition: str = "vul=ns") -> str:
        return bracket * depth + condition + ")" * depth

    for bracket in ("(", "-("):
        parse(f"{nested(bracket, MAX_DEPTH)} {nested(bracket, MAX_DEPTH)}")
        error = error_of(nested(bracket, MAX_DEPTH + 1))
        assert (error.code, error.position) == ("too_deep", len(bracket) * (MAX_DEPTH + 1) - 1)
        assert error.message == "Brackets may be nested 8 deep."
    hand = f"south({nested('(', MAX_DEPTH - 1, 'hcp=1')})"
    parse(hand)
    assert error_of(f"({hand})").code == "too_deep"


def test_a_query_does_not_ask_for_too_much_at_once():
    for condition in ("any(cards=SAKQJT98765432HAKQJT98765432)", "-any(shape=xxxx)"):
        parse(f"{condition} " * 4)
        error = error_of(f"{condition} " * 12)
        assert (error.code, error.position, error.word) == ("too_many_conditions", 0, ""), condition
        assert error.message == "This asks for too much at once: for more than 1,000 cards, shapes and other values."
    for holder in HOLDERS:  # as many conditions as there may be
        parse(f"{holder}(hcp=9) " * MAX_CONDITIONS)
        parse(f"{holder}({'hcp=9 ' * MAX_CONDITIONS})")
