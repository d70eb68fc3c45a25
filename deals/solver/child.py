"""The program of the child process, `python -m deals.solver.child`: JSON lines in, JSON lines out, without Django.

The first line it writes is {"ready": true}, or {"ready": false, "reason": …} when DDS cannot be loaded here; then it
exits. Each line it reads is {"task": a name of `dds.TASKS`, "questions": […], "seconds": the time limit}. It
answers one line for each question, in order, {"refused": reason} for one that cannot be answered. It exits at the end
of its input, and enforces the time limit itself too, so that it does not outlive a parent that was killed.
"""

import json
import os
import signal
import sys
from typing import TextIO

GRACE_SECONDS = 10
"""The child kills itself so much later than its parent would, since the parent can log the reason."""


def main() -> None:
    output = _take_over_stdout()
    # Terminals and service managers signal the whole process group, but the parent decides when the child ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        # Here, so that a failure is reported and its output is not an answer.
        from deals.solver.dds import answer
    except (ImportError, OSError) as error:
        if isinstance(error, ImportError) and (error.name or "").startswith(("bridge", "deals")):
            raise  # A bug of our own must not pass for a Python without ctypes.
        _write(output, {"ready": False, "reason": str(error)})
        return
    _write(output, {"ready": True})
    for line in sys.stdin:
        request = json.loads(line)
        _set_alarm(request["seconds"] + GRACE_SECONDS)
        _write(output, *[answer(request["task"], question) for question in request["questions"]])
        _set_alarm(0)


def _take_over_stdout() -> TextIO:
    """Return the pipe to the parent, and send what libraries print to standard error, which the parent logs."""
    pipe = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    return pipe


def _write(output: TextIO, *messages: dict[str, object]) -> None:
    output.write("".join(json.dumps(message) + "\n" for message in messages))
    output.flush()


def _set_alarm(seconds: float) -> None:
    """End this process after that time, even in the middle of C code; 0 cancels the alarm."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


if __name__ == "__main__":
    main()
