"""Let 20 members and 4 strangers read and vote at once, and count what leaks: `python -m bench.leaks [--steps 100]`.

It is the deployment of tests/system/deploy/test_members_behind_nginx.py: nginx, which keeps public answers, two
processes, PostgreSQL and a replica. The exit status is 0 unless something leaked, a vote was not shown to who has cast
it, a counter is wrong at the end, the replica was not asked, or a request failed.
"""

import argparse
import sys
import warnings

from bench.scratch import say
from tests.system.deploy.test_members_behind_nginx import watch


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.leaks")
    parser.add_argument("--steps", type=int, default=100, help="what each of the 24 does")
    options = parser.parse_args()
    warnings.filterwarnings("ignore", "Unverified HTTPS request")
    report = watch(options.steps)
    wrong = [*report.leaks, *report.stale, *report.failures]
    for line in (str(report), *wrong[:20]):
        say(line)
    if wrong or not report.is_exact or not report.scans:
        sys.exit(1)


if __name__ == "__main__":
    main()
