"""The signs of life of a worker's loops."""

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from config.worker.runner import Runner, ShutdownRequest, ShutdownRequested
from deals import watching
from deals.models import Heartbeat
from deals.watching import KEPT, Heart

pytestmark = pytest.mark.django_db


def test_a_loop_gives_signs_of_life_and_not_at_every_round() -> None:
    heart = Heart(ShutdownRequest(), Heartbeat.Loop.TASKS)
    Runner(heart).run(once=True)
    beats = [Heartbeat.objects.get(loop="tasks").beat_at]
    for due, act in ((heart.due, heart.check), (0, lambda: heart.wait(0))):
        heart.due = due
        act()
        beats.append(Heartbeat.objects.get(loop="tasks").beat_at)
    assert beats[0] == beats[1] < beats[2]


def test_the_heart_of_a_loop_is_the_shutdown_of_the_worker() -> None:
    shutdown = ShutdownRequest()
    solver, tasks, _ = Heart.of_worker(shutdown)
    assert [heart.requested for heart in (solver, tasks)] == [False, False]
    solver.request()
    assert [heart.requested for heart in (shutdown, solver, tasks)] == [True] * 3
    for act in (tasks.check, lambda: tasks.wait(60)):
        with pytest.raises(ShutdownRequested):
            act()


def test_the_heartbeats_of_workers_that_are_long_gone_are_deleted() -> None:
    Heartbeat.objects.all().delete()  # of real workers that an earlier test has run in this process
    for age, name in ((KEPT + timedelta(hours=1), "gone"), (KEPT - timedelta(hours=1), "lately")):
        Heartbeat.objects.create(worker=name, loop="tasks", beat_at=timezone.now() - age)
    Heart.of_worker(ShutdownRequest())
    assert [each.worker for each in Heartbeat.objects.all()] == ["lately"]


def test_a_heartbeat_that_cannot_be_written_stops_no_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise OperationalError("the database is down")

    Heartbeat.objects.all().delete()  # as above
    heart = Heart(ShutdownRequest(), Heartbeat.Loop.TASKS)
    monkeypatch.setattr(watching, "close_connection", lambda error: None)
    monkeypatch.setattr(Heartbeat.objects, "update_or_create", fail)
    heart.check()
    assert not Heartbeat.objects.exists()
