"""Let 20 members and 4 strangers read and vote at once, and count what leaks: `python -m bench.leaks [--steps 100]`.

It is the deployment of tests/system/deploy/test_members_behind_nginx.py: nginx, which keeps public answers, two
processes, PostgreSQL and a replica. The exit status is 0 unless something leaked, a vote was not shown to who has cast
it, a counter is wrong at the end, or a request failed.
"""

import argparse
import sys
import warnings
from time import monotonic

from bench.scratch import say
from tests.system.deploy.crowd import Report, let_in
from tests.system.deploy.test_members_behind_nginx import expected, site


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.leaks")
    parser.add_argument("--steps", type=int, default=100, help="what each of the 24 does")
    options = parser.parse_args()
    warnings.filterwarnings("ignore", "Unverified HTTPS request")
    report = Report()
    with site() as here:
        before, crowd, started = here.counters(), here.crowd(report), monotonic()
        let_in(crowd, options.steps)
        seconds, after = monotonic() - started, here.counters()
    say(f"{report}. {seconds:.0f} s. Counters exact: {after == expected(before, crowd)}.")
    wrong = [*report.leaks, *report.stale, *report.failures]
    for line in wrong[:20]:
        say(line)
    if wrong or after != expected(before, crowd):
        sys.exit(1)


if __name__ == "__main__":
    main()
