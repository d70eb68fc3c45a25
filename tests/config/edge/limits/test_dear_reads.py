"""The permit of a read that finds out on its way that it is dear."""

import gc
import weakref
from collections.abc import Iterator

import pytest
from django.http import HttpRequest, HttpResponse

from config.api.errors import TooManyRunning
from config.edge.limits import exports
from config.edge.limits.dear_reads import DEAR_ROWS, DearReads, take_permit_for
from tests.config.edge.limits.test_exports import request

MANY = DEAR_ROWS + 1


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[HttpRequest]:
    """Let this thread answer a request."""
    monkeypatch.setattr(exports, "WAIT_SECONDS", 0)
    gc.freeze()  # The collection after a dear read need not look at all that the tests before have left.
    one, check = request(), DearReads()
    check.check(one)
    yield one
    check.finish(one, HttpResponse())
    assert not exports.dear_reads.running


def running() -> int:
    return exports.dear_reads.running.total()


def test_a_request_takes_a_permit_for_many_rows_once_and_keeps_it(asked: HttpRequest) -> None:
    take_permit_for(DEAR_ROWS)
    assert running() == 0
    for _ in range(2):
        take_permit_for(MANY)
        assert running() == 1
    with exports.dear_read(asked):
        assert running() == 1
    assert running() == 1


def test_a_permit_that_a_view_has_taken_is_all_that_a_request_needs(asked: HttpRequest) -> None:
    with exports.dear_read(asked):
        take_permit_for(MANY)
        assert running() == 1
    assert running() == 0


def test_a_request_is_refused_while_another_reads_much(asked: HttpRequest) -> None:
    exports.dear_reads.take("192.0.2.0")
    with pytest.raises(TooManyRunning):
        take_permit_for(MANY)
    take_permit_for(DEAR_ROWS)
    exports.dear_reads.free("192.0.2.0")
    take_permit_for(MANY)


def test_what_answers_no_request_takes_none() -> None:
    exports.dear_reads.take("192.0.2.0")
    take_permit_for(MANY)
    assert running() == 1
    exports.dear_reads.free("192.0.2.0")


class Page:
    """What refers to itself, as Django's views and contexts do."""

    def __init__(self) -> None:
        self.itself = self


def test_what_a_dear_read_has_read_is_freed_when_it_ends() -> None:
    check = DearReads()
    gc.disable()
    try:
        for rows, is_kept in ((DEAR_ROWS, True), (MANY, False)):
            check.check(request())
            take_permit_for(rows)
            page = weakref.ref(Page())
            check.finish(request(), HttpResponse())
            assert (page() is not None) == is_kept, rows
    finally:
        gc.enable()
