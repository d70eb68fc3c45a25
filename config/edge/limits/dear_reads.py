"""The permit of a read that finds out on its way how much it reads, such as the tables of an event.

Code that reads many rows says how many before it does (`take_permit_for`), wherever it is: pages, the API and pictures
come to the same few functions, which know no request. A search that looks at boards says so (`keep_permit`). This
request check knows whose request a thread answers, and keeps the permit until the answer is made.
"""

import ctypes
import gc
import threading
from contextlib import AbstractContextManager, ExitStack, nullcontext

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.edge.limits.exports import HOLDS_PERMIT, dear_read
from config.edge.request_checks import RequestCheck

DEAR_ROWS = 2_000
"""The rows up to which a read takes no permit: they take a few hundredths of a second to read and to compare."""

malloc_trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
"""glibc's function. Other libraries have none."""


class Answering(threading.local):
    """The request that a thread answers, None for commands and for the chunks of an export, and what it holds."""

    request: HttpRequest | None = None
    has_many_rows = False

    def __init__(self) -> None:
        self.held = ExitStack()


answering = Answering()


def take_permit_for(rows: int) -> None:
    """Take a permit for dear reads if `rows` is large. Raise TooManyRunning when none gets free.

    The request keeps it, and never takes a second one. A command needs none, nor do the chunks of an export, which has
    a permit of its own. Nothing that is answered in front of Django reads so much.
    """
    if rows <= DEAR_ROWS or answering.request is None:
        return
    keep_permit()
    if not answering.has_many_rows:
        answering.has_many_rows = True
        answering.held.callback(give_memory_back)


def keep_permit() -> AbstractContextManager[None]:
    """Take a permit for the request that is answered, as `take_permit_for` does. Return a block that ends nothing.

    A page that looks at boards for its search asks for them by their numbers afterwards, several times and not cheaply.
    """
    request = answering.request
    if request is not None and HOLDS_PERMIT not in request.META:
        answering.held.enter_context(dear_read(request))
    return nullcontext()


def give_memory_back() -> None:
    """Return what the request has read to the system.

    Django's views and template contexts refer to themselves, so that all rows of a page stay until the collector looks
    at the oldest generation, and glibc keeps what is freed for the thread that has freed it.
    """
    gc.collect()
    if malloc_trim:
        malloc_trim(0)


class DearReads(RequestCheck):
    """Let the functions that read many rows take a permit for the request, and give it back with their memory."""

    def check(self, request: HttpRequest) -> None:
        answering.request = request

    def finish(self, request: HttpRequest, response: HttpResponseBase) -> None:
        answering.request, answering.has_many_rows = None, False
        answering.held.close()
