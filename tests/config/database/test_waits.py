"""How many requests write at a time, and who waits for a permit."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from pytest import MonkeyPatch
from rest_framework.test import APIClient

from config.database import waits as module
from config.database.waits import Bulkhead, writers
from tests.answers import assert_error


@pytest.fixture
def bulkhead() -> Bulkhead:
    bulkhead = Bulkhead()
    bulkhead.permits = 2
    return bulkhead


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(20) as pool:
        yield pool


def test_twenty_writers_share_two_permits_and_all_get_one(bulkhead: Bulkhead, pool: ThreadPoolExecutor) -> None:
    most = []

    def write(number: int) -> bool:
        entered = bulkhead.enter()
        most.append(bulkhead.taken)
        bulkhead.leave()
        return entered

    assert list(pool.map(write, range(20))) == [True] * 20
    assert (max(most) <= 2, bulkhead.taken) == (True, 0)


def test_nobody_waits_for_those_who_wait_for_a_lock(bulkhead: Bulkhead, pool: ThreadPoolExecutor) -> None:
    assert bulkhead.enter() and bulkhead.enter()
    waiting = pool.submit(bulkhead.enter)
    bulkhead.note_locked(1)
    assert not waiting.done(), "the other one gets on"
    bulkhead.note_locked(2)
    assert waiting.result() is False
    assert bulkhead.enter() is False
    bulkhead.leave()
    bulkhead.note_locked(0)
    assert bulkhead.enter()


def test_a_wait_for_a_permit_has_an_end(bulkhead: Bulkhead, monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PERMIT_SECONDS", 0.01)
    assert bulkhead.enter() and bulkhead.enter()
    assert bulkhead.enter() is False
    assert bulkhead.taken == 2


@pytest.mark.django_db
def test_a_writer_gives_its_permit_back_or_is_told_to_come_back(client: APIClient, monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(writers, "permits", 1)
    for method, path in (("post", "/api/deals"), ("put", "/api/nothing"), ("post", "/api/forms/contact")):
        assert getattr(client, method)(path, {}, format="json").status_code >= 400
        assert writers.taken == 0, path
    monkeypatch.setattr(writers, "locked", 1)
    assert client.get("/api/boards").status_code == 200
    refused = client.post("/api/forms/contact", {}, format="json")
    assert_error(refused, 503, "service_unavailable")
    assert (bool(refused["Retry-After"]), writers.taken) == (True, 0)
