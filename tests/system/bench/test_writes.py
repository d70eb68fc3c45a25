"""`python -m bench.writes` and `python -m bench.pages` measure what they name. Their figures are not judged here."""

import subprocess
import sys

import pytest
from django.db import connection

from tests.system.deployment import ROOT

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="They measure PostgreSQL."),
]
WRITES = ("publish a board", "unpublish it in the admin", "store 20 solutions")
PAGES = ("a step with costs", "an evening, a member", "home, kept")


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["bench.writes", "--boards", "40"], WRITES),
        (["bench.pages", "--unsolved", "--tables", "2", "--rounds", "1"], PAGES),
    ],
)
def test_each_name_has_its_figures(arguments: list[str], names: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    for name in names:
        assert f"\n| {name} | " in done.stdout
