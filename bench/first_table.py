"""`python -m bench.first_table [waiting] [rounds]`: how soon a single new board has its table while others wait.

The others are imported deals, which a worker is solving. In each round a program sends a deal, publishes a board of it
and waits for the double dummy. Also print how many of the others were solved meanwhile: that shows what a
table takes on this machine at this moment.
"""

import random
import sys
import time
from statistics import median

from rest_framework.test import APIClient

from bench.scratch import count_pending, make_pending, say, scratch_database, wait_until, workers
from deals.models import Deal
from tests import factories


def measure(seed: int) -> tuple[float, int]:
    """Return the seconds from the first request until the table is stored, and how many others were solved."""
    client = APIClient(headers={"x-api-key": "an-api-key-for-tests-0123456789abcdef"})
    pending, started = count_pending(), time.monotonic()
    deal = client.post("/api/deals", {"cards": factories.layout(seed).cards}).json()
    assert client.post(f"/api/deals/{deal['id']}/boards", {"boardNumber": 1}).status_code == 201
    wait_until(lambda: Deal.objects.get(pk=deal["id"]).double_dummy_status == "done", pause=0.02)
    return time.monotonic() - started, pending - count_pending()


def main(waiting: int, rounds: int) -> None:
    seconds: list[float] = []
    with scratch_database(), workers(1):
        make_pending(waiting, 30_000_000)
        wait_until(lambda: Deal.objects.exclude(claimed_until=None).exists())
        for number in range(rounds):
            time.sleep(random.uniform(0, 3))  # at any moment of a claim
            took, solved = measure(40_000_000 + number)
            say(f"round {number + 1}: {took:.1f} s, {solved} others solved meanwhile, {count_pending()} wait")
            seconds.append(took)
    say(f"median {median(seconds):.1f} s, longest {max(seconds):.1f} s, {waiting} deals waiting at the start")


if __name__ == "__main__":
    main(*(int(argument) for argument in (*sys.argv[1:], *("5000", "10")[len(sys.argv) - 1 :])))
