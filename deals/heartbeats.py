"""The heartbeats of a worker's loops: written by the worker, read by those who watch it."""

import os
import socket
import time
from datetime import timedelta
from typing import Self

from django.db import Error
from django.utils import timezone

from config.worker.outages import OUTAGE_ERRORS, close_connection
from config.worker.shutdown import ShutdownRequest
from deals.models import Heartbeat

INTERVAL_SECONDS = 15
SILENT_AFTER = timedelta(minutes=3)
"""A loop without a heartbeat for so long does not work: a task may take two minutes, a mail server half of one."""
KEPT = timedelta(days=7)
"""How long the heartbeats of a worker that is gone are kept."""


class Heart(ShutdownRequest):
    """The shutdown request as one loop of a worker sees it. A loop that asks whether it shall end is alive.

    Each loop asks at least every other second, unless its work in hand keeps it. A heartbeat that cannot be written is
    left out: while the database is down nobody could read it either.
    """

    def __init__(self, shutdown: ShutdownRequest, loop: Heartbeat.Loop) -> None:
        super().__init__()
        self.shutdown = shutdown
        self.loop = loop
        self.worker = f"{socket.gethostname()[:50]}:{os.getpid()}"
        self.due = float("-inf")

    @property
    def requested(self) -> bool:
        return self.shutdown.requested

    @requested.setter
    def requested(self, value: bool) -> None:
        """Ignore the base class, which begins with False."""

    def request(self, *signal_and_frame: object) -> None:
        self.shutdown.request(*signal_and_frame)

    def check(self) -> None:
        self.shutdown.check()
        self.beat()

    def wait(self, seconds: float) -> None:
        self.beat()
        self.shutdown.wait(seconds)

    def beat(self) -> None:
        """Write that this loop is alive, at most every INTERVAL_SECONDS."""
        if time.monotonic() < self.due:
            return
        self.due = time.monotonic() + INTERVAL_SECONDS
        try:
            Heartbeat.objects.update_or_create({"beat_at": timezone.now()}, worker=self.worker, loop=self.loop)
        except OUTAGE_ERRORS as error:
            close_connection(error)

    @classmethod
    def of_worker(cls, shutdown: ShutdownRequest) -> tuple[Self, ...]:
        """Return a heart for each loop, in the order of Heartbeat.Loop. Forget the workers that are long gone."""
        try:
            Heartbeat.objects.filter(beat_at__lt=timezone.now() - KEPT).delete()
        except Error as error:  # the loops meet what is wrong, log it and go on
            close_connection(error)
        return tuple(cls(shutdown, loop) for loop in Heartbeat.Loop)
