"""What the worker does about once a second, beside the tasks: apps register it in `ready`."""

from collections.abc import Callable

UPKEEP: list[Callable[[], object]] = []


def register(function: Callable[[], object]) -> None:
    """Let the worker call this. It takes some seconds at most, and is safe in several workers at once."""
    UPKEEP.append(function)
