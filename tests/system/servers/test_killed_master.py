"""gunicorn's workers, when their master was killed: they leave the port at once, finish what they have, and end."""

import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import pytest

from tests.system.deployment import answers, database, free_port, of, wait_until
from tests.system.servers import deploying


@pytest.fixture(scope="module")
def environment() -> Iterator[dict[str, str]]:
    """Return the environment of a service with a migrated database of its own."""
    with database() as url:
        yield of(url, "", CACHE_URL="")


def test_the_orphans_of_a_killed_master_finish_what_they_have_and_leave_nothing(environment: dict[str, str]) -> None:
    """Let a client send half of a request, so that an orphan stays for it. No monitor takes it for a service."""
    port, own = free_port(), free_port()
    more = {"GUNICORN_CMD_ARGS": "--graceful-timeout=100000", "METRICS_BIND": f"127.0.0.1:{own}"}
    master = deploying.start({**environment, **more}, port)
    deploying.wait_until_ready(port)
    (orphan,) = deploying.children(master.pid)
    assert answers(own, "/livez")
    (folder,) = metrics_folders(orphan)
    with socket.create_connection(("127.0.0.1", port)) as held:
        held.sendall(b"GET /livez HT")
        time.sleep(0.5)
        master.send_signal(signal.SIGKILL)
        master.wait()
        wait_until(lambda: not listens(orphan, own))
        held.sendall(b"TP/1.1\r\nHost: localhost\r\n\r\n")
        assert held.recv(100).startswith(b"HTTP/1.1 200")
    wait_until(lambda: deploying.is_gone(orphan))
    assert not listens(orphan, port) and not folder.exists()


def test_a_killed_master_s_port_is_free_while_its_workers_finish_what_they_have(
    environment: dict[str, str], tmp_path: Path
) -> None:
    """Let one request take as long as it likes, and readers ask again and again over connections that they keep."""
    port, own = free_port(), {**environment, "HELD_FOLDER": str(tmp_path)}
    patient = {**own, "GUNICORN_CMD_ARGS": "--workers=2 --graceful-timeout=100000"}
    killed = deploying.start(patient, port, application="tests.system.servers.held_application")
    deploying.wait_until_ready(port)
    wait_until(lambda: len(deploying.children(killed.pid)) == 2)
    orphans = deploying.children(killed.pid)
    held, *readers = (HTTPConnection("127.0.0.1", port) for _ in range(5))

    def is_left() -> bool:
        """Let the readers ask again, and tell whether the port has been left all the same."""
        for reader in readers:
            with suppress(OSError, HTTPException):
                reader.request("GET", "/livez")
                reader.getresponse().read()
        return not any(listens(orphan, port) for orphan in orphans)

    with ExitStack() as stack:
        for connection in (held, *readers):
            stack.enter_context(closing(connection))
        stack.callback(end_all, orphans)
        held.request("GET", "/hold")
        wait_until(lambda: list(tmp_path.iterdir()))
        assert not is_left()
        (folder,) = metrics_folders(*orphans)
        killed.kill()
        killed.wait()
        wait_until(is_left, seconds=60)
        stack.callback(deploying.end, deploying.start(own, port))
        deploying.wait_until_ready(port)
        wait_until(lambda: any(map(deploying.is_gone, orphans)))
        assert folder.exists(), "the other one has to count there what it answers"
        (tmp_path / "released").touch()
        assert held.getresponse().status == 200
        wait_until(lambda: all(map(deploying.is_gone, orphans)))
        assert not folder.exists()


def test_an_orphan_with_a_request_that_never_ends_does_after_its_time(
    environment: dict[str, str], tmp_path: Path
) -> None:
    port, own = free_port(), {**environment, "HELD_FOLDER": str(tmp_path)}
    impatient = {**own, "GUNICORN_CMD_ARGS": "--graceful-timeout=1"}
    master = deploying.start(impatient, port, application="tests.system.servers.held_application")
    deploying.wait_until_ready(port)
    orphans = deploying.children(master.pid)
    with closing(HTTPConnection("127.0.0.1", port)) as held, ExitStack() as stack:
        stack.callback(end_all, orphans)
        held.request("GET", "/hold")
        wait_until(lambda: list(tmp_path.iterdir()))
        master.kill()
        master.wait()
        wait_until(lambda: all(map(deploying.is_gone, orphans)), seconds=60)


def metrics_folders(*workers: int) -> set[Path]:
    """Return the folders in which these have counted."""
    maps = " ".join(Path(f"/proc/{worker}/maps").read_text() for worker in workers).split()
    return {Path(name).parent for name in maps if "/bridge-boards-metrics-" in name}


def end_all(processes: set[int]) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def listens(pid: int, port: int) -> bool:
    """Tell whether a process holds the socket that listens on a port."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    sockets = {f"socket:[{row[9]}]" for row in rows if row[3] == "0A" and row[1].endswith(f":{port:04X}")}
    try:
        return bool(sockets & {str(each.readlink()) for each in Path(f"/proc/{pid}/fd").iterdir()})
    except OSError:
        return False
