"""`python -m bench.writes` measures each of its steps. Its figures are not judged here."""

import os
import subprocess
import sys

import pytest
from django.db import connection

from tests.system.deployment import ROOT

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="They measure PostgreSQL."),
]
STEPS = ("publish a board", "unpublish it in the admin", "store 20 solutions")


def test_each_step_is_measured() -> None:
    command = [sys.executable, "-m", "bench.writes", "--boards", "40", "--rounds", "1"]
    env = {**os.environ, "BENCH_DATABASE_URL": os.environ["DATABASE_URL"]}
    done = subprocess.run(command, cwd=ROOT, env=env, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    for step in STEPS:
        assert f"\n| {step} | " in done.stdout
