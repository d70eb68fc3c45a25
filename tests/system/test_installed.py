"""Tests that need packages of their own say what to install where these cannot be had."""

import subprocess
from pathlib import Path

import pytest

from tests import installed
from tests.installed import CannotRun, npm_packages, python_packages, require


def install_without_node() -> Path:
    return npm_packages(Path(__file__).parent / "clients" / "typescript")


@pytest.fixture(autouse=True)
def _without_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")


def test_a_missing_node_is_reported_with_what_to_install() -> None:
    with pytest.raises(CannotRun, match="Install Node"):
        install_without_node()


def test_tests_are_skipped_without_their_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="Install Node"):
        require(install_without_node)


def test_tests_fail_without_their_packages_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="Install Node"):
        require(install_without_node)


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
