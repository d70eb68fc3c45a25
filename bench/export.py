"""`python -m bench.export [100000]`: GET /api/boards.pbn of so many boards, from a real gunicorn.

Seconds and bytes, the worker's largest memory before and after, and what the database says of the worker's connection
while the reader is slow: no transaction should be open. DATABASE_URL names the server.
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
from boards.services import Placement
from deals.bridge.pbn.writer import write_pbn

PORT = "8161"
BATCH = 5000


def fill(count: int) -> None:
    for start in range(1, count + 1, BATCH):
        file = io.BytesIO("".join(map(write_pbn, boards(min(BATCH, count + 1 - start), start))).encode())
        *_, report = import_boards(file=file, placement=Placement(), publish=True)
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


def peak_of(pid: int) -> float:
    """MiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.findall(r"VmHWM:\s*(\d+)", status)[0]) / 1024


def states() -> list[str]:
    """Of the service's connections."""
    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT state FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return [state for (state,) in cursor.fetchall()]


def measure(worker: int) -> None:
    open_export("/api/boards.pbn?dealer=N&vulnerability=NS&auctionSystem=none").read()
    before = peak_of(worker)
    response = open_export("/api/boards.pbn")
    size = len(response.read(2**20))
    time.sleep(3)
    say(f"while the reader sleeps the connections are: {states()}")
    began = time.monotonic()
    while block := response.read(2**20):
        size += len(block)
    seconds = time.monotonic() - began
    say(
        f"{size / 2**20:.1f} MiB, all but the first in {seconds:.1f} s; peak {before:.1f} → {peak_of(worker):.1f} MiB"
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
