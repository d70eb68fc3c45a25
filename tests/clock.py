"""A clock that a test moves, by which the provider's keys age."""

import pytest

from accounts.tokens import jwks


class Clock:
    """What the modules of the keys take for `time`. It stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


def stop_clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(jwks, "time", clock)
    return clock
