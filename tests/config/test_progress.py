import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

from config.api.progress import progress

ROOT = Path(__file__).resolve().parents[2]


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_how_much_of_all_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with progress(unit="deals", total=40) as advance:
        advance(15)
        advance(25)
    assert "40/40" in screen.getvalue()
    assert "deals" in screen.getvalue()


def test_a_terminal_sees_how_much_is_done_where_nobody_knows_how_much_there_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with progress(unit="boards") as advance:
        advance(500)
    assert "500 boards" in screen.getvalue()


def test_a_file_or_a_log_sees_nothing_and_nothing_is_imported_for_it() -> None:
    program = (
        "import sys; from config.api.progress import progress\n"
        "with progress(unit='deals', total=2) as advance: advance(2)\n"
        "sys.stdout.write(str('tqdm' in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=True, text=True
    )
    assert (done.stdout, done.stderr) == ("False", "")
