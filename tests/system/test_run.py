"""`dev.py run` and other commands, each in its process: nothing is left behind or lost, whatever ends them."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from accounts.identifiers import LOCAL_ADMIN
from accounts.models import Account
from tests.accounts.test_commands import run as run_command
from tests.system.deployment import ROOT, free_port, of, python, url_of_tests, wait_until
from tests.system.servers.deploying import is_gone
from tools import run
from tools.children import run_children
from tools.run import MAKE_ADMIN, PREPARE, read_env_file, service_environment, write_env_file

RUNNER = """
import os, sys, time
from pathlib import Path
from tools.children import run_children
sleep = ["sh", "-c", "sleep 600; true"]
with run_children({"service": sleep, "worker": sleep}, os.environ) as (processes, start):
    processes["worker"].kill()
    processes["worker"].wait()
    start("worker")
    time.sleep(1)
    pids = [process.pid for process in processes.values()]
    grandchildren = [int(Path(f"/proc/{pid}/task/{pid}/children").read_text()) for pid in pids]
    print(*pids, *grandchildren, flush=True)
    time.sleep(600)
"""
"""A program that runs two children, each with a child of its own, as gunicorn has. One was started again."""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_no_process_is_left_behind_by_a_signal_to_dev_py_alone(number: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", RUNNER], cwd=ROOT, stdout=subprocess.PIPE, text=True) as runner:
        assert runner.stdout is not None
        pids = [int(pid) for pid in runner.stdout.readline().split()]
        assert len(pids) == 4 and not any(map(is_gone, pids))
        runner.send_signal(number)
        wait_until(lambda: all(map(is_gone, pids)))


def test_a_worker_that_ends_is_started_again_and_the_service_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    starts = tmp_path / "starts"
    worker = [sys.executable, "-c", f"open({str(starts)!r}, 'a').write('x'); raise SystemExit(3)"]
    service = [sys.executable, "-c", f"import time\nwhile open({str(starts)!r}, 'a+').seek(0, 2) < 3: time.sleep(0.05)"]
    with run_children({"service": service, "worker": worker}, os.environ) as (processes, start):
        assert run.watch(processes, start) == 1
    said = capsys.readouterr().out
    assert said.count("The worker ended by itself (exit code 3). It is started again in ") >= 2
    assert said.endswith("The service ended by itself (exit code 0). The lines above say why.\n")


def test_a_command_explains_itself_and_starts_nothing() -> None:
    for arguments, status, said in (
        ("run --help", 0, "Usage: python3 dev.py run\n\nStart a service"),
        ("openapi -h", 0, "Usage: python3 dev.py openapi\n\nRecord"),
        ("run --port 8001", 1, "--port is not an option. Usage: python3 dev.py run\n"),
        ("nonsense", 1, "The commands of a newcomer"),
    ):
        command = [sys.executable, "dev.py", *arguments.split()]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == status and (done.stdout + done.stderr).startswith(said), arguments


# --- var/env -------------------------------------------------------------------------------------------------

WRITE = """
import resource, sys
from pathlib import Path
from tools.run import write_env_file
resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
write_env_file(Path(sys.argv[1]), {"SECRET_KEY": "another", "API_KEY": "another"})
"""
"""A write that fails in its middle, as on a disk that is full."""


def test_a_write_of_the_secrets_that_fails_leaves_the_former_ones(tmp_path: Path) -> None:
    path = tmp_path / "env"
    secrets = {"SECRET_KEY": "s" * 50, "API_KEY": "k" * 32}
    write_env_file(path, secrets)
    command = [sys.executable, "-c", WRITE, str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "File too large" in done.stderr
    assert read_env_file(path) == secrets
    assert list(tmp_path.iterdir()) == [path]
    assert path.stat().st_mode & 0o777 == 0o600


def test_secrets_are_made_once_and_not_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "VAR", tmp_path)
    for name in ("SECRET_KEY", "API_KEY"):
        monkeypatch.delenv(name, raising=False)
    secrets, files = zip(*((service_environment()["SECRET_KEY"], (tmp_path / "env").stat()) for _ in "12"), strict=True)
    assert secrets[0] == secrets[1]
    assert (files[0].st_ino, files[0].st_mtime_ns) == (files[1].st_ino, files[1].st_mtime_ns)


# --- Commands --------------------------------------------------------------------------------------------------------


def test_a_first_start_makes_no_admin_whom_a_token_names_and_each_loop_of_the_worker_lives(tmp_path: Path) -> None:
    """Run what `dev.py run` runs before the service: somebody at the provider may be called admin."""
    environment = of(f"sqlite:///{tmp_path / 'db.sqlite3'}", "https://id.example/jwks")
    python(environment, "-c", PREPARE)
    made, again = (python(environment, "-c", MAKE_ADMIN) for _ in "12")
    assert made.startswith("The account local-admin has the role admin.\n")
    assert re.search(r"shown only this once:\n\n    [\w-]{16}\n\n\Z", made), "the password stands last and alone"
    assert again == "The account local-admin has the role admin and keeps its password.\n"
    python(environment, "manage.py", "run_worker", "--once")
    with closing(sqlite3.connect(tmp_path / "db.sqlite3")) as database:
        staff = list(database.execute("SELECT id FROM accounts_account WHERE role <> 'member'"))
        loops = list(database.execute("SELECT loop FROM deals_heartbeat ORDER BY loop"))
    assert staff == [(LOCAL_ADMIN,)]
    assert loops == [("solver",), ("tasks",), ("webhooks",)]


def test_a_database_that_does_not_fit_is_refused_in_a_sentence_and_nothing_is_started(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after `git pull` on a database of before 1.0.0, whose boards_board had fewer columns."""
    file = tmp_path / "db.sqlite3"
    environment = of(f"sqlite:///{file}", "https://id.example/jwks")
    python(environment, "manage.py", "migrate", "-v0")
    with closing(sqlite3.connect(file)) as database:
        database.execute("ALTER TABLE boards_board DROP COLUMN student")
        before = list(database.iterdump())
    monkeypatch.setattr(run, "service_environment", lambda: {**environment, "PORT": str(free_port())})
    capfd.readouterr()
    assert run.run([]) == 1
    said = capfd.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert said.err.startswith(
        "The database was not made by the migrations of this version (boards_board lacks student)"
    )
    with closing(sqlite3.connect(file)) as database:
        assert list(database.iterdump()) == before


HANG_AT_PASSWORD = """
import io, sys, time
from pathlib import Path
import django
django.setup()
from django.core.management import call_command
class Hanging(io.StringIO):
    def write(self, text):
        if "password" in text:
            Path(sys.argv[1]).touch()
            time.sleep(600)
call_command("create_staff", "--id", "zia", "--generated", stdout=Hanging())
"""


@pytest.mark.django_db(transaction=True)
def test_a_command_that_is_killed_while_it_prints_the_password_is_run_again_and_prints_one(tmp_path: Path) -> None:
    reached = tmp_path / "reached"
    env = {**os.environ, "DATABASE_URL": url_of_tests(), "DJANGO_SETTINGS_MODULE": "tests.settings"}
    with subprocess.Popen([sys.executable, "-c", HANG_AT_PASSWORD, str(reached)], cwd=ROOT, env=env) as process:
        wait_until(lambda: reached.exists() or process.poll() is not None)
        process.kill()
    assert reached.exists() and not Account.objects.filter(pk="zia").exists()
    password = run_command("create_staff", "--id", "zia", "--generated").split()[-1]
    assert Account.objects.get(pk="zia").check_password(password)
