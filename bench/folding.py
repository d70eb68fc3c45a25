"""`python -m bench.folding`: what a fold costs, and how long writers wait for it, on the database of DATABASE_URL.

The database is one that `bench.load.seed` has filled and folded. Boards of a full segment are indexed anew, so
that they are rows, and folded into it again: the newest, or with `--scattered` one here and one there.
Meanwhile another process takes the lock that every writer of a board takes, and gives it back at once. Printed
are the processor time of a fold, in this process + in PostgreSQL, its time by the clock, and the longest of the
writer's waits.
"""

import argparse
import time
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event as Stop
from statistics import median

import django

django.setup()

from django.db import connection, connections, transaction  # noqa: E402

from bench.scratch import say  # noqa: E402
from bench.searches import server_ms  # noqa: E402
from boards.models import IndexRow, Segment  # noqa: E402
from boards.search.checking import keys_of, mend  # noqa: E402
from boards.search.segments import fold, fold_all  # noqa: E402
from boards.search.storing import SEGMENTS  # noqa: E402
from config.database.advisory_locks import lock_until_commit  # noqa: E402

PAUSE_SECONDS = 0.005


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=4_000, help="The rows of a fold.")
    parser.add_argument(
        "--scattered", action="store_true", help="Take boards here and there, as after changes."
    )
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    fold_all()
    costs, waits = [], []
    for number in range(options.repeat):
        make_rows(options.rows, scattered=options.scattered)
        wait, cost = measure(options.rows)
        ours, server, clock = cost
        say(
            f"fold {number + 1}: {ours:.2f} + {server:.2f} s of processor time, {clock:.2f} s; wait {wait:.1f} ms"
        )
        costs.append(ours + server)
        waits.append(wait)
    say(f"median {median(costs):.2f} s of processor time, longest wait {max(waits):.1f} ms")


def make_rows(count: int, *, scattered: bool) -> None:
    """Index boards of a full segment anew: its newest ones, or one here and one there."""
    segment = Segment.objects.order_by("-boards", "-oldest")[0]
    keys = keys_of(segment)
    mend(keys[:: len(keys) // count][:count] if scattered else keys[-count:])
    say(f"{IndexRow.objects.count():,} rows beside a segment of {segment.boards:,} boards")


def measure(rows: int) -> tuple[float, tuple[float, float, float]]:
    """Fold once. Return the longest wait in milliseconds, and the costs in seconds."""
    processes = get_context("spawn")
    ours, theirs = processes.Pipe()
    stop = processes.Event()
    connections.close_all()
    writer = processes.Process(target=write, args=(theirs, stop))
    writer.start()
    ours.recv()
    connection.ensure_connection()
    own, server, clock = time.process_time(), server_ms()[0], time.monotonic()
    fold(least=1, rows=rows)
    cost = time.process_time() - own, (server_ms()[0] - server) / 1000, time.monotonic() - clock
    stop.set()
    longest = ours.recv()
    writer.join()
    return longest, cost


def write(results: Connection, stop: Stop) -> None:
    """Take the lock of writers until it is enough. Send when it begins, and the longest wait in milliseconds."""
    longest, begun = 0.0, False
    while not stop.is_set():
        started = time.monotonic()
        with transaction.atomic():
            lock_until_commit(SEGMENTS, shared=True)
        if begun:
            longest = max(longest, time.monotonic() - started)
        else:
            results.send("ready")
        begun = True
        time.sleep(PAUSE_SECONDS)
    results.send(longest * 1000)


if __name__ == "__main__":
    main()
