"""A deployment with an identity provider, and its clock."""

from collections.abc import Iterator
from typing import Any

import pytest

from accounts.tokens import verifier
from tests import identity_provider as idp
from tests.clock import Clock, stopped


@pytest.fixture
def provider() -> Iterator[idp.Provider]:
    with idp.running() as running:
        yield running


@pytest.fixture
def deployed(provider: idp.Provider, settings: Any) -> None:
    """With this provider, and no development key."""
    for name, value in idp.settings_of(provider).items():
        setattr(settings, name, value)
    verifier.cache_clear()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return stopped(monkeypatch)
