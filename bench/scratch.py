"""What several measurements use."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
Process = subprocess.Popen[bytes]


def say(*columns: object) -> None:
    print(*columns, flush=True)  # noqa: T201
