"""A text's words to its parts, which make one query of the search language.

Parts are read from left to right, each as the longest phrase that begins there. Words that say nothing are dropped, and
what is left over is looked for in texts.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

from boards.search.phrases.names import vocabulary_of
from boards.search.phrases.parts import OF_A_HAND, Part, declared_by, doubted, face, is_vague, write_query
from boards.search.phrases.patterns import Match, Phrase, Scope, Vocabulary
from boards.search.phrases.slots.amounts import NUMBERS
from boards.search.phrases.slots.calls import write_contract
from boards.search.phrases.slots.names import STRAINS, SUITS
from boards.search.phrases.table import PHRASES
from boards.search.phrases.words import EMPTY, SKIPPED, Token, tokenise
from boards.search.words import fold_words
from themes.labels import LabelCache

NOT_WORDS = """
    not no without never except excluding didnt doesnt dont isnt wasnt arent cant couldnt wont wouldnt
    nicht kein keine ohne pas non
"""
NOT = frozenset(NOT_WORDS.split())
OR = frozenset(("or", "oder", "ou"))
BEHIND = frozenset(["in", "by", "with", "for", "at", "from", "between"])
"""Words before a hand whose conditions stand before it: a void with South."""

WITH = frozenset(["with", "on", "holding", "having", "mit", "avec", "con", "met", "z", "med"])
"""What follows one of these behind a phrase is about the hand of its subject: opened 1NT with 12 points."""
NAMES_OF = {"declarers": "declarer’s side"}
"""Subjects as a meaning says them, where that is not the word of the language."""
ACTING = frozenset(("opener", "overcaller", "doubler"))
"""Whose hand is meant without such a word, too: overcall on a six-card suit."""
OTHER_VALUES = {"suit": SUITS, "strain": STRAINS}
OPPOSITE = frozenset(("opposite", "facing"))
"""Between conditions of two hands, those of a partnership: 15-17 balanced opposite a void."""
REFERRING = frozenset(("them", "these", "those"))
"""Behind "of", the suit that was named last: good spades, six of them."""
BEFORE_CONTRACT = frozenset(["in", "against", "play", "played", "bid", "contract"])
MAX_LEFTOVER = 8
"""The words that are looked for in texts. More are dropped: nothing typed in words is refused."""

PLAYED_BY = frozenset(("north", "east", "south", "west", "ns", "ew"))


class WordReader:
    """Reads the words of a text one after the other, and remembers whose hand they are about.

    A phrase that makes no query, such as one of 45 points, is looked for in texts: `can_answer` tells. `subject` is of
    whom the last phrase speaks, `hand` where the conditions begin that may be about one hand still, and `facing` where
    those of its partner do.
    """

    def __init__(self, text: str, labels: LabelCache, today: date, can_answer: Callable[[str], bool]) -> None:
        self.text = text
        self.labels = labels
        self.today = today
        self.can_answer = can_answer
        self.parts: list[Part] = []
        self.holder = "", ""
        self.is_negated = self.is_alternative = False
        self.subject = ""
        self.hand = self.facing = 0

    def read(self, start: int, end: int) -> list[Part]:
        """Return what the words of a piece of the text mean."""
        tokens = name_suits(tokenise(self.text[start:end], start))
        self.subject, self.hand = "", 0
        for each in choose_contracts(find_phrases(tokens, vocabulary_of(self.labels)), tokens):
            if isinstance(each, Match):
                self.read_phrase(each, tokens)
            else:
                self.read_word(each, tokens)
        if any(part.match and part.match.phrase.subject == "declarers" for part in self.parts):
            self.hold_by("declarers", self.parts, Scope.SIDE)
        self.play_by_holder()
        parts = face(self.parts, self.facing)
        if not any(part.match for part in parts):
            return parts
        return [doubted(part) if part.is_leftover else part for part in parts if not is_vague(part)]

    def read_phrase(self, match: Match, tokens: Sequence[Token]) -> None:
        if match.phrase.scope is Scope.HAND and self.subject in ACTING:
            self.holder = self.subject, self.subject
        self.subject = match.phrase.subject.format(**match.values)
        if self.subject == "opener":  # 20 points opened 2C
            self.hold_by(self.subject, self.parts[self.hand :], Scope.HAND)
        if earlier := self.earlier_value(match):
            self.parts.pop()
            self.is_alternative = False
            self.add_match(earlier, tokens)
            self.is_alternative = True
        self.add_match(match, tokens)
        self.hand = self.hand if match.phrase.scope is Scope.HAND else len(self.parts)

    def read_word(self, token: Token, tokens: Sequence[Token]) -> None:
        """Read a word between phrases: it joins them, turns them round, is another value, or is looked for in texts."""
        word = token.word
        if word in WITH and self.subject:
            self.holder = self.subject, NAMES_OF.get(self.subject, self.subject)
        elif word in NOT:
            self.is_negated = True
        elif word in OPPOSITE:
            self.facing = len(self.parts)
        elif word in OR:
            self.is_alternative = True
        elif alternative := self.other_value(token):
            self.add_match(alternative, tokens)
        elif word not in EMPTY:
            self.add_leftover(token)
        elif word not in SKIPPED:
            self.is_alternative = False  # "or more" is no alternative
        self.subject = self.subject if word in SKIPPED or word in NOT else ""
        self.hand = self.hand if word in (*SKIPPED, "and") else len(self.parts)

    def other_value(self, token: Token) -> Match | None:
        """Return the phrase before "or" once more, with the suit that stands behind: void in ♥ or ♠."""
        last = self.parts[-1].match if self.parts and self.is_alternative else None
        return with_suit(last, token.word) if last else None

    def earlier_value(self, match: Match) -> Match | None:
        """Return the phrase behind "or" once more, with the suit that stands before: heart or spade lead."""
        last = self.parts[-1] if self.parts and self.is_alternative else None
        return with_suit(match, last.query.strip('"')) if last and last.is_leftover else None

    def play_by_holder(self) -> None:
        """Take a seat or a side of which nothing is said as who played the contract: 6NT East, EW went down."""
        holder, name = self.holder
        played = [part for part in self.parts if part.match and part.match.phrase.subject == "declarers"]
        is_said = any(part.holder == holder or "declarer=" in part.query for part in self.parts)
        if holder in PLAYED_BY and played and not is_said:
            self.parts[self.parts.index(played[-1])] = declared_by(played[-1], holder, name)

    def hold_by(self, holder: str, parts: Sequence[Part], scope: Scope) -> None:
        """Take those of these parts that are about nobody's hand yet, or about no side's, as the holder's."""
        held = [part for part in parts if part.scope is scope and not part.holder]
        name = NAMES_OF.get(holder, holder)
        self.parts = [part.held_by(holder, name) if part in held else part for part in self.parts]

    def add_match(self, match: Match, tokens: Sequence[Token]) -> None:
        phrase, start, end = match.phrase, tokens[match.start].start, tokens[match.end - 1].end
        query, meaning = phrase.write(match.values, self.today), phrase.explain(match.values)
        if phrase.scope is Scope.HOLDER:
            before = [token.word for token in tokens[max(match.start - 1, 0) : match.start + 1]]
            self.set_holder(query, meaning, next((word for word in before if word in BEHIND), ""))
            return
        if phrase.theme and self.labels.theme_ids_named(phrase.theme):
            either_way = f"({query} OR theme={phrase.theme})", f"{meaning}, or this theme"
            query, meaning = either_way if query else (f"theme={phrase.theme}", meaning)
        if self.is_negated:
            is_one = " " not in query and not query.startswith(("-", "~"))
            query, meaning = f"-{query}" if is_one else f"-({query})", f"not: {meaning}"
        part = Part(start, end, query, meaning, match)
        if phrase.scope in OF_A_HAND:
            part = part.held_by(*self.holder)
        if query and self.can_answer(write_query([part])):
            self.add(part)
        else:
            for token in tokens[match.start : match.end]:
                if token.word not in EMPTY:
                    self.add_leftover(token)

    def set_holder(self, holder: str, name: str, before: str) -> None:
        """Take whose hand is meant: of the conditions before it, or of those that follow; or who played a contract.

        `before` is the word that stands before it, if it is one of BEHIND.
        """
        behind = [part for part in self.parts if part.scope in OF_A_HAND and not part.holder]
        last = self.parts[-1] if self.parts else None
        if before == "by" and last and last.match and last.scope is Scope.BOARD and holder in PLAYED_BY:
            self.parts[-1] = declared_by(last, holder, name)
        elif before in BEHIND and behind and self.parts[-1] is behind[-1]:
            self.parts = [part.held_by(holder, name) if part in behind else part for part in self.parts]
        else:
            self.holder = holder, name

    def add_leftover(self, token: Token) -> None:
        """Add a word to look for in texts, behind the one before it where a hyphen joins them.

        A number says nothing alone beside phrases: round 3, but not 3.
        """
        start, last = token.start, self.parts[-1] if self.parts else None
        if last and last.match and (token.word in NUMBERS or token.word.strip("+-").isdecimal()):
            return
        if last and last.is_leftover and not re.search(r"\s", self.text[last.end : start]):
            start = self.parts.pop().start
        if sum(part.is_leftover for part in self.parts) == MAX_LEFTOVER:
            return
        if words := " ".join(fold_words(self.text[start : token.end])):
            sign = "-" if self.is_negated else ""
            self.add(
                Part(
                    start,
                    token.end,
                    f'{sign}"{words}"',
                    f"{'not: ' if sign else ''}“{words}” in a text",
                    is_leftover=True,
                )
            )

    def add(self, part: Part) -> None:
        last = self.parts[-1] if self.parts else None
        if self.is_alternative and last and last.scope is part.scope:
            query, meaning = f"({last.query} OR {part.query})", f"{last.meaning}, or {part.meaning}"
            self.parts[-1] = replace(last, end=part.end, query=query, meaning=meaning)
        else:
            self.parts.append(part)
        self.is_negated = self.is_alternative = False


def with_suit(match: Match, word: str) -> Match | None:
    """Return a phrase that names a suit with another one, None where the word is none."""
    for name, spellings in OTHER_VALUES.items():
        if name in match.values and (value := spellings.get(word.removesuffix("s"))):
            return match._replace(values={**match.values, name: value})
    return None


def name_suits(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with the suit that was named last in place of "them" behind "of"."""
    named, suit = list[Token](), ""
    for token in tokens:
        is_suit = token.word.removesuffix("s") in SUITS
        is_referring = suit and token.word in REFERRING and named[-1].word == "of"
        suit = token.word if is_suit else suit
        named.append(token._replace(word=suit) if is_referring else token)
    return named


def find_phrases(tokens: Sequence[Token], vocabulary: Vocabulary) -> list[Match | Token]:
    """Return the phrases of a text, each as long as can be, and the words between them."""
    matcher, at, found = vocabulary.matcher(tokens), 0, list[Match | Token]()
    while at < len(tokens):
        match = matcher.longest(at)
        found.append(match or tokens[at])
        at = match.end if match else at + 1
    return found


LENGTH, CONTRACT = (next(each for each in PHRASES if each.example == example) for example in ("6 spades", "3NT"))
MAX_LEVEL = 7


def choose_contracts(found: Sequence[Match | Token], tokens: Sequence[Token]) -> list[Match | Token]:
    """Return what was found with "4 spades" as a contract: behind "in" or "made", or where all else is of no hand."""
    matches = [each for each in found if isinstance(each, Match) and tokens[each.start].word != "by"]
    others = [each for each in matches if not is_like_contract(each)]
    results = {each.end for each in others if each.phrase.query in ("is:made", "is:down")}
    is_of_boards = bool(others) and all(is_of_board(each.phrase) for each in others)

    def choose(each: Match | Token) -> Match | Token:
        if not isinstance(each, Match) or not is_like_contract(each):
            return each
        is_behind = each.start in results or (each.start and tokens[each.start - 1].word in BEFORE_CONTRACT)
        if not (is_of_boards or is_behind):
            return each
        bid = write_contract(each.values["length"].low or 0, each.values["suit"].letter)
        return each._replace(phrase=CONTRACT, values={"contract": bid})

    return [*map(choose, found)]


def is_of_board(phrase: Phrase) -> bool:
    """Tell whether a phrase is about the board, and leads on to no hand of the bidding: not "opened 1NT"."""
    return phrase.scope is Scope.BOARD and phrase.subject in ("", "declarers")


def is_like_contract(match: Match) -> bool:
    """Tell whether a phrase is a number alone and a suit."""
    return match.phrase is LENGTH and (match.values["length"].low or MAX_LEVEL + 1) <= MAX_LEVEL
