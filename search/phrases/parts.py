"""What the words of a text mean, piece by piece, and the condition that they make together."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from search.language.trees import Node, Term, Tree, brackets, join, one_of, term, terms_of, words, write
from search.language.words import SIDE_WORDS
from search.phrases.patterns import Match, Scope

OF_A_HAND = (Scope.HAND, Scope.SIDE)

PARTNERS = (("north", "south"), ("south", "north"), ("east", "west"), ("west", "east"))
HANDS_OF = {
    "ns": ("north", "south"),
    "ew": ("east", "west"),
    "declarers": ("declarer", "dummy"),
    "defenders": ("leader",),
}
"""The hands of each side that the language names."""

ONE_OF = frozenset(
    (
        *("board", "calls", "contract", "date", "dealer", "declarer", "denomination", "difficulty", "lead", "level"),
        *("opener", "openerseat", "opening", "result", "room", "score", "scoring", "split", "table", "team", "tricks"),
        "vul",
    )
)
"""Words of which a board has one value: said twice, either value is meant."""


@dataclass(frozen=True)
class Part:
    """What some words of a text mean, from `start` to before `end`: a condition, and the same in words.

    The condition of a hand or a side belongs in the brackets of its `holder`, "" for anybody's. A part without `match`
    is not a phrase: it is in the language, or `is_leftover` and looked for in texts. `condition` is None for brackets
    around words that say nothing.
    """

    start: int
    end: int
    condition: Tree | None
    meaning: str
    match: Match | None = None
    holder: str = ""
    is_leftover: bool = False

    @property
    def scope(self) -> Scope:
        return self.match.phrase.scope if self.match else Scope.BOARD

    @property
    def query(self) -> str:
        return write(self.condition) if self.condition else ""

    @property
    def word(self) -> str:
        """Return the word that is looked for in texts, "" for a phrase, a negated word and one of several."""
        return self.condition.values[0].text if self.is_leftover and isinstance(self.condition, Term) else ""

    def held_by(self, holder: str, name: str) -> "Part":
        """Return the part as one of a hand, which has a name in words."""
        return replace(self, holder=holder, meaning=f"{name}: {self.meaning}") if holder else self


def face(parts: Sequence[Part], middle: int) -> list[Part]:
    """Return parts with those of hands before and behind "opposite" as one part, of the hands of a partnership."""
    one, other = ([part for part in some if is_of_any(part)] for some in (parts[:middle], parts[middle:]))
    if not one or not other or not one[0].match:
        return [*parts]
    first, second = map(all_of, (one, other))
    assert first and second
    both = (join("and", [brackets(first, seat), brackets(second, partner)]) for seat, partner in PARTNERS)
    condition = one_of(brackets(each) for each in both if each)
    meaning = " opposite ".join(", ".join(part.meaning for part in some) for some in (one, other))
    match = one[0].match._replace(phrase=replace(one[0].match.phrase, scope=Scope.BOARD))
    joined = Part(one[0].start, other[-1].end, condition, meaning, match)
    return [joined, *(part for part in parts if not is_of_any(part))]


def is_of_any(part: Part) -> bool:
    """Tell whether a part is about one hand, and of no seat."""
    return part.scope is Scope.HAND and not part.holder


def followed_by(part: Part, more: Iterable[str], end: int) -> Part:
    """Return the words of a part that are looked for in texts with others behind them, as one phrase."""
    text, rest = part.meaning.rsplit("”", 1)
    meaning = f"{' '.join((text, *more))}”{rest}"
    return replace(part, end=end, condition=with_words(part.condition, more), meaning=meaning)


def with_words(tree: Tree | None, more: Iterable[str]) -> Tree | None:
    """Return a condition whose last words are followed by others."""
    if isinstance(tree, Node):
        *before, last = tree.parts
        longer = with_words(last, more)
        return replace(tree, parts=(*before, longer)) if longer else tree
    return words(" ".join((tree.values[0].text, *more))) if tree else None


def declared_by(part: Part, seat: str, name: str) -> Part:
    condition = join("and", filter(None, (part.condition, term("declarer", seat))))
    return replace(part, condition=condition, meaning=f"{part.meaning}, by {name}")


def names_declarer(part: Part) -> bool:
    return part.condition is not None and any(each.name == "declarer" for each in terms_of(part.condition))


def make_optional(part: Part) -> Part:
    """Return a word that is beside phrases: it is looked for in texts if any board of the others has it."""
    if not part.word or part.condition is None:
        return part
    condition = Node("optional", (part.condition,))
    return replace(part, condition=condition, meaning=f"{part.meaning}, if any of these boards has it")


def all_of(parts: Iterable[Part]) -> Tree | None:
    """Return the conditions of parts as one."""
    return join("and", (part.condition for part in parts if part.condition))


def join_parts(parts: Iterable[Part]) -> Tree | None:
    """Return the condition of all parts.

    The conditions on one hand are in the same brackets, the values of a word that has one value are alternatives, and
    what is said twice counts once.
    """
    pieces: dict[object, list[Tree]] = defaultdict(list)
    for part in parts:
        condition = part.condition
        if condition is None:
            continue
        if part.scope in OF_A_HAND:
            pieces[part.holder, part.scope is Scope.SIDE].append(condition)
        elif isinstance(condition, Term) and condition.operator == "=" and condition.name in ONE_OF:
            pieces[condition.name].append(condition)
        else:
            pieces[condition].append(condition)
    return join("and", (join_pieces(key, conditions) for key, conditions in pieces.items()))


def join_pieces(key: object, conditions: Sequence[Tree]) -> Tree:
    """Return conditions on one hand, the key, or on what the first of them names."""
    match key:
        case (str() as holder, bool() as is_side):
            return hold(holder, is_side, [*dict.fromkeys(conditions)])
    first = conditions[0]
    if len(conditions) == 1 or not isinstance(first, Term):
        return first
    return term(first.name, *(value.text for each in conditions if isinstance(each, Term) for value in each.values))


def hold(holder: str, is_side: bool, conditions: Sequence[Tree]) -> Tree:
    """Return conditions in the brackets of whose they are."""
    joined = join("and", conditions)
    assert joined
    if holder in HANDS_OF and not {each.name for each in terms_of(joined)} <= SIDE_WORDS.keys():
        holders = HANDS_OF[holder]  # a void of North-South is one of North or South
    else:
        holders = ("ns", "ew") if is_side and holder not in HANDS_OF else (holder or "any",)
    return one_of(brackets(joined, each) for each in holders)
