"""Limits on exports: how many run at once, how many a client may begin, and what they cost."""

import gc
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from pytest import MonkeyPatch
from rest_framework.test import APIClient

from config.api.errors import TooManyRunning, error_response
from config.database import reading
from config.edge.limits import exports, read_limit
from config.edge.limits.exports import MAX_RUNNING, MAX_WAITING, MAX_WAITING_OF_CLIENT, Export, stream
from config.edge.limits.read_limit import ReadLimiter
from config.edge.middleware import ReplicaMiddleware
from tests import factories
from tests.answers import assert_error
from tests.log_lines import Lines
from tests.pages.documents import Document
from tests.service_client import ServiceClient

pytestmark = pytest.mark.django_db

EXPORTS: tuple[tuple[str, dict[str, str]], ...] = (
    *(("/api/boards.pbn", {}), ("/api/boards", {"accept": "application/x-ndjson"}), ("/sitemap-1.xml", {})),
)


@pytest.fixture(autouse=True)
def _still_clock(monkeypatch: MonkeyPatch) -> Iterator[None]:
    """Stop the clock, so that no window ends within a test, and wait for no place."""
    monkeypatch.setattr(exports, "WAIT_SECONDS", 0)
    with time_machine.travel("2026-11-21T12:00:20Z", tick=False):
        yield


def read(path: str, headers: Any = None, address: str = "192.0.2.7") -> Any:
    return APIClient().get(path, headers=headers, REMOTE_ADDR=address)


def begin(path: str, headers: Any = None, address: str = "192.0.2.7") -> Any:
    """Begin an export and read none of it."""
    answer = read(path, headers, address)
    assert answer.status_code == 200
    return answer


def end(answer: Any) -> None:
    """Read an export to its end, and so close it. Its `close` alone would end the transaction of the test too."""
    b"".join(answer.streaming_content)


BUSY = "Many exports are running. Try again in a few seconds."


def test_one_export_of_a_client_and_few_in_all_run_at_once() -> None:
    for path, headers in EXPORTS:
        running = [begin(path, headers, f"192.0.2.{number}") for number in range(MAX_RUNNING)]
        for address in ("192.0.2.0", "192.0.2.99"):
            refused = read(path, headers, address)
            assert (refused.status_code, int(refused["Retry-After"]) >= 1) == (503, True), path
        assert read("/api/boards").status_code == 200
        for address in ("192.0.2.99", "192.0.2.0"):
            end(running.pop())
            end(begin(path, headers, address))
        assert not exports.permits.running


def test_a_refused_export_says_so_and_is_no_error_in_the_log(lines: Lines) -> None:
    running = begin(*EXPORTS[0])
    for path, headers in EXPORTS:
        refused = read(f"{path}?_=%22%3E1", headers)
        assert BUSY in refused.content.decode()
        if path.startswith("/api"):
            assert_error(refused, 503, "service_unavailable")
        else:
            page = Document(refused)
            assert page.texts("h1") == ["Too much is running at once"]
            assert page.links()["Look again"] == "?_=%22%3E1"
    said = {(line["level"], line["message"]) for line in lines.of("config.api.errors")}
    assert (said, lines.of("django.request")) == ({("info", BUSY)}, [])
    end(running)


def test_a_refused_export_is_no_failure_of_a_replica(monkeypatch: MonkeyPatch) -> None:
    asked = []

    def view(request: HttpRequest) -> HttpResponseBase:
        asked.append(reading.alias)
        try:
            return stream(request, "boards", iter([b"a"]), "text/plain")
        except TooManyRunning as error:
            return error_response(error)

    monkeypatch.setattr(reading, "alias", "replica")
    exports.permits.take("192.0.2.7")
    assert ReplicaMiddleware(view)(request()).status_code == 503
    assert asked == ["replica"]


def test_large_pages_take_no_place() -> None:
    event = f"/events/{factories.board(event='Friday pairs').event_slug}"
    for client in ("192.0.2.7", "192.0.2.8"):
        exports.permits.take(client)
    for path in ("/boards?pageSize=100", "/api/boards?pageSize=100", "/boards/print"):
        assert read(path).status_code == 200, path
    assert [read(f"{event}/{page}").status_code for page in ("print", "results")] == [200] * 2


def test_an_export_waits_for_its_permit_and_few_do(monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "WAIT_SECONDS", 60)
    permits = exports.permits
    for client in ("one", "two"):
        permits.take(client)
    with ThreadPoolExecutor(MAX_WAITING) as threads:
        ones = [threads.submit(permits.take, "one") for _ in range(MAX_WAITING_OF_CLIENT)]
        while permits.waiting["one"] < MAX_WAITING_OF_CLIENT:
            pass
        with pytest.raises(TooManyRunning):  # at once
            permits.take("one")
        three = threads.submit(permits.take, "three")
        while permits.waiting.total() < MAX_WAITING:
            pass
        with pytest.raises(TooManyRunning):
            permits.take("four")
        permits.free("two")
        three.result(60)  # and not one of the first, who has a permit already
        permits.free("three")
        assert not any(one.done() for one in ones)
        permits.free("one")
        for _ in as_completed(ones, 60):
            permits.free("one")
    assert not permits.running
    assert not permits.waiting


def test_every_way_to_end_an_export_frees_its_place() -> None:
    client = ServiceClient(headers={"accept": "application/x-ndjson, */*"})
    for path, _ in EXPORTS:
        for _ in range(3):
            client.head(path)
            client.get(path)

    def broken() -> Iterator[bytes]:
        yield b"a"
        raise RuntimeError("a mistake")

    answer = stream(request(), "boards", broken(), "text/plain")
    with pytest.raises(RuntimeError):
        list(answer)
    answer.close()
    stream(request(), "boards", iter([b"a"]), "text/plain")  # and forget it
    assert not exports.permits.running


def test_places_are_exact_under_threads() -> None:
    barrier = threading.Barrier(20)

    def take(number: int) -> bool:
        barrier.wait()
        with suppress(TooManyRunning):
            exports.permits.take(str(number))
            return True
        return False

    with ThreadPoolExecutor(20) as threads:
        taken = list(threads.map(take, range(20)))
    assert taken.count(True) == MAX_RUNNING
    exports.permits.running.clear()


SUMMARIES = ("/api/boards/summary?by=theme,lead", "/boards/summary?by=theme&and=lead")


def test_summaries_have_permits_of_their_own_and_other_reads_need_none() -> None:
    exports.dear_reads.take("192.0.2.0")
    for path in SUMMARIES:
        for address in ("192.0.2.0", "192.0.2.99"):
            refused = read(path, address=address)
            assert (refused.status_code, int(refused["Retry-After"]) >= 1) == (503, True), path
            assert "Many boards are being counted or compared. Try again in a few seconds." in refused.content.decode()
    assert read("/api/boards").status_code == 200
    end(begin("/api/boards.pbn"))
    exports.dear_reads.free("192.0.2.0")
    for path in SUMMARIES:
        answers = (read(path), read(path.replace("theme", "nothing")))
        assert [answer.status_code for answer in answers] == [200, 400], path
    assert not exports.dear_reads.running


def request(address: str = "192.0.2.7") -> HttpRequest:
    one = HttpRequest()
    one.META["REMOTE_ADDR"] = address
    return one


def test_a_client_begins_no_more_files_and_no_more_sitemaps_than_the_rate_allows(settings: Any) -> None:
    settings.EXPORT_RATE = "3/d"
    for path in ("/api/boards.pbn?dealer=X", "/sitemap-9.xml") * 4:
        assert read(path).status_code in (400, 404), "what is refused is not an export"
    pbn, ndjson, sitemap = EXPORTS
    for wanted in ([pbn, ndjson, pbn], [sitemap] * 3):
        for each in wanted:
            end(begin(*each))
        for each in wanted[:2]:
            refused = read(*each)
            assert (refused.status_code, 1 <= int(refused["Retry-After"]) <= 24 * 3600 + 1) == (429, True)
        end(begin(*wanted[0], "192.0.2.8"))
    assert_error(read(*ndjson), 429, "rate_limited")
    assert read("/api/boards").status_code == 200
    assert not exports.permits.running


def test_without_counters_exports_go_on_and_without_a_rate_too(settings: Any) -> None:
    redis = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1/0"}
    for rate, store in (("1/d", {"default": redis}), ("", settings.CACHES)):
        settings.EXPORT_RATE, settings.CACHES = rate, store
        for _ in range(3):
            end(begin("/api/boards.pbn"))


def test_a_limiter_counts_processor_time_as_reads() -> None:
    limiter = ReadLimiter("10/d")
    limiter.count("one")
    limiter.charge("one", read_limit.SECONDS_OF_A_READ * 0.9)
    assert limiter.counts["one"] == 1
    limiter.charge("one", read_limit.SECONDS_OF_A_READ * 8.5)
    assert not limiter.is_spent("one")
    assert limiter.count("one") == 0
    assert limiter.is_spent("one")
    assert not limiter.is_spent("two")


def test_what_a_read_costs_is_counted(settings: Any, monkeypatch: MonkeyPatch) -> None:
    """Make a read pay for so little that each of these costs many, and look at what is counted."""
    call_command("load_reference_data", verbosity=0)
    for _ in range(3):
        factories.board()
    settings.READ_RATE = "1000000/d"
    monkeypatch.setattr(read_limit, "SECONDS_OF_A_READ", 0.000_02)
    client = ServiceClient(REMOTE_ADDR="192.0.2.7")
    limiter = read_limit.read_limiter(settings.READ_RATE)
    assert limiter
    for path in ("/", "/boards?pageSize=100", "/api/boards?pageSize=100", "/api/boards.pbn"):
        for by in ("Django", "what is in front of it"):
            before = limiter.counts.get("192.0.2.7", 0)
            assert client.get(path).status_code == 200
            assert limiter.counts["192.0.2.7"] >= before + 3, (path, by)


def test_a_dear_read_pays_for_the_time_in_which_it_waits_for_the_database(
    settings: Any, monkeypatch: MonkeyPatch
) -> None:
    settings.READ_RATE = "1000000/d"
    monkeypatch.setattr(read_limit, "SECONDS_OF_A_READ", 0.001)
    with exports.dear_read(request()):
        threading.Event().wait(0.02)  # which takes no processor time
    limiter = read_limit.read_limiter(settings.READ_RATE)
    assert limiter and limiter.counts["192.0.2.7"] >= 10


def test_an_export_that_is_collected_while_its_place_is_looked_for_is_freed() -> None:
    """The collector runs in any thread, also in one that is just taking a place."""
    export = Export([b"a"], "client")
    export.itself = export  # so that only the collector finds it
    del export

    def collect() -> None:
        with exports.permits.changed:
            gc.collect()

    thread = threading.Thread(target=collect, daemon=True)
    thread.start()
    thread.join(30)
    assert not thread.is_alive()
    assert not exports.permits.running
