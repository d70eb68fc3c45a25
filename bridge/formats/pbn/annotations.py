"""Remarks of a PBN file on single calls and cards, as sentences for the commentary.

A note on a call is its explanation and stays with it. The rest, opinions and notes on cards, has no tag of
its own in a BoardRecord.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_OPINIONS = ("good", "poor", "very good", "very poor", "speculative", "questionable")
_SUFFIXES = ("!", "?", "!!", "??", "!?", "?!")
_MEANINGS = {
    **{str(number): f"{opinion} call" for number, opinion in enumerate(_OPINIONS, start=1)},
    **{str(number): f"{opinion} card" for number, opinion in enumerate(_OPINIONS, start=7)},
    "13": "the call has been corrected",
    "14": "the card has been corrected",
    "20": "natural",
    "21": "artificial",
    "22": "penalty double",
    "23": "relay",
    "24": "cue bid",
    "25": "competitive",
    "26": "preemptive",
}
"""Numeric annotation glyphs (PBN 2.1 §3.7); others are kept by their number."""


@dataclass(slots=True)
class Remarks:
    """The remarks on the calls, or on the cards, of one section. Positions in it are counted from 0."""

    kind: str
    """Either "call" or "card"."""
    by_position: list[tuple[int, str]] = field(default_factory=list)

    def add_suffix(self, position: int, suffix: str) -> None:
        """Add the opinion of one of ! ? !! ?? !? ?! (§3.5, §3.6)."""
        self.by_position.append((position, f"{_OPINIONS[_SUFFIXES.index(suffix)]} {self.kind}"))

    def add_glyph(self, position: int, number: str) -> None:
        """Add the meaning of a numeric annotation glyph (§3.7). $0 says nothing."""
        if number.strip("0"):
            self.by_position.append((position, _MEANINGS.get(number.lstrip("0"), f"${number}")))

    def add_text(self, position: int, text: str) -> None:
        if text:
            self.by_position.append((position, text))

    def sentences(self, names: Sequence[str]) -> Iterator[str]:
        """Yield sentences such as "Trick 3, HK by East: very good card."

        `names` has the names of the calls or cards by their position, "" for a card that was not played. What is said
        of several is yielded once, behind all their names: each card of a play may name the same note of 100 KiB.
        """
        named: dict[str, dict[str, None]] = {}
        for position, remark in self.by_position:
            if names[position]:
                named.setdefault(remark, {})[names[position]] = None
        for remark, those in named.items():
            yield f"{'; '.join(those)}: {remark}{'' if remark[-1] in '.!?' else '.'}"
