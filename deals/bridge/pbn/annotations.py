"""What a PBN file says about single calls and cards, as sentences for the commentary.

A note of a call is its explanation and stays with it. The rest, opinions and notes of cards, has no place of
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
    """Remarks on the calls, or on the cards, of one section, by their place in it from 0."""

    kind: str
    """Either "call" or "card"."""
    said: list[tuple[int, str]] = field(default_factory=list)

    def suffix(self, place: int, suffix: str) -> None:
        """One of ! ? !! ?? !? ?! (§3.5, §3.6)."""
        self.said.append((place, f"{_OPINIONS[_SUFFIXES.index(suffix)]} {self.kind}"))

    def glyph(self, place: int, number: str) -> None:
        """$0 says nothing."""
        if number.strip("0"):
            self.said.append((place, _MEANINGS.get(number.lstrip("0"), f"${number}")))

    def text(self, place: int, text: str) -> None:
        if text:
            self.said.append((place, text))

    def sentences(self, names: Sequence[str]) -> Iterator[str]:
        """As in "Trick 3, HK by East: very good card."; `names` are those of the calls or cards,
        "" for a card that was not played."""
        for place, said in self.said:
            if names[place]:
                yield f"{names[place]}: {said}{'' if said[-1] in '.!?' else '.'}"
