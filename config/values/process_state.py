"""What a process knows between requests: answers that it remembers, and who is at work."""

from collections.abc import Callable
from typing import Protocol, TypeVar


class CachedFunction(Protocol):
    def cache_clear(self) -> None: ...


class Forgetful(Protocol):
    def forget(self) -> None: ...


Cached = TypeVar("Cached", bound=CachedFunction)
Kept = TypeVar("Kept", bound=Forgetful)


class ProcessState:
    """All that is kept, as one thing that is emptied at once. Tests do so: their settings and rows come and go."""

    def __init__(self) -> None:
        self.emptying: list[Callable[[], None]] = []

    def keep_answers(self, function: Cached) -> Cached:
        """Count the answers of a function of functools.cache among what is kept. Return the function."""
        self.emptying.append(function.cache_clear)
        return function

    def keep(self, kept: Kept) -> Kept:
        """Count what an object knows among what is kept. Return the object."""
        self.emptying.append(kept.forget)
        return kept

    def forget(self) -> None:
        for empty in self.emptying:
            empty()


process_state = ProcessState()
