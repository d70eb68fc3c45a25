"""`python -m bench.reading FILE…`: count what our reader keeps of bridge files and what it refuses, by error code.

`python -m bench.reading --speed FILE…`: compare the processor seconds of our reader with those of endplay's parser,
which read the same files in turns within one process; print the medians and their ratio. A file that endplay cannot
read is not compared.
"""

import io
import sys
import time
from collections import Counter
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from types import ModuleType
from typing import Any

from bench.scratch import say
from bridge.formats.files import read_boards
from bridge.formats.outcomes import ReadBoard

ROUNDS = 9


def report(path: Path) -> None:
    """Print how many records of a file were read, and how many got each warning, or were refused with each code."""
    counts: Counter[str] = Counter()
    with path.open("rb") as file:
        for outcome in read_boards(file):
            if isinstance(outcome, ReadBoard):
                counts["read"] += 1
                counts.update(warning.code for warning in outcome.warnings)
            else:
                counts[outcome.code] += 1
    say(f"{path.name}: {', '.join(f'{count} {code}' for code, count in counts.most_common())}")


def cpu_seconds(read: Any) -> float:
    start = time.process_time()
    read()
    return time.process_time() - start


def compare(path: Path) -> None:
    """Print the seconds of endplay's parser and of our reader, and their ratio."""
    data = path.read_bytes()
    read_with_endplay = endplay_reader(path, data)
    rounds = []
    for _ in range(ROUNDS):
        try:
            endplay_seconds = cpu_seconds(read_with_endplay)
            rounds.append((endplay_seconds, cpu_seconds(lambda: list(read_boards(io.BytesIO(data))))))
        except Exception as error:  # whatever the other parser raises
            say(f"{path.name}: endplay cannot read it: {type(error).__name__}: {error}")
            break
    if rounds:
        theirs, ours = (median(column) for column in zip(*rounds, strict=True))
        ratio = median(their / our for their, our in rounds)
        say(f"{path.name}: endplay {theirs:.3f} s, ours {ours:.3f} s, {ratio:.1f} times as fast")


def endplay_reader(path: Path, data: bytes) -> Any:
    import_endplays_readers()
    from endplay.parsers import lin, pbn

    text = data.decode("latin-1")
    return lambda: (lin if path.suffix == ".lin" else pbn).loads(text)


@cache
def import_endplays_readers() -> None:
    """Let endplay's readers be imported without its requirements, which are not installed (decision 0024).

    Its __init__ imports them for pictures and random deals, its writers for a loop. Its readers use none.
    """
    spec = find_spec("endplay")
    assert spec and spec.submodule_search_locations
    endplay, more_itertools = ModuleType("endplay"), ModuleType("more_itertools")
    endplay.__path__ = list(spec.submodule_search_locations)
    vars(more_itertools).update(chunked=None, grouper=None)
    sys.modules.update({"endplay": endplay, "more_itertools": more_itertools})


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["--speed"]:
        for path in map(Path, arguments[1:]):
            compare(path)
    else:
        for path in map(Path, arguments):
            report(path)


if __name__ == "__main__":
    main(sys.argv[1:])
