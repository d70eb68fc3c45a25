"""Limits on exports: how many run at once, how many a client may begin, and what they cost."""

import gc
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.test import APIClient

from config.api.errors import TooManyRunning
from config.api.handlers import error_response
from config.database import reading
from config.edge.limits import exports, read_limit
from config.edge.limits.exports import MAX_RUNNING, MAX_WAITING, MAX_WAITING_OF_CLIENT, Export, stream
from config.edge.limits.read_limit import ReadLimiter
from config.edge.middleware import ReplicaMiddleware
from tests import factories
from tests.answers import assert_error
from tests.config.site.documents import Document
from tests.log_lines import Lines
from tests.service_client import ServiceClient

pytestmark = pytest.mark.django_db

EXPORTS = [("/api/boards.pbn", {}), ("/api/boards", {"accept": "application/x-ndjson"}), ("/sitemap-1.xml", {})]
IDS = ["pbn", "ndjson", "sitemap"]


@pytest.fixture(autouse=True)
def _still_clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stop the clock, so that no window ends within a test, and wait for no place."""
    monkeypatch.setattr(exports, "WAIT_SECONDS", 0)
    with time_machine.travel("2026-11-21T12:00:20Z", tick=False):
        yield


def read(path: str, headers: dict[str, str], address: str = "192.0.2.7") -> Any:
    return APIClient().get(path, headers=headers, REMOTE_ADDR=address)


def begin(path: str, headers: dict[str, str], address: str = "192.0.2.7") -> Any:
    """Begin an export and read none of it."""
    answer = read(path, headers, address)
    assert answer.status_code == 200
    return answer


def end(answer: Any) -> None:
    """Read an export to its end, and so close it. Its `close` alone would end the transaction of the test too."""
    b"".join(answer.streaming_content)


# --- How many run at once ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("path", "headers"), EXPORTS, ids=IDS)
def test_one_export_of_a_client_and_few_in_all_run_at_once(path: str, headers: dict[str, str]) -> None:
    running = [begin(path, headers, f"192.0.2.{number}") for number in range(MAX_RUNNING)]
    for address in ("192.0.2.0", "192.0.2.99"):
        refused = read(path, headers, address)
        assert refused.status_code == 503
        assert int(refused["Retry-After"]) >= 1
    assert read("/api/boards", {}).status_code == 200
    end(running.pop())
    end(begin(path, headers, "192.0.2.99"))
    end(running.pop())
    end(begin(path, headers, "192.0.2.0"))
    assert not exports.permits.running


@pytest.mark.parametrize(("path", "headers"), EXPORTS, ids=IDS)
def test_a_refused_export_says_so_and_is_no_error_in_the_log(path: str, headers: dict[str, str], lines: Lines) -> None:
    running = begin(path, headers)
    refused = read(f"{path}?_=%22%3E1", headers)
    assert "Many exports are running. Look again in a few seconds." in refused.content.decode()
    if path.startswith("/api"):
        assert_error(refused, 503, "service_unavailable")
    else:
        page = Document(refused)
        assert page.texts("h1") == ["Too much is running at once"]
        assert page.links()["Look again"] == "?_=%22%3E1"
    (line,) = lines.of("config.api.handlers")
    assert (line["level"], line["message"]) == ("info", "Many exports are running. Look again in a few seconds.")
    assert not lines.of("django.request")
    end(running)


def test_a_refused_export_is_no_failure_of_a_replica(monkeypatch: pytest.MonkeyPatch) -> None:
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
    board = factories.board(event="Friday pairs")
    for client in ("192.0.2.7", "192.0.2.8"):
        exports.permits.take(client)
    for path in (
        "/boards?pageSize=100", "/boards/print", f"/events/{board.event_slug}/print",
        f"/events/{board.event_slug}/results", "/api/boards?pageSize=100",
    ):  # fmt: skip
        assert read(path, {}).status_code == 200


def test_an_export_waits_for_its_permit_and_few_do(monkeypatch: pytest.MonkeyPatch) -> None:
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


@pytest.mark.parametrize("path", ["/api/boards.pbn", "/api/boards", "/sitemap-1.xml"])
@pytest.mark.parametrize("method", ["head", "get"])
def test_every_way_to_end_an_export_frees_its_place(method: str, path: str) -> None:
    for _ in range(3):
        getattr(ServiceClient(headers={"accept": "application/x-ndjson, */*"}), method)(path)
    assert not exports.permits.running


def test_an_export_that_fails_or_is_forgotten_frees_its_place() -> None:
    def broken() -> Iterator[bytes]:
        yield b"a"
        raise RuntimeError("a mistake")

    answer = stream(request(), "boards", broken(), "text/plain")
    with pytest.raises(RuntimeError):
        list(answer)
    answer.close()
    stream(request(), "boards", iter([b"a"]), "text/plain")
    assert not exports.permits.running


def test_places_are_exact_under_threads() -> None:
    barrier = threading.Barrier(20)
    taken: list[str] = []

    def take(number: int) -> None:
        barrier.wait()
        try:
            exports.permits.take(str(number))
        except TooManyRunning:
            return
        taken.append(str(number))

    threads = [threading.Thread(target=take, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for client in taken:
        exports.permits.free(client)
    assert len(taken) == MAX_RUNNING


SUMMARIES = ("/api/boards/summary?by=theme,lead", "/boards/summary?by=theme&and=lead")


def test_summaries_have_permits_of_their_own_and_other_reads_need_none() -> None:
    exports.dear_reads.take("192.0.2.0")
    for path in SUMMARIES:
        for address in ("192.0.2.0", "192.0.2.99"):
            refused = read(path, {}, address)
            assert refused.status_code == 503, path
            assert int(refused["Retry-After"]) >= 1
            assert "Many boards are being counted. Look again in a few seconds." in refused.content.decode()
    assert read("/api/boards", {}).status_code == 200
    end(begin("/api/boards.pbn", {}))
    exports.dear_reads.free("192.0.2.0")
    for path in SUMMARIES:
        assert read(path, {}).status_code == 200, path
        assert read(path.replace("theme", "nothing"), {}).status_code == 400, path
    assert not exports.dear_reads.running


def request(address: str = "192.0.2.7") -> HttpRequest:
    one = HttpRequest()
    one.META["REMOTE_ADDR"] = address
    return one


# --- How many a client may begin -----------------------------------------------------------------------------


@pytest.mark.parametrize(("path", "headers"), EXPORTS, ids=IDS)
def test_a_client_begins_no_more_exports_than_the_rate_allows(
    path: str, headers: dict[str, str], settings: Any
) -> None:
    settings.EXPORT_RATE = "3/d"
    statuses = []
    for _ in range(5):
        answer = read(path, headers)
        statuses.append(answer.status_code)
        if answer.streaming:
            end(answer)
    assert statuses == [200, 200, 200, 429, 429]
    assert 1 <= int(answer["Retry-After"]) <= 24 * 3600 + 1
    end(begin(path, headers, "192.0.2.8"))
    assert read("/api/boards", {}).status_code == 200
    assert not exports.permits.running


def test_a_refused_query_is_no_export(settings: Any) -> None:
    settings.EXPORT_RATE = "1/d"
    for _ in range(3):
        assert read("/api/boards.pbn?dealer=X", {}).status_code == 400
        assert read("/sitemap-9.xml", {}).status_code == 404
    end(begin("/api/boards.pbn", {}))


def test_sitemaps_and_files_of_boards_are_counted_apart(settings: Any) -> None:
    settings.EXPORT_RATE = "1/d"
    end(begin("/api/boards.pbn", {}))
    end(begin("/sitemap-1.xml", {}))
    assert_error(read(*EXPORTS[1]), 429, "rate_limited")


def test_without_counters_exports_go_on_and_without_a_rate_too(settings: Any) -> None:
    settings.EXPORT_RATE = "1/d"
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1/0"}
    }
    for _ in range(3):
        end(begin("/api/boards.pbn", {}))
    settings.EXPORT_RATE = ""
    for _ in range(3):
        end(begin("/api/boards.pbn", {}))


# --- What reads cost -----------------------------------------------------------------------------------------


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


def test_what_a_read_costs_is_counted(
    settings: Any, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
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
            with subtests.test(path=path, by=by):
                before = limiter.counts.get("192.0.2.7", 0)
                assert client.get(path).status_code == 200
                assert limiter.counts["192.0.2.7"] >= before + 3


def test_a_dear_read_pays_for_the_time_in_which_it_waits_for_the_database(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.READ_RATE = "1000000/d"
    monkeypatch.setattr(read_limit, "SECONDS_OF_A_READ", 0.001)
    with exports.dear_read(request()):
        threading.Event().wait(0.02)  # which takes no processor time
    limiter = read_limit.read_limiter(settings.READ_RATE)
    assert limiter and limiter.counts["192.0.2.7"] >= 10


def test_a_client_whose_reads_cost_much_is_refused_earlier(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.READ_RATE = "12/d"
    factories.board()

    def served() -> int:
        read_limit.read_limiter.cache_clear()
        client = APIClient(REMOTE_ADDR="192.0.2.7")
        return [client.get("/boards").status_code for _ in range(13)].count(200)

    monkeypatch.setattr(read_limit, "SECONDS_OF_A_READ", 3600)
    assert served() == 12
    monkeypatch.setattr(read_limit, "SECONDS_OF_A_READ", 0.000_1)
    assert served() < 6


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
