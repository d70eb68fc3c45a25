"""Tests that need packages of their own say what to install where these cannot be had."""

import subprocess
from pathlib import Path

import pytest

from tests import installed
from tests.installed import CannotRun, npm_packages, python_packages, require


def test_without_their_packages_tests_are_skipped_and_in_ci_they_fail_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "")
    clients = Path(__file__).parent / "clients" / "typescript"
    for where, outcome in (("", pytest.skip.Exception), ("true", pytest.fail.Exception)):
        monkeypatch.setenv("CI", where)
        with pytest.raises(outcome, match="Install Node"):
            require(lambda: npm_packages(clients))


def test_packages_are_installed_once_and_again_after_a_failure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lock, installs = tmp_path / "clients.txt", []

    def install(lock: Path, python: Path) -> None:
        installs.append(python)
        if len(installs) == 1:
            raise subprocess.CalledProcessError(1, "uv")

    lock.touch()
    monkeypatch.setattr(installed, "VAR", tmp_path)
    monkeypatch.setattr(installed, "install_with_pip", install)
    with pytest.raises(CannotRun, match="needs PyPI"):
        python_packages(lock)
    assert python_packages(lock) == python_packages(lock)
    assert len(installs) == 2 and installs[0].exists()
