"""The files in which gunicorn's workers count for /metrics. /metrics is the sum of them.

prometheus_client writes to them through mapped memory. Where a block of such a file does not exist yet and the disk is
full, the write ends the process (SIGBUS). So the master gives each file its blocks before a worker maps it, and the
files are in memory (/dev/shm) where there is such a place.

They are numbered. A number whose worker has died goes to the next worker, with what was counted: no file is added.
"""

import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from prometheus_client import values

KINDS = ("counter", "histogram")
"""The kinds of metrics that config.edge.observability.metrics has. Each worker has a file of each."""
FILE_BYTES = 1 << 20
"""Enough for five thousand time series of a kind, and there are some hundreds: routes, methods and statuses are few."""
NO_FILES = 0


class MetricsFiles:
    """The files of one gunicorn. Make it before the application is loaded: a metric asks once how it is counted."""

    def __init__(self) -> None:
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108  (the name within is random)
        self.folder = Path(tempfile.mkdtemp(prefix="bridge-boards-metrics-", dir=memory))
        self.number = self.last = NO_FILES
        self.free: list[int] = []
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(self.folder)
        values.ValueClass = values.MultiProcessValue(lambda: self.number)

    def take(self) -> int:
        """Return the number of files that no worker has, NO_FILES when the disk is full. For the master."""
        if self.free:
            return self.free.pop()
        number = self.last + 1
        paths = [self.folder / f"{kind}_{number}.db" for kind in KINDS]
        try:
            for path in paths:
                allocate(path)
        except OSError:
            for path in paths:
                path.unlink(missing_ok=True)
            return NO_FILES
        self.last = number
        return number

    def use(self, number: int) -> None:
        """Count in these files, without any in this process alone. For a worker, before its first request."""
        self.number = number
        if number == NO_FILES:
            values.ValueClass = values.MutexValue

    def leave(self, number: int) -> None:
        """Let another worker have these files. For the master, when a worker has died."""
        if number != NO_FILES:
            self.free.append(number)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


@cache
def metrics_files() -> MetricsFiles:
    """Return the files of this gunicorn. It reads its settings again on HUP, while the workers keep theirs."""
    return MetricsFiles()


def allocate(path: Path) -> None:
    """Make a file of zeros whose blocks exist. Raise OSError when the disk has no room for them."""
    with path.open("wb") as file:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, FILE_BYTES)
        else:  # macOS
            file.write(bytes(FILE_BYTES))
