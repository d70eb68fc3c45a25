"""Holding work to being linear, by processor time: on a busy machine it takes longer, but counts no more."""

import gc
import time
from collections.abc import Callable
from typing import TypeVar

MAX_RATIO = 2.5
LARGEST = 125_000
"""The limit of the smaller size: twice as much is still one record of a bridge file."""

ENOUGH_SECONDS = 0.003
RUNS, ATTEMPTS = 3, 4

Input = TypeVar("Input")


def assert_linear(make: Callable[[int], Input], work: Callable[[Input], object], least: int = 4_000) -> None:
    """Assert that twice the size costs at most MAX_RATIO times the processor time.

    The sizes grow from `least` until the smaller one takes long enough to be measured. The least of several runs
    counts, and what is too much is measured again before it fails.
    """
    size = least
    gc.disable()  # A collection looks at all that the tests have loaded.
    try:
        while size * 2 <= LARGEST and seconds_of(work, make(size)) < ENOUGH_SECONDS:
            size *= 2
        small, large = make(size), make(2 * size)
        times = 1 + int(ENOUGH_SECONDS / max(seconds_of(work, small), 1e-6))
        ratios = (ratio_of(work, small, large, times) for _ in range(ATTEMPTS))
        ratio = next((ratio for ratio in ratios if ratio <= MAX_RATIO), None)
    finally:
        gc.enable()
    assert ratio, f"{2 * size} bytes cost more than {MAX_RATIO} times as much as {size}, in {ATTEMPTS} attempts"


def ratio_of(work: Callable[[Input], object], small: Input, large: Input, times: int) -> float:
    """Return how many times longer the large one takes. Runs of both alternate, so that both meet the same machine."""
    runs = [(seconds_of(work, small, times), seconds_of(work, large, times)) for _ in range(RUNS)]
    return min(large for _, large in runs) / min(small for small, _ in runs)


def seconds_of(work: Callable[[Input], object], data: Input, times: int = 1) -> float:
    start = time.thread_time()
    for _ in range(times):
        work(data)
    return time.thread_time() - start
