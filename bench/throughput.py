"""`python -m bench.throughput [rounds] [deals]`: tables per second of the library alone, of one worker and of two.

The library is DDS with one thread, 40 deals at a time, in one process. Each round measures all
three on the same deals, one after the other, so that other users of the machine slow all of them alike. Processor
seconds per table are measured too: they depend less on other users.
"""

import subprocess
import sys
import time
from collections import defaultdict
from statistics import median

from bench.scratch import ROOT, child_of, cpu_seconds, say, scratch_database, solve, workers
from deals.models import Deal
from tests import factories

BATCH = 40
ALONE = f"""
import sys
from deals.bridge.layout import Layout
from deals.solver.library import Library
library = Library()
deals = [Layout(line) for line in sys.stdin.read().splitlines()]
print("ready", flush=True)
for start in range(0, len(deals), {BATCH}):
    library.compute_tables(deals[start : start + {BATCH}])
print("done", flush=True)
sys.stdin.close()
import time; time.sleep(60)
"""

Figures = tuple[float, float]
"""Tables per second and processor seconds per table."""


def measure_library(count: int, seed: int) -> Figures:
    """Measure the library from the moment when its process has read the deals."""
    cards = "\n".join(factories.layout(number).cards for number in range(seed, seed + count))
    with subprocess.Popen(
        [sys.executable, "-c", ALONE], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin and process.stdout
        process.stdin.write(cards)
        process.stdin.close()
        process.stdout.readline()
        before, started = cpu_seconds(process.pid), time.monotonic()
        process.stdout.readline()
        seconds, cpu = time.monotonic() - started, cpu_seconds(process.pid) - before
        process.kill()
    return count / seconds, cpu / count


def measure_workers(number: int, count: int, seed: int) -> Figures:
    with workers(number) as processes:
        pids = [pid for process in processes for pid in (process.pid, child_of(process.pid)) if pid]
        before = cpu_seconds(*pids)
        seconds = solve(count, seed)
        cpu = cpu_seconds(*pids) - before
    assert Deal.objects.filter(double_dummy_status="done").count() == count
    return count / seconds, cpu / count


def main(rounds: int, count: int) -> None:
    ways = {
        "library alone": lambda seed: measure_library(count, seed),
        "one worker": lambda seed: measure_workers(1, count, seed),
        "two workers": lambda seed: measure_workers(2, count, seed),
    }
    figures: dict[str, list[Figures]] = defaultdict(list)
    with scratch_database():
        for number in range(1, rounds + 1):
            for way, measure in ways.items():
                figures[way].append(measure(number * 1_000_000))
                rate, cpu = figures[way][-1]
                say(
                    f"round {number}  {way:14} {rate:6.2f} tables/s  {cpu * 1000:5.0f} ms of processor per table"
                )
    for way in ways:
        rates, cpus = zip(*figures[way], strict=True)
        relative = median(
            rate / base for rate, (base, _) in zip(rates, figures["library alone"], strict=True)
        )
        say(
            f"median   {way:14} {median(rates):6.2f} tables/s  {median(cpus) * 1000:5.0f} ms of processor per table  "
            f"{relative:.2f} × library alone (median of the rounds)"
        )


if __name__ == "__main__":
    main(*(int(argument) for argument in (*sys.argv[1:], *("5", "120")[len(sys.argv) - 1 :])))
