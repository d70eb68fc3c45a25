"""Prints at the end of a run how many commands of the guides were run, of how many."""

from collections import Counter
from typing import Any

import pytest

from pages.site.guides import LANGUAGES

RIGHT: Counter[str] = Counter()
"""The commands of each language that were run and got the answer that the guide claims."""

WRITTEN: Counter[str] = Counter()
"""The commands of each language that stand in the guides."""


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand what a worker of pytest-xdist has counted to the process that prints."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["guides"] = [dict(RIGHT), dict(WRITTEN)]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: Any) -> None:
    for counter, counted in zip((RIGHT, WRITTEN), getattr(node, "workeroutput", {}).get("guides", ()), strict=False):
        counter.update(counted)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if WRITTEN:
        counts = ", ".join(f"{name} {RIGHT[kind]} of {WRITTEN[kind]}" for kind, name in LANGUAGES.items())
        terminalreporter.write_line(f"Commands of the guides that do what they say: {counts}.")
