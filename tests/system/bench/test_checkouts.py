"""`python -m bench.reads` and `bench.writes` measure each of their steps. Their figures are not judged here."""

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
STEPS = {
    "reads": ("/boards", "/api/boards", "/api/boards/{id}"),
    "writes": ("publish a board", "unpublish it in the admin", "store 20 solutions"),
}


@pytest.mark.parametrize("name", STEPS)
def test_each_step_is_measured(name: str) -> None:
    command = [sys.executable, "-m", f"bench.{name}", "--boards", "40", "--rounds", "1"]
    env = {**os.environ, "BENCH_DATABASE_URL": os.environ["DATABASE_URL"]}
    done = subprocess.run(command, cwd=ROOT, env=env, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    for step in STEPS[name]:
        assert f"\n| {step} | " in done.stdout
