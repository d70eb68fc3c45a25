"""Commands in processes of their own: the worker, and those that make the first accounts."""

import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from accounts.identifiers import LOCAL_ADMIN
from accounts.models import Account
from tests.accounts.test_commands import run
from tests.config.worker.test_runner import database_url
from tests.system.deployment import of
from tools.environment import ROOT
from tools.run import PREPARE


def test_each_loop_of_the_real_worker_gives_signs_of_life(tmp_path: Path) -> None:
    path = tmp_path / "db.sqlite3"
    environment = of(f"sqlite:///{path}", "")
    count = "from deals.models import Heartbeat; print(sorted(Heartbeat.objects.values_list('loop', flat=True)))"
    for command in (["migrate", "-v0"], ["run_worker", "--once"], ["shell", "-v0", "-c", count]):
        done = subprocess.run(
            [sys.executable, "manage.py", *command], cwd=ROOT, env=environment, check=True, capture_output=True
        )
    assert done.stdout.decode().strip() == "['solver', 'tasks', 'webhooks']"


def test_a_first_start_with_a_provider_makes_no_admin_whom_a_token_names(tmp_path: Path) -> None:
    """Run what `dev.py run` runs before the service: somebody at the provider may be called admin."""
    url = f"sqlite:///{tmp_path / 'db.sqlite3'}"
    prepared = subprocess.run(
        [sys.executable, "-c", PREPARE],
        cwd=ROOT,
        env={**os.environ, **of(url, "https://id.example/jwks")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "The account local-admin has the role admin and the password" in prepared.stdout
    with closing(sqlite3.connect(tmp_path / "db.sqlite3")) as database:
        staff = list(database.execute("SELECT id FROM accounts_account WHERE role <> 'member'"))
    assert staff == [(LOCAL_ADMIN,)]


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
    env = {**os.environ, "DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "tests.settings"}
    process = subprocess.Popen([sys.executable, "-c", HANG_AT_PASSWORD, str(reached)], cwd=ROOT, env=env)
    while not reached.exists() and process.poll() is None:
        time.sleep(0.05)
    process.kill()
    process.wait()
    assert reached.exists() and not Account.objects.filter(pk="zia").exists()
    password = run("create_staff", "--id", "zia", "--generated").split()[-1]
    assert Account.objects.get(pk="zia").check_password(password)
