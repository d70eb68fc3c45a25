"""`python -m bench.reading FILE…`: what our reader keeps and refuses of bridge files, and why.

`python -m bench.reading --speed FILE…`: its seconds against endplay's parser on the same files, which are
read in turns within one process; medians and their ratio. What endplay cannot read is not measured. Also the
microseconds to parse one Deal value and to find its key, and what the memory of a fresh process reaches at the file
and at ten times the file.
"""

import io
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

from deals.bridge.board import BoardRecord
from deals.bridge.files import read_boards
from deals.bridge.layout import Layout

ROUNDS = 9


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def report(path: Path) -> None:
    found: Counter[str] = Counter()
    with path.open("rb") as file:
        for outcome in read_boards(file):
            found["read" if isinstance(outcome, BoardRecord) else outcome.code] += 1
    say(f"{path.name}: {', '.join(f'{count} {code}' for code, count in found.most_common())}")


def timed(read: Any) -> float:
    start = time.process_time()
    read()
    return time.process_time() - start


def compare(path: Path) -> None:
    data = path.read_bytes()
    theirs = endplay_reader(path, data)
    rounds = []
    for _ in range(ROUNDS):
        try:
            rounds.append((timed(theirs), timed(lambda: list(read_boards(io.BytesIO(data))))))
        except Exception as error:  # whatever the other parser raises
            say(f"{path.name}: endplay cannot read it: {type(error).__name__}: {error}")
            break
    if rounds:
        other, ours = (median(column) for column in zip(*rounds, strict=True))
        ratio = median(their / our for their, our in rounds)
        say(f"{path.name}: endplay {other:.3f} s, ours {ours:.3f} s, {ratio:.1f} times as fast")


def endplay_reader(path: Path, data: bytes) -> Any:
    from endplay.parsers import lin, pbn

    text = data.decode("latin-1")
    return lambda: (lin if path.suffix == ".lin" else pbn).loads(text)


def key_speed(path: Path) -> None:
    with path.open("rb") as file:
        read = [record for record in read_boards(file) if isinstance(record, BoardRecord)]
    lines = [record.deal.pbn(record.dealer) for record in read]
    times = [
        timed(lambda: [deal.key for deal in map(Layout.parse, lines)]) / len(lines) for _ in range(ROUNDS)
    ]
    say(f"{path.name}: parse and key {median(times) * 1e6:.0f} µs a deal")


def memory(path: Path) -> None:
    for copies in (1, 10):
        command = [sys.executable, "-m", "bench.reading", "--memory", str(path), str(copies)]
        say(f"{path.name} × {copies}: {subprocess.check_output(command, text=True).strip()}")


class Copies(io.RawIOBase):
    """The file several times over, read from the disk as it is asked for."""

    def __init__(self, path: Path, copies: int) -> None:
        self.path, self.left = path, copies
        self.file = path.open("rb")

    def read(self, size: int = -1) -> bytes:
        block = self.file.read(size)
        if not block and self.left > 1:
            self.left -= 1
            self.file = self.path.open("rb")
            return b"\n\n" + self.file.read(size)
        return block


def measure_memory(path: Path, copies: int) -> None:
    records = 0
    for _ in read_boards(Copies(path, copies)):  # it only reads
        records += 1
    status = Path("/proc/self/status").read_text()
    peak = int(re.findall(r"VmHWM:\s*(\d+)", status)[0])
    say(f"{records} records, peak {peak / 1024:.1f} MiB")


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["--memory"]:
        measure_memory(Path(arguments[1]), int(arguments[2]))
    elif arguments[:1] == ["--speed"]:
        for path in map(Path, arguments[1:]):
            compare(path)
            key_speed(path)
            memory(path)
    else:
        for path in map(Path, arguments):
            report(path)


if __name__ == "__main__":
    main(sys.argv[1:])
