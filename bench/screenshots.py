"""Take screenshots of the pages: `python -m bench.screenshots http://127.0.0.1:8000 FOLDER [--whole]`.

Each page is shown on a phone and a desktop, in light and dark: what fits into the window or, with --whole, the whole
page. The pictures in the README are in docs/pictures. This needs a running service with the demonstration boards, such
as `python3 dev.py run`, and chromium on PATH.
"""

import json
import shutil
import sys
from pathlib import Path
from urllib.request import urlopen

from playwright.sync_api import Browser, sync_playwright

LOOKS = {"phone": (375, False), "desk": (1280, False), "phone-dark": (375, True), "desk-dark": (1280, True)}


def pages(base: str) -> dict[str, str]:
    boards = json.load(urlopen(f"{base}/api/boards?theme=stayman&pageSize=1"))["boards"]
    board = f"/boards/{boards[0]['id']}"
    return {
        "home": "/",
        "gallery": "/boards",
        "board": board,
        "practice": f"{board}?show=south",
        "themes": "/themes",
        "refused": "/boards?dealer=a+b",
    }


def take_screenshots(browser: Browser, base: str, folder: Path, whole: bool) -> None:
    for look, (width, dark) in LOOKS.items():
        page = browser.new_page(
            viewport={"width": width, "height": 800}, color_scheme="dark" if dark else "light"
        )
        for name, path in pages(base).items():
            page.goto(base + path)
            page.screenshot(path=folder / f"{name}-{look}.png", full_page=whole)
        page.close()


def main(base: str, folder: Path, whole: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        take_screenshots(browser, base.rstrip("/"), folder, whole)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), "--whole" in sys.argv)
