"""Measure what reads cost in one process, here and in other checkouts: `python -m bench.reads [--tree FOLDER …]`.

No server and no load is between, so this is steadier than `dev.py bench` and shows what a change of the service bought.
Each checkout seeds a PostgreSQL database of its own, and all are measured in turn. Printed are medians of the rounds.
"""

import argparse
import json
from contextlib import ExitStack
from pathlib import Path

from bench.checkouts import Figures, drop_database, make_database, render, run
from bench.load.servers import ROOT, service_environment
from bench.scratch import say

STEPS = Path(__file__).with_name("read_steps.py")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.reads", description="Measure what reads cost.")
    parser.add_argument("--tree", type=Path, action="append", default=[], help="another checkout to measure")
    parser.add_argument("--boards", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    trees = [ROOT, *(tree.resolve() for tree in options.tree)]
    results: dict[Path, list[Figures]] = {tree: [] for tree in trees}
    with ExitStack() as stack:
        environments = {}
        for number, tree in enumerate(trees):
            url = make_database(number)
            stack.callback(drop_database, url)
            environments[tree] = {**service_environment(url), "PYTHONPATH": str(tree)}
            say(run(tree, environments[tree], "-m", "bench.load.seed", str(options.boards)))
        for number in range(options.rounds):
            for tree in trees if number % 2 == 0 else reversed(trees):
                results[tree].append(json.loads(run(tree, environments[tree], STEPS)))
    say(render(results))


if __name__ == "__main__":
    main()
