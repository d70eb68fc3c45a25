"""Recognising an auction system by what a bridge file says of it."""

import re
from collections.abc import Iterable

from accounts.models import AuctionSystem

_WORD = re.compile(r"[^\W\d_]+|\d+")
_SEPARATOR = re.compile(r"\s[-–—]+\s|[;:,()]")


def normalise(name: str) -> str:
    """Return the words and numbers of a name, so that "2/1GF" and "2/1 gf" are the same."""
    return " ".join(_WORD.findall(name.casefold()))


class SystemNames:
    """The names of auction systems: identifiers, labels in any language, and aliases."""

    def __init__(self, systems: Iterable[AuctionSystem]) -> None:
        self.systems: dict[str, AuctionSystem] = {}
        for system in systems:
            for name in (system.identifier, *system.labels.values(), *system.aliases.splitlines()):
                self.systems.setdefault(normalise(name), system)

    def recognise(self, text: str) -> AuctionSystem | None:
        """Return the system that a text names, as a whole or in one of its parts; None when parts name several."""
        if system := self.systems.get(normalise(text)):
            return system
        found = {self.systems.get(normalise(part)) for part in _SEPARATOR.split(text)} - {None}
        return found.pop() if len(found) == 1 else None
