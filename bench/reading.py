"""`python -m bench.reading FILE…`: compare the processor seconds of our reader with those of endplay's parser.

They read the same files in turns within one process. The medians and their ratio are printed. A file that endplay
cannot read is not compared. `python -m bridge FILE` says what our reader keeps of a file.
"""

import io
import sys
import time
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from types import ModuleType
from typing import Any

from bench.scratch import say
from bridge.formats.files import read_boards

ROUNDS = 9


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


if __name__ == "__main__":
    for each in sys.argv[1:]:
        compare(Path(each))
