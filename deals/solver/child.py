"""The program of the child process, `python -m deals.solver.child`: JSON lines in, JSON lines out, no Django.

Its first line is {"ready": true}, or {"ready": false, "reason": …} where there is no endplay; then it ends.
Each line it reads is {"cards": [at most 40 deals], "seconds": the time limit}; it answers one line a deal, in
order (see `dds.solve`). It ends with its input, so it never outlives its parent for long: the time limit
holds here too, for the case that nobody is left who could kill it.
"""

import json
import os
import signal
import sys
from typing import TextIO

GRACE_SECONDS = 10
"""The parent kills first, for it knows why."""


def main() -> None:
    answers = _take_over_stdout()
    # A terminal and a service manager signal the whole group. What is to end, the parent decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        from deals.solver.dds import solve  # failing is an answer; what it prints is none
    except (ImportError, OSError, RuntimeError) as error:
        _say(answers, {"ready": False, "reason": str(error)})
        return
    _say(answers, {"ready": True})
    for line in sys.stdin:
        request = json.loads(line)
        _end_after(request["seconds"] + GRACE_SECONDS)
        _say(answers, *solve(request["cards"]))
        _end_after(0)


def _take_over_stdout() -> TextIO:
    """The pipe to the parent; whatever a library prints goes to the log with the errors."""
    pipe = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    return pipe


def _say(answers: TextIO, *messages: dict[str, object]) -> None:
    answers.write("".join(json.dumps(message) + "\n" for message in messages))
    answers.flush()


def _end_after(seconds: float) -> None:
    """The alarm's default action ends the process in the midst of C code too; 0 takes it back."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


if __name__ == "__main__":
    main()
