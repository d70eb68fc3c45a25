"""What the words of a text mean, piece by piece, and the query that they make together."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from boards.search.language.words import SIDE_WORDS
from boards.search.phrases.patterns import Match, Scope
from boards.search.phrases.words import VAGUE

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
        "board",
        "calls",
        "contract",
        "date",
        "dealer",
        "declarer",
        "denomination",
        "difficulty",
        "lead",
        "level",
        "opener",
        "openerseat",
        "opening",
        "result",
        "room",
        "score",
        "scoring",
        "split",
        "table",
        "team",
        "tricks",
        "vul",
    )
)
"""Words of which a board has one value: said twice, either value is meant."""


@dataclass(frozen=True)
class Part:
    """What some words of a text mean, from `start` to before `end`: a query, and the same in words.

    The query of a hand or a side stands in the brackets of its `holder`, "" for anybody's. A part without `match`
    is no phrase: it is in the language, or `is_leftover` and looked for in texts.
    """

    start: int
    end: int
    query: str
    meaning: str
    match: Match | None = None
    holder: str = ""
    is_leftover: bool = False

    @property
    def scope(self) -> Scope:
        return self.match.phrase.scope if self.match else Scope.BOARD

    def held_by(self, holder: str, name: str) -> "Part":
        """Return the part as one of a hand, which has a name in words."""
        return replace(self, holder=holder, meaning=f"{name}: {self.meaning}") if holder else self


def face(parts: Sequence[Part], middle: int) -> list[Part]:
    """Return parts with those of hands before and behind "opposite" as one part, of the hands of a partnership."""
    one, other = ([part for part in some if is_of_any(part)] for some in (parts[:middle], parts[middle:]))
    if not one or not other or not one[0].match:
        return [*parts]
    first, second = (" ".join(part.query for part in some) for some in (one, other))
    query = " OR ".join(f"({seat}({first}) {partner}({second}))" for seat, partner in PARTNERS)
    meaning = " opposite ".join(", ".join(part.meaning for part in some) for some in (one, other))
    match = one[0].match._replace(phrase=replace(one[0].match.phrase, scope=Scope.BOARD))
    joined = Part(one[0].start, other[-1].end, f"({query})", meaning, match)
    return [joined, *(part for part in parts if not is_of_any(part))]


def is_of_any(part: Part) -> bool:
    """Tell whether a part is about one hand, and of no seat."""
    return part.scope is Scope.HAND and not part.holder


def is_vague(part: Part) -> bool:
    """Tell whether a part is a word that says nothing beside phrases, though many texts have it."""
    return part.is_leftover and part.query.strip('"') in VAGUE


def declared_by(part: Part, seat: str, name: str) -> Part:
    return replace(part, query=f"{part.query} declarer={seat}", meaning=f"{part.meaning}, by {name}")


def doubted(part: Part) -> Part:
    """Return a word that stands beside phrases: it is looked for in texts if any board of the others has it."""
    if not part.query.startswith('"'):  # negated, or an alternative
        return part
    return replace(part, query=f"~{part.query}", meaning=f"{part.meaning}, if any of these boards has it")


NAMES = re.compile(r"[a-z]+(?=[=<>:])")
ONE_VALUE = re.compile(r"([a-z]+)=([^\s()<>=]+)")


def write_query(parts: Iterable[Part]) -> str:
    """Return the query of all parts. The conditions on one hand stand in the same brackets."""
    pieces: dict[object, str] = {}
    held: dict[tuple[str, bool], list[str]] = {}
    for part in parts:
        if part.scope in OF_A_HAND:
            conditions = held.setdefault(key := (part.holder, part.scope is Scope.SIDE), [])
            conditions += [part.query] * (part.query not in conditions)
            pieces[key] = hold(*key, held[key])
        elif (match := ONE_VALUE.fullmatch(part.query)) and match[1] in ONE_OF:
            former = pieces.get(match[1])
            pieces[match[1]] = f"{former},{match[2]}" if former else part.query
        else:
            pieces[part.start] = part.query
    return " ".join(pieces.values())


def hold(holder: str, is_side: bool, queries: Sequence[str]) -> str:
    """Return conditions in the brackets of whose they are."""
    joined = " ".join(queries)
    if holder in HANDS_OF and not set(NAMES.findall(joined)) <= SIDE_WORDS.keys():
        return either(HANDS_OF[holder], joined)  # a void of North-South is one of North or South
    if is_side and holder not in HANDS_OF:
        return either(("ns", "ew"), joined)
    return f"{holder or 'any'}({joined})"


def either(holders: Sequence[str], condition: str) -> str:
    alternatives = " OR ".join(f"{holder}({condition})" for holder in holders)
    return f"({alternatives})" if len(holders) > 1 else alternatives
