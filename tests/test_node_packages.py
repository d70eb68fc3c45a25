"""Without Node.js the tests that need it say what to install."""

import pytest

from tests.accounts.provider.openid_provider import HERE, PURPOSE
from tests.node_packages import CannotRun, install_once, require_packages


@pytest.fixture(autouse=True)
def _without_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")


def test_a_missing_node_is_reported_with_what_to_install() -> None:
    with pytest.raises(CannotRun, match="Install Node"):
        install_once(HERE, PURPOSE)


def test_tests_are_skipped_without_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="Install Node"):
        require_packages(HERE, PURPOSE)


def test_tests_fail_without_node_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="Install Node"):
        require_packages(HERE, PURPOSE)
