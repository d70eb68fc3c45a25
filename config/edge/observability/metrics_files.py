"""The folder in which gunicorn's workers count for /metrics, as prometheus_client's multiprocess mode does.

Nothing here imports prometheus_client, which looks for the folder when it is imported. Each worker has files of its
own. The folder is in memory (/dev/shm) where there is such a place: a worker that writes to a mapped file on a full
disk is killed.

The files of a dead worker stay, or counters would go back (prometheus/client_python, issue 566). Those of the
MAX_DEAD workers that died last are enough: whoever loses more of them in one run has other cares than a counter.
"""

import fcntl
import os
import shutil
import tempfile
from collections import deque
from contextlib import suppress
from functools import cache
from pathlib import Path

MAX_DEAD = 100

dead: deque[int] = deque()
"""The process ids of workers that have died and whose files are kept. The master knows them."""


@cache
def metrics_folder() -> Path:
    """Make the folder, and tell prometheus_client of it, which asks once: call this before it is imported.

    gunicorn reads its settings again on HUP, while the workers keep their files: so there is one folder for a master.
    """
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108  (the name within is random)
    folder = tempfile.mkdtemp(prefix="bridge-boards-metrics-", dir=memory)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
    return Path(folder)


def mark_worker_dead(pid: int) -> None:
    """Keep the files of a worker that has died. Of more than MAX_DEAD, delete those of the one that died first."""
    dead.append(pid)
    if len(dead) > MAX_DEAD:
        oldest = dead.popleft()
        for path in metrics_folder().glob(f"*_{oldest}.db"):
            path.unlink()


def remove_folder() -> None:
    shutil.rmtree(metrics_folder(), ignore_errors=True)


@cache
def descriptor() -> int:
    """Open the folder once in each worker. A descriptor from before the fork would share one lock among them."""
    return os.open(metrics_folder(), os.O_RDONLY)


def share_folder() -> None:
    """Lock the folder as one of the workers that count in it, until this process ends."""
    fcntl.flock(descriptor(), fcntl.LOCK_SH)


def remove_folder_as_the_last() -> None:
    """Remove the folder, unless another worker of a killed master is to count there what it has in hand."""
    with suppress(BlockingIOError):
        fcntl.flock(descriptor(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        remove_folder()
