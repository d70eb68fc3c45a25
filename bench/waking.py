"""`python -m bench.waking [20]`: how soon an idle worker notices a deal, and a task, after they are committed.

A deal is noticed when it is claimed, a task when it has run.
"""

import random
import sys
import time
from collections.abc import Callable
from statistics import median

from rest_framework.test import APIClient

from bench.scratch import count_pending, say, scratch_database, wait_until, workers
from deals.models import Deal
from tests import factories
from tests.config.worker.some_tasks import add


def seconds_until(condition: Callable[[], object]) -> float:
    started = time.monotonic()
    wait_until(condition, pause=0.005)
    return time.monotonic() - started


def measure_deal(seed: int) -> float:
    client = APIClient(headers={"x-api-key": "an-api-key-for-tests-0123456789abcdef"})
    assert client.post("/api/deals", {"cards": factories.layout(seed).cards}).status_code == 201
    seconds = seconds_until(lambda: Deal.objects.exclude(claimed_until=None).exists() or not count_pending())
    wait_until(lambda: not count_pending())
    return seconds


def measure_task(seed: int) -> float:
    result = add.enqueue(seed, 1)

    def finished() -> bool:
        result.refresh()
        return result.is_finished

    return seconds_until(finished)


def main(rounds: int) -> None:
    measured: dict[str, list[float]] = {"deal": [], "task": []}
    with scratch_database(), workers(1):
        for number in range(rounds):
            for what, measure in (("deal", measure_deal), ("task", measure_task)):
                time.sleep(random.uniform(0, 3))  # at any moment between two polls
                measured[what].append(measure(20_000_000 + number))
    for what, seconds in measured.items():
        say(f"{what}: median {median(seconds):.2f} s, longest {max(seconds):.2f} s, of {rounds}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 20)
