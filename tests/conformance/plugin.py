"""Switches the holder on for the clients of all tests, and prints at the end of a run how much it has held."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test.client import Client

from config import paths
from tests.conformance.exchange import Exchange, copy_body, observe
from tests.conformance.holding import problems

HELD: Counter[str] = Counter()
"""How many answers were held in this run, and how many accepted requests."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--generated-cases",
        type=int,
        default=4,
        help="how many requests schemathesis makes for each operation, of the valid and of the invalid ones",
    )
    parser.addoption(
        "--record-examples",
        action="store_true",
        help="write config/api/examples.json anew, as `python3 dev.py openapi` does",
    )


@pytest.fixture(autouse=True, scope="session")
def _every_exchange_is_held() -> Iterator[None]:
    """Wrap the one method through which Django's client, REST framework's and ServiceClient send every request."""
    send = Client.request

    def send_and_hold(self: Client, **environ: Any) -> Any:
        sent_body = copy_body(environ)
        response = send(self, **environ)
        if settings.ROOT_URLCONF == "config.urls" and paths.is_under(environ["PATH_INFO"], paths.API):
            observe({**self.defaults, **environ}, sent_body, response, hold)
        return response

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Client, "request", send_and_hold)
        yield


def hold(exchange: Exchange) -> None:
    """Fail the test in which an exchange contradicts the document."""
    HELD["answers"] += 1
    HELD["accepted requests"] += exchange.status < 400
    found = list(problems(exchange))
    if found:
        raise AssertionError("\n- ".join([f"{exchange} contradicts the OpenAPI document:", *found]))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand what a worker of pytest-xdist has counted to the process that prints."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["held"] = dict(HELD)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: Any) -> None:
    HELD.update(getattr(node, "workeroutput", {}).get("held", {}))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if HELD:
        counts = " and ".join(f"{count} {what}" for what, count in HELD.items())
        terminalreporter.write_line(f"Held against the OpenAPI document: {counts}.")
