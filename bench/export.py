"""Measure the export of many boards: `python -m bench.export [100000]`.

GET /api/boards.pbn is read from a real gunicorn. Printed are seconds, bytes, the worker's peak memory before and after,
and the states of its database connections while the reader is slow: none should be in a transaction. DATABASE_URL
names the server.
"""

import http.client
import io
import os
import re
import subprocess
import sys
import time
from pathlib import Path

from django.db import connection

from bench.random_boards import boards
from bench.scratch import ROOT, child_of, say, scratch_database
from boards.files.importing import import_boards
from deals.bridge.pbn.writer import write_pbn

PORT = "8161"
BATCH = 5000


def fill(count: int) -> None:
    for start in range(1, count + 1, BATCH):
        file = io.BytesIO("".join(map(write_pbn, boards(min(BATCH, count + 1 - start), start))).encode())
        report = import_boards(file=file, publish=True)
        say(f"{start + report.boards - 1} boards")


def open_export(path: str) -> http.client.HTTPResponse:
    client = http.client.HTTPConnection("127.0.0.1", int(PORT))
    client.request("GET", path)
    return client.getresponse()


def wait_for_server() -> None:
    while True:
        try:
            open_export("/livez").read()
        except OSError:
            time.sleep(0.2)
        else:
            return


def peak_memory(pid: int) -> float:
    """Return the process's peak memory in MiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.findall(r"VmHWM:\s*(\d+)", status)[0]) / 1024


def connection_states() -> list[str]:
    """Return the states of the service's connections to PostgreSQL, or [] on SQLite."""
    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT state FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return [state for (state,) in cursor.fetchall()]


def measure(worker: int) -> None:
    open_export("/api/boards.pbn?dealer=N&vulnerability=NS&auctionSystem=none").read()
    before = peak_memory(worker)
    response = open_export("/api/boards.pbn")
    size = len(response.read(2**20))
    time.sleep(3)
    say(f"while the reader sleeps the connections are: {connection_states()}")
    started_at = time.monotonic()
    while block := response.read(2**20):
        size += len(block)
    seconds = time.monotonic() - started_at
    say(
        f"{size / 2**20:.1f} MiB, all but the first in {seconds:.1f} s; "
        f"peak {before:.1f} → {peak_memory(worker):.1f} MiB"
    )


def main(count: int) -> None:
    with scratch_database():
        fill(count)
        settings = {
            "PORT": PORT,
            "WEB_CONCURRENCY": "1",
            "READ_RATE": "",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        command = [sys.executable, "-m", "gunicorn", "-c", "config/gunicorn.conf.py", "config.wsgi"]
        server = subprocess.Popen(command, cwd=ROOT, env=os.environ | settings, stderr=subprocess.DEVNULL)
        try:
            wait_for_server()
            measure(child_of(server.pid) or server.pid)
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main(int((sys.argv[1:] or ["100000"])[0]))
