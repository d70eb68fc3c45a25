"""`python -m bench.waking [20]`: how soon an idle worker sees a deal, and a task, after they are committed.

A deal is seen when it is claimed, a task when it has run.
"""

import random
import sys
import time
from collections.abc import Callable
from statistics import median

from rest_framework.test import APIClient

from bench.scratch import pending, say, scratch_database, wait_until, workers
from deals.models import Deal
from tests import factories
from tests.config.worker.some_tasks import add


def seconds_until(condition: Callable[[], object]) -> float:
    began = time.monotonic()
    wait_until(condition, pause=0.005)
    return time.monotonic() - began


def deal(seed: int) -> float:
    client = APIClient(headers={"x-api-key": "an-api-key-for-tests-0123456789abcdef"})
    assert client.post("/api/deals", {"cards": factories.layout(seed).cards}).status_code == 201
    seen = seconds_until(lambda: Deal.objects.exclude(claimed_until=None).exists() or not pending())
    wait_until(lambda: not pending())
    return seen


def task(seed: int) -> float:
    result = add.enqueue(seed, 1)

    def finished() -> bool:
        result.refresh()
        return result.is_finished

    return seconds_until(finished)


def main(rounds: int) -> None:
    found: dict[str, list[float]] = {"deal": [], "task": []}
    with scratch_database(), workers(1):
        for number in range(rounds):
            for what, measure in (("deal", deal), ("task", task)):
                time.sleep(random.uniform(0, 3))  # anywhere between two looks
                found[what].append(measure(20_000_000 + number))
    for what, seconds in found.items():
        say(f"{what}: median {median(seconds):.2f} s, longest {max(seconds):.2f} s, of {rounds}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 20)
