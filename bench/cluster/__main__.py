"""`python3 dev.py cluster [--seed 1] [--minutes 0] [--only WORD]`: what callers notice while each part fails in turn.

docs/reliability/cluster.md says what runs and what is compared. Each fault has its turn, in an order that the seed
gives, and again until the minutes are over. Patroni chooses who is promoted, and when.

Printed for each fault: requests, how many failed (no answer or none of 2xx), the longest time in which no read and no
write succeeded, the seconds from the end of the fault to the last failure, those until all three servers are there and
standbys answer public reads, and acknowledged writes that are lost.
"""

import argparse
import random
import sys
import time

from bench.cluster.faults import Fault, faults
from bench.cluster.stage import Stage, stage
from bench.cluster.verdict import find_wrong
from bench.scratch import say
from tests.system.guides.service import API_KEY
from tests.traffic import Traffic, longest_silence

CALM_SECONDS = 2
SERVED_SECONDS = 3  # a fault is over when nothing has failed for so long
COLUMNS = f"{'fault':38} requests  failed no read s no write s healed s whole s lost"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python3 dev.py cluster")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=0, help="one round is made at least")
    parser.add_argument("--only", default="", help="the faults whose names have this word")
    options = parser.parse_args()
    draw, until, lost = random.Random(options.seed), time.monotonic() + options.minutes * 60, 0
    with stage(say) as whole:
        table = {name: fault for name, fault in faults(whole).items() if options.only in name}
        traffic = Traffic([whole.base], whole.boards, whole.tokens, API_KEY, options.seed)
        with traffic.running():
            say(COLUMNS)
            while True:
                for name in draw.sample(list(table), len(table)):
                    lost += suffer(whole, traffic, name, table[name], draw.uniform(3, 6))
                if time.monotonic() >= until:
                    break
        counts = ", ".join(f"{len(rows)} {kind}s" for kind, rows in traffic.acknowledged.items())
        say(f"acknowledged: {counts}; seed {options.seed}")
        say(f"deals of the publisher that wait for a solver: {count_waiting(whole, traffic)}")

        def is_right() -> bool:
            return all(whole.run("manage.py", name, "--check") == 0 for name in ("refresh_boards", "index_boards"))

        wrong = find_wrong(traffic, whole.machines.fetch, is_right)
        say(f"wrong at the end: {', '.join(f'{count} {kind}s' for kind, count in wrong.items())}")
    return 1 if lost or any(wrong.values()) else 0


def suffer(whole: Stage, traffic: Traffic, name: str, fault: Fault, seconds: float) -> int:
    """Let a fault take its course, print what callers noticed, and return how many acknowledged writes are lost."""
    time.sleep(CALM_SECONDS)
    traffic.refusals.clear()
    began_at = time.monotonic()
    fault(seconds)
    ended_at = time.monotonic()
    while True:
        failed_at = max((call.ended_at for call in traffic.calls if not call.succeeded), default=0.0)
        if time.monotonic() - max(ended_at, failed_at) > SERVED_SECONDS:
            break
        time.sleep(0.1)
    now = time.monotonic()
    calls = [call for call in traffic.calls if call.ended_at >= began_at]
    failures = [call for call in calls if not call.succeeded]
    silences = [
        longest_silence((call for call in calls if call.kind == kind), began_at, now) for kind in ("read", "write")
    ]
    healed = max(0.0, max((call.ended_at for call in failures), default=0.0) - ended_at)
    whole.machines.wait_until_whole()
    is_whole = time.monotonic() - ended_at
    lost = sum(traffic.find_lost(whole.machines.fetch).values())
    figures = f"{len(calls):8} {len(failures):6} {silences[0]:9.1f} {silences[1]:10.1f} {healed:8.1f} {is_whole:7.1f}"
    say(f"{name:38} {figures} {lost:4}")
    for refusal, count in traffic.refusals.most_common(4):
        say(f"    {count} × {refusal}")
    return lost


def count_waiting(whole: Stage, traffic: Traffic) -> int:
    """Return how many of the traffic's deals no worker has solved a minute later."""
    deals = {deal for (deal,) in traffic.acknowledged["deal"]}
    sql, deadline = "SELECT id FROM deals_deal WHERE double_dummy_status = 'pending'", time.monotonic() + 60
    while (waiting := deals & {str(pk) for (pk,) in whole.machines.fetch(sql)}) and time.monotonic() < deadline:
        time.sleep(0.2)
    return len(waiting)


if __name__ == "__main__":
    sys.exit(main())
