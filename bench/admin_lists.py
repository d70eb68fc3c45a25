"""Measure the lists of the admin on many rows: `python -m bench.admin_lists [--boards 100000]`.

Each list is requested plain, with a search, and with one choice of each of its filters, by an admin in one process. The
database of BENCH_DATABASE_URL is the one of `dev.py bench`, made once for each size. What staff's own lists need beside
boards is added in a transaction that is rolled back. --only names lists, such as `board`.
"""

import argparse
import subprocess
import sys

from bench.load.database import ensure_database
from bench.load.servers import ROOT, service_environment


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.admin_lists", description="Measure the admin's lists."
    )
    parser.add_argument("--boards", type=int, default=100_000)
    parser.add_argument("--database", help="its name; bridge_bench_SIZE by default")
    parser.add_argument("--only", nargs="*", default=[], help="the models whose lists are measured")
    options = parser.parse_args()
    url = ensure_database(options.database or f"bridge_bench_{options.boards}", options.boards)
    steps = [sys.executable, "-m", "bench.admin_list_steps", *options.only]
    subprocess.run(steps, cwd=ROOT, env=service_environment(url), check=True)


if __name__ == "__main__":
    main()
