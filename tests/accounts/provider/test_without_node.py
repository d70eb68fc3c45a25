"""Where there is no Node.js, these tests say what to install."""

import pytest

from tests.accounts.provider import openid_provider
from tests.accounts.provider.conftest import unless_installed
from tests.accounts.provider.openid_provider import CannotRun


@pytest.fixture(autouse=True)
def _without_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")


def test_it_says_what_to_install() -> None:
    with pytest.raises(CannotRun, match="Install Node"):
        openid_provider.installed()


def test_by_hand_they_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="Install Node"):
        unless_installed()


def test_in_ci_they_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="Install Node"):
        unless_installed()
