"""The judge of `dev.py soak`, what it counts, that its traffic is answered, and that other benches have figures."""

import os
import subprocess
import sys
import threading
from contextlib import ExitStack
from tempfile import TemporaryFile
from typing import Any

import pytest
from django.db import connection

from bench.soak.sampling import Sample, family_of, take_sample
from bench.soak.traffic import SHARES, Answer
from bench.soak.verdict import judge
from tests.system.bench.databases import run_with_database
from tests.system.deployment import python


def answers(last_seconds: float = 0.01) -> list[Answer]:
    return [
        Answer(kind, at, last_seconds if at >= 500 else 0.01, "200")
        for kind in SHARES
        for at in (number / 2 for number in range(1200))
    ]


def samples(**last: Any) -> list[Sample]:
    usual = {"connections": 16, "descriptors": 80, "threads": 20, "load": 1.0, "memory": {1: 100.0, 2: 100.0}}
    return [Sample(at=float(at), **(usual | (last if at >= 500 else {}))) for at in range(0, 600, 5)]


def problems(some_answers: list[Answer], some_samples: list[Sample]) -> list[str]:
    return judge(some_answers, some_samples, first=0, last=600, part=100)[1]


def test_what_stays_as_it_is_passes_and_no_samples_of_a_part_are_no_success() -> None:
    assert problems(answers(), samples()) == []
    assert problems(answers(), [sample for sample in samples() if sample.at < 500])


def test_what_grows_beyond_its_bound_fails_and_within_it_passes() -> None:
    for within, beyond, word in (
        ({"memory": {1: 100.0, 2: 109.0}}, {"memory": {1: 100.0, 2: 111.0}}, "memory grew from 200 to 211; 210"),
        ({"connections": 18}, {"connections": 19}, "connections grew from 16 to 19"),
        ({"descriptors": 90}, {"descriptors": 91}, "descriptors grew from 80 to 91"),
        ({"threads": 24}, {"threads": 25}, "threads grew from 20 to 25"),
    ):
        assert problems(answers(), samples(**within)) == []
        (problem,) = problems(answers(), samples(**beyond))
        assert problem.startswith(word)


def test_a_slower_last_part_and_each_failed_request_are_told() -> None:
    assert problems(answers(last_seconds=0.0129), samples()) == []
    (problem,) = problems(answers(last_seconds=0.0131), samples())
    assert problem == "the last p99 is 1.31 × the first one; 1.3 is allowed"
    for status in ("500", "429", "TimeoutError"):
        (problem,) = problems([*answers(), Answer("vote", 300, 0.01, status)], samples())
        assert problem == f"1 of 7,201 requests: {{'vote {status}': 1}}"


class NoDatabase:
    """Stands for PostgreSQL, which is asked for its sessions."""

    def execute(self, *arguments: object) -> "NoDatabase":
        return self

    def fetchall(self) -> list[tuple[int]]:
        return [(1,), (2,)]


def test_a_sample_counts_the_files_and_threads_of_a_process_and_its_children() -> None:
    release = threading.Event()
    waiting = [sys.executable, "-c", "print(flush=True); input()"]
    with subprocess.Popen(waiting, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child, ExitStack() as files:
        assert child.stdout
        child.stdout.readline()  # by now it has opened and closed its own files
        before = take_sample(0, [os.getpid()], NoDatabase())
        for _ in range(50):
            files.enter_context(TemporaryFile())
        thread = threading.Thread(target=release.wait)
        thread.start()
        after = take_sample(1, [os.getpid()], NoDatabase())
        release.set()
        thread.join()
        assert {os.getpid(), child.pid} <= set(family_of(os.getpid())) == set(after.memory)
        child.communicate(b"\n")
    assert after.descriptors - before.descriptors == 50 and after.threads - before.threads == 1
    assert after.connections == 2 and min(after.memory.values()) > 0


@pytest.mark.django_db
@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="bench.load's seed copies rows as PostgreSQL does")
def test_a_short_soak_is_answered_without_a_failure() -> None:
    """So short a run says nothing about growth, so its exit status is not looked at."""
    name = f"{connection.settings_dict['NAME']}_soak"
    options = ("--minutes", "0.15", "--boards", "50", "--clients", "2", "--database", name)
    without_redis = ("--cache", "")  # gunicorn has one process then
    printed = run_with_database(name, sys.executable, "-m", "bench.soak", *options, *without_redis, check=False)
    assert " requests, 0 failed; " in printed
    assert "| all |" in printed and "| memory |" in printed


WRITES = ("publish a board", "unpublish it in the admin", "store 20 solutions")
PAGES = ("a step with costs", "an evening, a member", "home, kept")


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "postgresql", reason="They measure PostgreSQL.")
def test_each_name_has_its_figures() -> None:
    writes = python({**os.environ}, "-m", "bench.writes", "--boards", "40")
    pages = python({**os.environ}, "-m", "bench.pages", "--unsolved", "--tables", "2", "--rounds", "1")
    for name in (*WRITES, *PAGES):
        assert f"\n| {name} | " in writes + pages
