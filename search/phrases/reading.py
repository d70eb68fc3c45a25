"""A text's words to its parts, which make one query of the search language.

Parts are read from left to right, each as the longest phrase that begins there. Words that say nothing are dropped, and
what is left over is looked for in texts.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

from search.language.trees import Node, Tree, brackets, negate, one_of, term, words
from search.phrases.names import vocabulary_of
from search.phrases.parts import (
    OF_A_HAND,
    Part,
    declared_by,
    face,
    followed_by,
    join_parts,
    make_optional,
    names_declarer,
)
from search.phrases.patterns import Match, Phrase, Scope, Vocabulary
from search.phrases.phrasebook import ENGLISH, Phrasebook
from search.phrases.slots.calls import write_contract
from search.phrases.words import Token, tokenise
from search.words import fold_words
from themes.labels import LabelCache

NAMES_OF = {"declarers": "declarer’s side"}
"""Subjects as a meaning says them, where that is not the word of the language."""
ACTING = frozenset(("opener", "overcaller", "doubler"))
"""Whose hand is meant without such a word, too: overcall on a six-card suit."""
MAX_LEFTOVER = 8
"""The words that are looked for in texts. More are dropped: nothing typed in words is refused."""

LENGTH, CONTRACT, RESULTS = "length", "contract", ("made", "down")
"""The ids of phrases that are read by what is beside them: a number and a suit, contracts, and how they ended."""
MAX_LEVEL = 7

PLAYED_BY = frozenset(("north", "east", "south", "west", "ns", "ew"))


class WordReader:
    """Reads the words of a text one after the other, and remembers whose hand they are about.

    A phrase that makes no query, such as one of 45 points, is looked for in texts: `can_answer` tells. `subject` is of
    whom the last phrase speaks, `hand` where the conditions begin that may be about one hand still, and `facing` where
    those of its partner do.
    """

    def __init__(
        self,
        text: str,
        labels: LabelCache,
        today: date,
        can_answer: Callable[[Tree], bool],
        book: Phrasebook = ENGLISH,
    ) -> None:
        self.text = text
        self.book, self.lists = book, book.lists
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
        tokens = self.name_suits(tokenise(self.text[start:end], self.book.abbreviations, start))
        self.subject, self.hand = "", 0
        for each in self.choose_contracts(find_phrases(tokens, vocabulary_of(self.labels, self.book)), tokens):
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
        # Words that many texts have say nothing beside phrases.
        return [make_optional(part) for part in parts if part.word not in self.lists["vague"]]

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
        if word in self.lists["with"] and self.subject:
            self.holder = self.subject, NAMES_OF.get(self.subject, self.subject)
        elif word in self.lists["not"]:
            self.is_negated = True
        elif word in self.lists["opposite"]:
            self.facing = len(self.parts)
        elif word in self.lists["or"]:
            self.is_alternative = True
        elif alternative := self.other_value(token):
            self.add_match(alternative, tokens)
        elif word not in self.lists["empty"]:
            self.add_leftover(token)
        elif word not in self.lists["skipped"]:
            self.is_alternative = False  # "or more" is not an alternative
        self.subject = self.subject if word in self.lists["skipped"] or word in self.lists["not"] else ""
        self.hand = self.hand if word in (*self.lists["skipped"], "and") else len(self.parts)

    def other_value(self, token: Token) -> Match | None:
        """Return the phrase before "or" once more, with the suit that stands behind: void in ♥ or ♠."""
        last = self.parts[-1].match if self.parts and self.is_alternative else None
        return self.with_suit(last, token.word) if last else None

    def earlier_value(self, match: Match) -> Match | None:
        """Return the phrase behind "or" once more, with the suit that stands before: heart or spade lead."""
        last = self.parts[-1] if self.parts and self.is_alternative else None
        return self.with_suit(match, last.word) if last and last.word else None

    def play_by_holder(self) -> None:
        """Take a seat or a side of which nothing is said as who played the contract: 6NT East, EW went down."""
        holder, name = self.holder
        played = [part for part in self.parts if part.match and part.match.phrase.subject == "declarers"]
        is_said = any(part.holder == holder or names_declarer(part) for part in self.parts)
        if holder in PLAYED_BY and played and not is_said:
            self.parts[self.parts.index(played[-1])] = declared_by(played[-1], holder, name)

    def hold_by(self, holder: str, parts: Sequence[Part], scope: Scope) -> None:
        """Take those of these parts that are about nobody's hand yet, or about no side's, as the holder's."""
        held = [part for part in parts if part.scope is scope and not part.holder]
        name = NAMES_OF.get(holder, holder)
        self.parts = [part.held_by(holder, name) if part in held else part for part in self.parts]

    def add_match(self, match: Match, tokens: Sequence[Token]) -> None:
        phrase, meaning = match.phrase, match.phrase.explain(match.values)
        if phrase.scope is Scope.HOLDER:
            before = [token.word for token in tokens[max(match.start - 1, 0) : match.start + 1]]
            holder = phrase.write(match.values, self.today)
            self.set_holder(holder, meaning, next((word for word in before if word in self.lists["before-hand"]), ""))
            return
        condition = phrase.read(match.values, self.today)
        if condition and phrase.theme and self.labels.theme_ids_named(phrase.theme):
            condition, meaning = one_of([condition, term("theme", phrase.theme)]), f"{meaning}, or this theme"
        if condition and self.is_negated:
            condition, meaning = negate(condition), f"not: {meaning}"
        part = Part(tokens[match.start].start, tokens[match.end - 1].end, condition, meaning, match)
        if phrase.scope in OF_A_HAND:
            part = part.held_by(*self.holder)
        if (made := join_parts([part])) and self.can_answer(made):
            self.add(part)
            return
        for token in tokens[match.start : match.end]:
            if token.word not in self.lists["empty"]:
                self.add_leftover(token)

    def set_holder(self, holder: str, name: str, before: str) -> None:
        """Take whose hand is meant: of the conditions before it, or of those that follow; or who played a contract.

        `before` is the word before it, if it is one that a hand may have before it.
        """
        behind = [part for part in self.parts if part.scope in OF_A_HAND and not part.holder]
        last = self.parts[-1] if self.parts else None
        if before in self.lists["by"] and last and last.match and last.scope is Scope.BOARD and holder in PLAYED_BY:
            self.parts[-1] = declared_by(last, holder, name)
        elif before in self.lists["before-hand"] and behind and self.parts[-1] is behind[-1]:
            self.parts = [part.held_by(holder, name) if part in behind else part for part in self.parts]
        else:
            self.holder = holder, name

    def add_leftover(self, token: Token) -> None:
        """Add a word to look for in texts, behind the one before it where a hyphen joins them.

        A number says nothing alone beside phrases: round 3, but not 3.
        """
        start, last = token.start, self.parts[-1] if self.parts else None
        if last and last.match and (token.word in self.book.numbers or token.word.strip("+-").isdecimal()):
            return
        if last and last.is_leftover and not re.search(r"\s", self.text[last.end : start]):
            self.parts[-1] = followed_by(last, fold_words(self.text[last.end : token.end]), token.end)
            return
        if sum(part.is_leftover for part in self.parts) == MAX_LEFTOVER:
            return
        if text := " ".join(fold_words(self.text[start : token.end])):
            condition, meaning = words(text), f"“{text}” in a text"
            part = Part(start, token.end, condition, meaning, is_leftover=True)
            if self.is_negated:
                part = replace(part, condition=negate(condition), meaning=f"not: {meaning}")
            self.add(part)

    def add(self, part: Part) -> None:
        last = self.parts[-1] if self.parts else None
        if self.is_alternative and last and last.scope is part.scope:
            self.parts[-1] = replace(
                last,
                end=part.end,
                condition=brackets(Node("or", tuple(filter(None, (last.condition, part.condition))))),
                meaning=f"{last.meaning}, or {part.meaning}",
                match=last.match or part.match,
                is_leftover=last.is_leftover and part.is_leftover,
            )
        else:
            self.parts.append(part)
        self.is_negated = self.is_alternative = False

    def with_suit(self, match: Match, word: str) -> Match | None:
        """Return a phrase that names a suit with another one, None for a word that is not a suit."""
        for name in ("suit", "strain"):
            if name in match.values and (value := self.book.value_of(name, word)):
                return match._replace(values={**match.values, name: value})
        return None

    def name_suits(self, tokens: Sequence[Token]) -> list[Token]:
        """Return the tokens with the suit that was named last in place of "them" behind "of"."""
        named, suit = list[Token](), ""
        for token in tokens:
            is_suit = self.book.value_of("suit", token.word)
            is_referring = suit and token.word in self.lists["referring"] and named[-1].word == "of"
            suit = token.word if is_suit else suit
            named.append(token._replace(word=suit) if is_referring else token)
        return named

    def choose_contracts(self, found: Sequence[Match | Token], tokens: Sequence[Token]) -> list[Match | Token]:
        """Return what was read with "4 spades" as a contract: behind "in" or "made", or where no hand is spoken of."""
        matches = [each for each in found if isinstance(each, Match) and tokens[each.start].word != "by"]
        others = [each for each in matches if not is_like_contract(each)]
        results = {each.end for each in others if each.phrase.id in RESULTS}
        is_of_boards = bool(others) and all(is_of_board(each.phrase) for each in others)

        def choose(each: Match | Token) -> Match | Token:
            if not isinstance(each, Match) or not is_like_contract(each):
                return each
            before = tokens[each.start - 1].word if each.start else ""
            if not (is_of_boards or each.start in results or before in self.lists["before-contract"]):
                return each
            bid = write_contract(each.values["length"].low or 0, getattr(each.values["suit"], "letter", ""))
            return each._replace(phrase=self.book.by_id[CONTRACT], values={"contract": bid})

        return [*map(choose, found)]


def find_phrases(tokens: Sequence[Token], vocabulary: Vocabulary) -> list[Match | Token]:
    """Return the phrases of a text, each as long as can be, and the words between them."""
    matcher, at, found = vocabulary.matcher(token.word for token in tokens), 0, list[Match | Token]()
    while at < len(tokens):
        match = matcher.longest(at)
        found.append(match or tokens[at])
        at = match.end if match else at + 1
    return found


def is_of_board(phrase: Phrase) -> bool:
    """Tell whether a phrase is about the board, and leads on to no hand of the bidding: not "opened 1NT"."""
    return phrase.scope is Scope.BOARD and phrase.subject in ("", "declarers")


def is_like_contract(match: Match) -> bool:
    """Tell whether a phrase is a number alone and a suit."""
    return match.phrase.id == LENGTH and (match.values["length"].low or MAX_LEVEL + 1) <= MAX_LEVEL
