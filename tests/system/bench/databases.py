"""Runs of a bench against a database of its own."""

import os
import subprocess

import psycopg
from psycopg import sql

from tools.environment import ROOT


def run_with_database(name: str, *command: str, check: bool = True, **environment: str) -> str:
    """Run a bench that makes the database of this name, and delete that afterwards. Return what it prints."""
    server = os.environ["DATABASE_URL"]
    env = {**os.environ, "BENCH_DATABASE_URL": server, **environment}
    try:
        done = subprocess.run(command, cwd=ROOT, env=env, check=False, capture_output=True, text=True)
    finally:
        with psycopg.connect(server, autocommit=True) as outside:
            outside.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))
    assert done.returncode == 0 or not check, done.stdout + done.stderr
    return done.stdout
