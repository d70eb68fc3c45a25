"""What texts mean: the condition of each, or another text that means the same, and the parts that a page shows."""

from typing import Any

import pytest

from search.conditions import (
    EVERY_BOARD,
    AllOf,
    AnyOf,
    Bid,
    Compared,
    Condition,
    Not,
    OneOf,
    Tagged,
    Votes,
    Words,
)
from search.facts import FACTS, Choice, Number
from search.language.parsing import QueryError
from search.language.understanding import understand
from search.language.words import BOARD_WORDS, HAND_WORDS, HOLDERS, SIDE_WORDS
from tests.search.language.known import LABELS, TODAY, between, error_of, one_of, parse
from tests.search.plain import PlainBoard

NUMBERS: tuple[tuple[Any, ...], ...] = (
    *(("level=6", "level", 6, 6), ("level>=6", "level", 6, None), ("level>6", "level", 7, None)),
    *(("level<6", "level", None, 5), ("level<=6", "level", None, 6), ("level=2..4", "level", 2, 4)),
    *(("level=2..", "level", 2, None), ("level=..4", "level", None, 4), ("result=-1", "result", -1, -1)),
    *(("result<0", "result", None, -1), ("result=-2..-1", "result", -2, -1), ("score>=400", "score", 400, None)),
    *(("par<=-400", "par", None, -400), ("tricks=13", "tricks", 13, 13), ("calls>=12", "calls", 12, None)),
    *(("board=1..16", "board", 1, 16), ("contract=Pass", "level", 0, 0)),
    *(("makes=4H:south", "south.makes.H", 10, None), ("date=2026..", "playedFrom", 20260101, None)),
    *(("date=..2026", "playedTo", None, 20269999), ("date>=2026-02", "playedFrom", 20260201, None)),
    *(("date>2026-02", "playedFrom", 20260301, None), ("date<2026-03", "playedTo", None, 20260299)),
    *(("date<=2026-03", "playedTo", None, 20260399), ("is:passedout", "level", 0, 0)),
    *(("south(hcp=12..14)", "south.hcp", 12, 14), ("west(aces=4)", "west.aces", 4, 4)),
    *(("is:made", "result", 0, None), ("is:down", "result", None, -1), ("is:slam", "level", 6, None)),
    *(("againstpar>=100", "againstpar", 100, None), ("ew(losers<=14)", "ew.losers", None, 14)),
)
"""Texts with the number that they compare, and the least and the greatest that is meant."""

CHOICES = (
    *(("denomination=hearts,notrump", "denomination", "H NT"), ("doubled=X", "doubled", "X")),
    *(("declarer=south", "declarer", "S"), ("declarer=ew", "declarer", "E W"), ("dealer=N,east", "dealer", "N E")),
    *(("opener=north", "opener", "N"), ("lead=HK", "lead", "HK"), ("lead=H10,ht,c2", "lead", "HT C2")),
    *(("opening=1NT,2c", "opening", "1N 2C"), ("vul=both", "vulnerability", "All")),
    *(("vul=none,ns", "vulnerability", "None NS"), ("room=closed", "room", "Closed")),
    *(("difficulty=beginner", "difficulty", "beginner"), ("is:doubled", "doubled", "X XX")),
    *(("is:redoubled", "doubled", "XX"), ("south(shape=2533)", "south.shape", "5332")),
    *(("is:unmakeable", "makeable", "no"), ("south(is:balanced)", "south.shape", "4333 4432 5332")),
    ("lead=s,HK", "lead", " ".join(f"S{rank}" for rank in "AKQJT98765432") + " HK"),
    *(("south(shape=54xx)", "south.shape", "5422 5431 5440"), ("south(shape=x55x)", "south.shape", "5521 5530")),
    ("split=4-3,3-5", "split", "4-3 5-3"),
    ("south(shape=0-10-2-1)", "south.shape", "10-2-1-0"),
    ("south(shape=10-x-x-x)", "south.shape", "10-1-1-1 10-2-1-0 10-3-0-0"),
)
"""Texts with the choice that they compare, and the values that are meant."""

TAGS = (
    *(("theme=stayman", "theme:t1 theme:t2"), ('theme="Squeeze",stayman', "theme:t3 theme:t1 theme:t2")),
    ("system=sayc", "auctionSystem:5"),
    ("event=friday-pairs-0123456789", "event:friday-pairs-0123456789 eventName:friday-pairs-0123456789"),
    *(('site="Zürich, Altstadt"', "siteName:zurich-altstadt"), ("owner=me", "userId:ada")),
    *(("owner=auth0|5", "userId:auth0|5"), ("is:competitive", "is:competitive"), ("is:draft", "is:draft")),
)
NEW_TAGS = (
    *(('team="The  Hawks"', "teamName:the-hawks"), ("table=A3,4", "tableName:a3 tableName:4")),
    *(("stage=Final", "stageName:final"), ('scoring="IMP;Cross"', "scoringName:imp-cross")),
    ("is:alerted", "is:alerted"),
)
"""Texts with the tags one of which a board has."""

SEATS = ("north", "east", "south", "west")
SUITS = {"spades": 5, "hearts": 3, "diamonds": 3, "clubs": 2}
LEVEL_1, NORTH_DEALS = between("level", 1, 1), one_of("dealer", "N")


def by_declarer(*conditions: Condition) -> Condition:
    """Return what is asked when North, East, South and West declare."""
    pairs = zip("NESW", conditions, strict=True)
    return AnyOf(tuple(AllOf((one_of("declarer", declarer), condition)) for declarer, condition in pairs))


def of_west(low: int | None, high: int | None) -> tuple[Condition, ...]:
    return tuple(between(f"west.{suit}", low, high) for suit in SUITS)


MEANINGS: dict[str, Condition] = {
    **{text: between(*bounds) for text, *bounds in NUMBERS},
    **{text: Tagged((*tags.split(),)) for text, tags in TAGS},
    **{text: Tagged((*tags.split(),), since=5) for text, tags in NEW_TAGS},
    **{text: one_of(name, *values.split()) for text, name, values in CHOICES},
    "": EVERY_BOARD,
    "  \t\n": EVERY_BOARD,
    "level=1,5..6": AnyOf((between("level", 1, 1), between("level", 5, 6))),
    "contract=4S": AllOf((between("level", 4, 4), one_of("denomination", "S"))),
    "contract=3N": AllOf((between("level", 3, 3), one_of("denomination", "NT"))),
    "contract=4HX": AllOf((between("level", 4, 4), one_of("denomination", "H"), one_of("doubled", "X"))),
    "contract=4HXX": AllOf((between("level", 4, 4), one_of("denomination", "H"), one_of("doubled", "XX"))),
    "contract=1C,Pass": AnyOf((AllOf((between("level", 1, 1), one_of("denomination", "C"))), between("level", 0, 0))),
    "auction^=1N-P-2C": Bid("1N-P-2C", from_the_start=True),
    "auction*=2C-X": Bid("2C-X", from_the_start=False),
    "auction*=1nt-pass-xx,X": AnyOf((Bid("1N-P-XX", from_the_start=False), Bid("X", from_the_start=False))),
    "auction^=?-1N-?": Bid("?-1N-?", from_the_start=True),
    "auction=1S-P-P-P": AllOf((Bid("1S-P-P-P", from_the_start=True), between("calls", 4, 4))),
    "makes=6S:ns": AnyOf((between("north.makes.S", 12), between("south.makes.S", 12))),
    "makes=3N": AnyOf(tuple(between(f"{seat}.makes.NT", 9) for seat in SEATS)),
    "type=convention": Tagged(("theme:t1", "theme:t2")),
    'event="Friday  Pairs"': Tagged(("event:Friday  Pairs", "eventName:friday-pairs")),
    "votes>=3": Votes(3, None),
    "imps<=-8": Compared("imps", None, -8),
    "swing>10": Compared("swing", 11, None),
    "votes=-2..0": Votes(-2, 0),
    "squeeze": AnyOf((Tagged(("theme:t3",)), Words("squeeze"))),
    "unheard-fine": Words("unheard fine"),
    '"Safety play!"': Words("safety play"),
    "Müller's": Words("muller s"),
    'level=7 -"hcp"': AllOf((between("level", 7, 7), Not(Words("hcp")))),
    "date=2026": AllOf((between("playedFrom", 20260101), between("playedTo", None, 20269999))),
    "date=2026-02": AllOf((between("playedFrom", 20260201), between("playedTo", None, 20260299))),
    "date=2026-01-05": AllOf((between("playedFrom", 20260105), between("playedTo", None, 20260105))),
    "date=2025..2026-06": AllOf((between("playedFrom", 20250101), between("playedTo", None, 20260699))),
    "-is:makeable": Not(one_of("makeable", "yes")),
    "north(cards=SAKQ)": AllOf(tuple(one_of(f"holder.{card}", "N") for card in ("SA", "SK", "SQ"))),
    "east(cards=sah10)": AllOf((one_of("holder.SA", "E"), one_of("holder.HT", "E"))),
    "south(shape=5=3=3=2)": AllOf(tuple(between(f"south.{suit}", *[cards] * 2) for suit, cards in SUITS.items())),
    "south(shape=5=x=X=1)": AllOf((between("south.spades", 5, 5), between("south.clubs", 1, 1))),
    "ns(hcp=25..27 fit>=9 hearts>=8)": AllOf(
        (between("ns.hcp", 25, 27), between("ns.fit", 9), between("ns.hearts", 8))
    ),
    "openerseat>=3": AnyOf(
        tuple(
            AllOf((one_of("dealer", dealer), one_of("opener", *openers)))
            for dealer, openers in zip("NESW", ("SW", "WN", "NE", "ES"), strict=True)
        )
    ),
    "west(longest=6)": AllOf((AnyOf(of_west(6, None)), *of_west(None, 6))),
    "west(shortest>=2)": AllOf(of_west(2, None)),
    "makes=grand:north": AnyOf(tuple(between(f"north.makes.{each}", 13) for each in ("C", "D", "H", "S", "NT"))),
    "declarers(fit=7)": AnyOf(
        (
            AllOf((one_of("declarer", "N", "S"), between("ns.fit", 7, 7))),
            AllOf((one_of("declarer", "E", "W"), between("ew.fit", 7, 7))),
        )
    ),
    "any(hcp>=20)": AnyOf(tuple(between(f"{seat}.hcp", 20) for seat in SEATS)),
    "any(spades>=5 hearts>=4 hcp=15..17)": AnyOf(
        tuple(
            AllOf((between(f"{seat}.spades", 5), between(f"{seat}.hearts", 4), between(f"{seat}.hcp", 15, 17)))
            for seat in SEATS
        )
    ),
    "dummy(hcp=0)": by_declarer(*(between(f"{seat}.hcp", 0, 0) for seat in ("south", "west", "north", "east"))),
    "leader(-hcp=0)": by_declarer(*(Not(between(f"{seat}.hcp", 0, 0)) for seat in ("east", "south", "west", "north"))),
    "level=1 dealer=N OR vul=ns": AnyOf((AllOf((LEVEL_1, NORTH_DEALS)), one_of("vulnerability", "NS"))),
    "level=1 (dealer=N OR vul=ns)": AllOf((LEVEL_1, AnyOf((NORTH_DEALS, one_of("vulnerability", "NS"))))),
    "-(level=1 dealer=N)": Not(AllOf((LEVEL_1, NORTH_DEALS))),
}

SAME = (
    *(("theme:stayman", "theme=stayman"), ("Contract:4s", "contract=4S"), ("SOUTH(HCP>=15)", "south(hcp>=15)")),
    *(("level=1 ( level=2)", "level=1 level=2"), ("(level=1)(level=2)", "level=1 level=2")),
    *(("contract=4S,4H", "contract=4S OR contract=4H"), ("vul=ns OR vul=all", "vul=ns,all"), ("level=1,1", "level=1")),
    *(("level=1 OR(level=2)", "level=1,2"), ("doubled=no", "doubled=NO"), ("vul=all", 'vul="Both"')),
    *(("declarer(hcp<9) declarer(aces=0)", "declarer(aces=0) declarer(hcp<9)"), ("makes=3NT", "makes=3N:ns,3N:ew")),
    *(("north(shape=54xx)", "north(shape=x4x5)"), ("north(cards=SA cards=SK)", "north(cards=SAK)")),
    ("any(spades>=5 hearts>=4)", "any( spades>=5\thearts>=4 )"),
    *(("vul=declarer", "declarer=ns vul=ns,all OR declarer=ew vul=ew,all"), ("vul=both", "vul=all")),
    ("vul=defence", "declarer=ns vul=ew,all OR declarer=ew vul=ns,all"),
    ("lead=trump", " OR ".join(f"denomination={suit} lead={suit}" for suit in "SHDC")),
    *(("north(good=hearts)", "north(cards=HAK OR cards=HAQ OR cards=HKQ)"), ("is:game,slam", "is:slam OR is:game")),
    *(("is:game", "contract=3NT OR level=4 denomination=H,S,NT OR level=5"), ("lead=h", "lead=H")),
    ("is:balanced", " ".join(f"{seat}(is:balanced)" for seat in SEATS)),
    ("makes=game:east", "makes=3N:east,4S:east,4H:east,5D:east,5C:east"),
    ("makes=slam:west", "makes=6C:west,6D:west,6H:west,6S:west,6N:west"),
)


def test_a_text_means_a_condition():
    assert {text: parse(text) for text in MEANINGS} == MEANINGS


def test_two_texts_mean_the_same():
    assert [pair for pair in SAME if meant(parse(pair[0])) != meant(parse(pair[1]))] == []


def meant(condition: Condition) -> object:
    """Return the condition without the order of its parts."""
    match condition:
        case AllOf(parts=parts) | AnyOf(parts=parts):
            return type(condition), frozenset(map(meant, parts))
        case Not(part=part):
            return Not, meant(part)
        case OneOf(fact=fact, values=values):
            return fact, frozenset(values)
        case _:
            return condition


def known(values: dict[str, int | str]) -> PlainBoard:
    """Return a board of which only these facts are known."""
    board = object.__new__(PlainBoard)
    board.values = {**dict.fromkeys(FACTS), **values}
    board.tags = set()
    board.calls = ""
    return board


def test_a_relative_hand_is_that_of_the_seat_that_is_meant():
    hcp = {"west.hcp": 1, "east.hcp": 2, "north.hcp": 3, "south.hcp": 4}
    board = known({"declarer": "W", "opener": "N", "overcaller": "E", "doubler": "S", **hcp})
    assert board.meets(parse("declarer(hcp=1) dummy(hcp=2) leader(hcp=3) opener(hcp=3)"))
    assert board.meets(parse("responder(hcp=4) overcaller(hcp=2) doubler(hcp=4)"))
    assert not board.meets(parse("declarer(hcp=2)"))
    assert not known({"west.hcp": 1}).meets(parse("declarer(hcp=1)"))


def test_a_condition_on_something_unknown_is_false_and_its_negation_true():
    board = known({})
    for text in ("result<0", "makes=3N", "is:makeable", "date<2027", "contract=4S", "score>=-7600", "is:doubled"):
        assert not board.meets(parse(text)), text
        assert board.meets(parse(f"-{text}")), text


def test_every_word_has_an_example_that_begins_with_it():
    examples = {word.example: word for word in BOARD_WORDS.values()}
    for holder, words in (("north", HAND_WORDS), ("ew", SIDE_WORDS)):
        examples |= {f"{holder}({word.example})": word for word in words.values()}
    assert [text for text, word in examples.items() if not word.example.startswith(word.name)] == []
    texts = (*examples, *(holder.example for holder in HOLDERS.values()))
    assert [text for text in texts if parse(text) == EVERY_BOARD] == []


def test_each_choice_of_a_word_can_be_written():
    choices = [f"{word.name}={name}" for word in BOARD_WORDS.values() for name in word.reader.choices]
    assert [text for text in choices if parse(text) == EVERY_BOARD] == []


def test_each_number_and_choice_can_be_asked_for():
    """Find a fact that no word reaches. Those of makes and cards are reached by their own notation."""
    texts = [f"any({name}=0..)" for name in SUITS]
    texts += ["any(hcp=0.. controls=0.. losers=0.. aces=0.. shape=xxxx)"]
    for side in ("ns", "ew"):
        texts += [
            f"{side}(hcp=0.. fit=7.. controls=0.. losers=0.. aces=0.. spades=0.. hearts=0.. diamonds=0.. clubs=0..)"
        ]
    texts += [f"any(cards={suit}AKQJT98765432)" for suit in "SHDC"]
    texts += [f"makes=1{denomination}" for denomination in ("C", "D", "H", "S", "N")]
    texts += [word.example for word in BOARD_WORDS.values()]
    texts += [holder.example for holder in HOLDERS.values()]
    reached = {fact.name for text in texts for fact in facts_of(parse(text))}
    calls = {name for name in FACTS if name.startswith("call.")}  # of Bid
    assert set(FACTS) - reached == {"updated", "notation", "fit", *calls}  # fit is that of ns or ew, for the counts


def facts_of(condition: Condition) -> set[Number | Choice]:
    match condition:
        case AllOf(parts=parts) | AnyOf(parts=parts):
            return {fact for part in parts for fact in facts_of(part)}
        case Not(part=part):
            return facts_of(part)
        case Tagged() | Bid() | Words() | Compared() | Votes():
            return set()
        case _:
            return {condition.fact}


def test_me_is_nobody_for_a_stranger():
    error = error_of("vul=ns owner=me", account_id=None)
    assert (error.code, error.position, error.word) == ("not_signed_in", 13, "me")
    assert error.message == "Log in to search for your own boards."


SPLIT = {
    "": [],
    "vul=ns": ["vul=ns"],
    " vul=ns   -is:makeable ": ["vul=ns", "-is:makeable"],
    "any(spades>=5 hcp=15) contract=4S,4H": ["any(spades>=5 hcp=15)", "contract=4S,4H"],
    "(vul=ns OR vul=all) level=1": ["(vul=ns OR vul=all)", "level=1"],
    "vul=ns level=1 OR level=2": ["vul=ns level=1 OR level=2"],
    '-(vul=ns level=1)theme="a b"': ["-(vul=ns level=1)", 'theme="a b"'],
    'nonsense "in quotes"': ["nonsense", '"in quotes"'],
}


def test_a_query_is_split_where_spaces_join_it():
    for text, parts in SPLIT.items():
        found = understand(text, LABELS, TODAY).parts
        assert [text[part.start : part.end] for part in found] == parts, text


def test_what_is_no_query_has_no_chips():
    with pytest.raises(QueryError) as error:
        understand("level=1 (vul=ns", LABELS, TODAY)
    assert error.value.code == "not_closed"
