"""`dev.py pictures`: make the pictures of the README again, from a service that `dev.py run` has started."""

import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from tools.environment import PYTHON, ROOT, call, ensure_environment, say

FOLDER = ROOT / "docs" / "pictures"
SERVICE = "http://localhost:8000"
QUERY = '"Stayman finds the heart fit"'
"""The search for the board that is shown, of the demonstration."""


class Shot(NamedTuple):
    """A picture: the name of its file, the path of its page, and the window."""

    name: str
    path: str
    width: int
    height: int
    is_dark: bool = False


def pictures(arguments: Sequence[str]) -> int:
    """Take pictures of the pages of a running service, by default that of `dev.py run`, with the chromium on PATH."""
    ensure_environment("test")
    call([PYTHON, "-m", "tools.pictures", *arguments])
    return 0


def photograph(address: str) -> None:
    from playwright.sync_api import sync_playwright  # here, since dev.py itself needs no package

    program = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        asking = playwright.request.new_context(base_url=address)
        for shot in shots_of(lambda path: asking.get(path).json()):
            page = browser.new_page(
                base_url=address,
                viewport={"width": shot.width, "height": shot.height},
                color_scheme="dark" if shot.is_dark else "light",
                reduced_motion="reduce",
            )
            page.goto(shot.path, wait_until="networkidle")
            page.screenshot(path=FOLDER / f"{shot.name}.png")
            make_small(FOLDER / f"{shot.name}.png")
            say(f"{shot.name}.png: {shot.path}")
        browser.close()


def shots_of(ask: Callable[[str], dict[str, Any]]) -> list[Shot]:
    """Return the pictures. `ask` returns what a path of the API answers."""
    board = f"/boards/{ask(f'/api/boards?q={quote(QUERY)}')['boards'][0]['id']}"
    evening = f"/events/{ask('/api/events')['events'][0]['slug']}"
    return [
        Shot("home-desk", "/", 1280, 860),
        Shot("board-desk", board, 1280, 800),
        Shot("board-phone-dark", board, 375, 812, is_dark=True),
        Shot("evening-phone", evening, 375, 812),
    ]


def make_small(path: Path) -> None:
    from PIL import Image

    Image.open(path).convert("RGB").quantize(128).save(path, optimize=True)


if __name__ == "__main__":
    photograph(sys.argv[1] if sys.argv[1:] else SERVICE)
