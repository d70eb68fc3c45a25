"""`python -m bench.searches`: what searches cost, each of the guide's examples, on the database of DATABASE_URL.

Each line has the processor time of a search for the first page, in this process + in PostgreSQL, and how many boards it
finds. Fill a database with `python -m bench.load.seed 1000000` first. The boards themselves are not read.
"""

import argparse
import os
import re
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median, quantiles

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402

from bench.scratch import say  # noqa: E402
from boards.filters.parameters import BoardSelection  # noqa: E402
from boards.search.finding import Found, find_page, find_top  # noqa: E402
from themes.label_cache import get_label_cache, get_revision  # noqa: E402

GUIDE = Path(settings.BASE_DIR) / "docs" / "api" / "search.md"
EXAMPLES = re.findall(r"^\| `(.+?)` \| ", GUIDE.read_text(encoding="utf-8"), flags=re.MULTILINE)
TICK_MS = 1000 / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=20, help="How often each search runs.")
    repeat = parser.parse_args().repeat
    labels = get_label_cache(get_revision())
    costs = []
    say("search | boards | CPU ms ours + PostgreSQL")
    for text in ("", *EXAMPLES):
        condition = BoardSelection({}, search=text).condition(labels)
        costs.append(measure(text or "all boards", partial(find_page, condition, 0, 20), repeat))
    for text in ("dealer=north", "contract=4S"):
        condition = BoardSelection({}, search=text).condition(labels)
        measure(f"top: {text}", partial(find_top, condition, 0, 20), repeat)
    say(f"median {median(costs):.1f} ms, p95 {quantiles(costs, n=20)[-1]:.1f} ms, most {max(costs):.1f} ms")


def measure(name: str, search: Callable[[], Found], repeat: int) -> float:
    """Print what a search costs, and return its milliseconds. It has run some times before, as in a service."""
    for _ in range(6):
        found = search()
    own, server = time.process_time(), server_ms()
    for _ in range(repeat):
        search()
    ours = (time.process_time() - own) * 1000 / repeat
    theirs = (server_ms() - server) / repeat
    say(f"{name} | {found.total:,} | {ours:.2f} + {theirs:.2f}")
    return ours + theirs


def server_ms() -> float:
    """Return the processor time of this connection's process of PostgreSQL, which runs on this machine."""
    pid = connection.connection.info.backend_pid
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * TICK_MS


if __name__ == "__main__":
    main()
