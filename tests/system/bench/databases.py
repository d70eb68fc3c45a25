"""Runs of a bench against a database of its own."""

import os
import subprocess
from collections.abc import Sequence

import psycopg
from psycopg import sql

from tools.environment import ROOT


def run_with_database(name: str, command: Sequence[str], **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a bench that makes the database of this name, and delete that afterwards."""
    server = os.environ["DATABASE_URL"]
    try:
        return subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, "BENCH_DATABASE_URL": server, **environment},
            check=False,
            capture_output=True,
            text=True,
        )
    finally:
        with psycopg.connect(server, autocommit=True) as outside:
            outside.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))
