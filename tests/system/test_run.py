"""`dev.py run`: nothing is left behind and nothing is lost, whatever ends it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tools import run
from tools.children import run_children
from tools.run import read_env_file, service_environment, write_env_file

ROOT = Path(__file__).resolve().parents[2]
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


def is_running(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"  # nobody may be there to ask how it ended


def wait_for(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_no_process_is_left_behind_by_a_signal_to_dev_py_alone(number: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", RUNNER], cwd=ROOT, stdout=subprocess.PIPE, text=True) as runner:
        assert runner.stdout is not None
        pids = [int(pid) for pid in runner.stdout.readline().split()]
        assert len(pids) == 4 and all(map(is_running, pids))
        runner.send_signal(number)
        wait_for(lambda: not any(map(is_running, pids)))


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


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["run", "--help"], 0, "Usage: python3 dev.py run\n\nStart a service"),
        (["openapi", "-h"], 0, "Usage: python3 dev.py openapi\n\nRecord"),
        (["run", "--port", "8001"], 1, "--port is no option. Usage: python3 dev.py run\n"),
        (["nonsense"], 1, "The commands of a newcomer"),
    ],
)
def test_a_command_explains_itself_and_starts_nothing(arguments: list[str], status: int, said: str) -> None:
    done = subprocess.run([sys.executable, "dev.py", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == status and (done.stdout + done.stderr).startswith(said)


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
    done = subprocess.run(
        [sys.executable, "-c", WRITE, str(path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1 and "File too large" in done.stderr
    assert read_env_file(path) == secrets
    assert list(tmp_path.iterdir()) == [path]
    assert path.stat().st_mode & 0o777 == 0o600


def test_secrets_are_made_once_and_not_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "VAR", tmp_path)
    for name in ("SECRET_KEY", "API_KEY"):
        monkeypatch.delenv(name, raising=False)
    first = service_environment()
    file = (tmp_path / "env").stat()
    assert service_environment()["SECRET_KEY"] == first["SECRET_KEY"]
    again = (tmp_path / "env").stat()
    assert (again.st_ino, again.st_mtime_ns) == (file.st_ino, file.st_mtime_ns)
