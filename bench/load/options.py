"""The options of `python3 dev.py bench`."""

import argparse
from collections.abc import Sequence


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    description = "Measure the service under load, beside the least that its answers can cost."
    parser = argparse.ArgumentParser(prog="python3 dev.py bench", description=description)
    add = parser.add_argument
    add("--sizes", type=numbers, default=[1_000, 100_000], help="numbers of boards: 1000,100000")
    add("--cases", type=words, help="cases or groups of them, such as first,filters; else all but pairs")
    add("--rounds", type=int, default=5)
    add("--seconds", type=int, default=3, help="of each server in each round")
    add("--changing", action="store_true", help="measure reads also while something commits all the time")
    add("--rivals", action="store_true", help="measure Litestar and ours under granian too")
    add("--anew", action="store_true", help="make the databases anew")
    add("--database", default="bridge_bench_{}", help="its name; {} becomes the size")
    return parser.parse_args(arguments)


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]


def words(text: str) -> list[str]:
    return text.split(",")
