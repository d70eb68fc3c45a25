"""The clock by which the provider's keys age, in a test's hand."""

import pytest

from accounts import fetching, jwks


class Clock:
    """time.monotonic() as the keys' modules see it: it stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


def stopped(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(jwks, "time", clock)
    monkeypatch.setattr(fetching, "time", clock)
    return clock
