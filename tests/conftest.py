"""A client for each kind of caller, and what is reset between two tests."""

import gc
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import transaction
from django.test import Client, TransactionTestCase
from pytest_django import DjangoDbBlocker
from rest_framework.test import APIClient

from accounts.models import Account
from accounts.tokens import development
from tests import factories, process_state
from tests.config.admin.conftest import staff_client
from tests.emptying import empty_tables
from tests.log_lines import Lines, collected
from tools.environment import ROOT

pytest_plugins = ["tests.conformance.plugin", "tests.system.guides.plugin"]

ABOUT_HTTP = tuple(ROOT / "tests" / "system" / name for name in ("guides", "provider", "servers"))
"""What a guide's command gets, an identity provider may answer, and a server does with a request."""

DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "django_db_setup"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--database-only", action="store_true", help="only tests that touch the database: for the second of two runs"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--database-only"):
        selected = [item for item in items if depends_on_database(item)]
        config.hook.pytest_deselected(items=[item for item in items if not depends_on_database(item)])
        items[:] = selected


def pytest_collection_finish() -> None:
    """Collect garbage more rarely, and not among all that is loaded: that was 8 % of the processor time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)


def depends_on_database(item: pytest.Item) -> bool:
    """Tell whether the kind of database could matter. It cannot for what a browser shows and what is about HTTP."""
    if "browser" in getattr(item, "fixturenames", ()) or any(map(item.path.is_relative_to, ABOUT_HTTP)):
        return False
    return bool(item.get_closest_marker("django_db") or DATABASE_FIXTURES & set(getattr(item, "fixturenames", ())))


@pytest.fixture(autouse=True)
def _fresh_process_state() -> Iterator[None]:
    """Empty what a process keeps between requests."""
    yield
    cache.clear()
    process_state.forget()


@pytest.fixture(autouse=True, scope="session")
def _only_full_tables_are_emptied() -> Iterator[None]:
    """Empty only tables that have rows after a test with real transactions."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", empty_tables)
        yield


run_test = pytest.Function.runtest


def run_test_with_room(test: pytest.Function) -> None:
    """Run a test whose calls all find room in one piece of Python's stack.

    CPython keeps frames in pieces of 16 KB, and maps and unmaps memory each time that a call crosses into the next one:
    a seventh of the processor time. A frame that asks for half a megabyte gets a whole one, and leaves the rest free.
    """
    run_test(test)


run_test_with_room.__code__ = run_test_with_room.__code__.replace(co_stacksize=70_000)


@pytest.fixture(autouse=True, scope="session")
def _each_test_has_room() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pytest.Function, "runtest", run_test_with_room)
        yield


@pytest.fixture(scope="module")
def rows_of_module(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Let fixtures of a module store rows once for all of its tests. Each test with `db` takes back its own changes."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def reference_data(db: None) -> None:
    call_command("load_reference_data", verbosity=0)


@pytest.fixture
def lines() -> Iterator[Lines]:
    """Collect the log lines of the test."""
    with collected() as lines:
        yield lines


@pytest.fixture
def anonymous() -> APIClient:
    return APIClient()


@pytest.fixture
def client_of() -> Callable[[Account], APIClient]:
    """Return a function that makes a client with a real, signed bearer token of an account."""

    def make(account: Account) -> APIClient:
        return APIClient(headers={"authorization": f"Bearer {token_of(account)}"})

    return make


@pytest.fixture
def service() -> APIClient:
    """Return a client with the API key."""
    return APIClient(headers={"x-api-key": "an-api-key-for-tests-0123456789abcdef"})


@pytest.fixture
def member(db: None, client_of: Callable[[Account], APIClient]) -> APIClient:
    return client_of(factories.account("member"))


@pytest.fixture
def support(db: None, client_of: Callable[[Account], APIClient]) -> APIClient:
    return client_of(factories.account("support", role="support"))


@pytest.fixture
def admin(db: None, client_of: Callable[[Account], APIClient]) -> APIClient:
    return client_of(factories.account("admin", role="admin"))


@pytest.fixture
def boss(db: None) -> Client:
    """Return the browser of an admin who is logged in to Django's admin."""
    return staff_client("admin")


def token_of(account: Account) -> str:
    return development.issue_token(account.pk, timedelta(hours=1))
