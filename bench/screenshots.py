"""Take pictures of the pages: `python -m bench.screenshots http://127.0.0.1:8000 FOLDER [--whole] [--print]`.

Each page is shown on a phone, a tablet and a desktop, in light and dark: what fits into the window or, with --whole,
the whole page. With --print each page is printed to PDF files, on A4 and on Letter. The pictures in the README are in
docs/pictures. This needs a running service with the demonstration boards, such as `python3 dev.py run`, and chromium
on PATH.
"""

import argparse
import json
import shutil
from pathlib import Path
from urllib.request import urlopen

from playwright.sync_api import Browser, sync_playwright

WIDTHS = {"phone": 375, "tablet": 768, "desk": 1280}
SCHEMES = {"": "light", "-dark": "dark"}
PAPERS = ("A4", "Letter")


def pages(base: str) -> dict[str, str]:
    """Return the paths of all kinds of pages by name, of boards that have what such a page can show."""
    themed = read(base, "/api/boards?theme=stayman&pageSize=1")["boards"][0]["id"]
    evening = read(base, "/api/events?pageSize=1")["events"][0]["slug"]
    board = read(base, f"/api/boards?event={evening}&pageSize=1")["boards"][0]["id"]
    return {
        "home": "/",
        "gallery": "/boards",
        "refused": "/boards?dealer=a+b",
        "board": f"/boards/{themed}",
        "board-of-an-event": f"/boards/{board}",
        "auction-in-steps": f"/boards/{board}?step=3",
        "play-in-steps": f"/boards/{board}?step=12",
        "one-hand": f"/boards/{themed}?show=south",
        "practice": f"/practice/{themed}",
        "events": "/events",
        "event": f"/events/{evening}",
        "hand-records": f"/events/{evening}/print",
        "themes": "/themes",
        "theme": "/themes/stayman",
        "forms": "/forms",
        "form": f"/forms/board-report?board={board}",
        "thanks": "/forms/board-report/thanks",
        "nothing": "/nothing",
    }


def read(base: str, path: str) -> dict:
    with urlopen(base + path) as answer:
        return json.load(answer)


def take_screenshots(browser: Browser, base: str, folder: Path, whole: bool) -> None:
    for device, width in WIDTHS.items():
        for ending, scheme in SCHEMES.items():
            page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
            for name, path in pages(base).items():
                page.goto(base + path)
                page.screenshot(path=folder / f"{name}-{device}{ending}.png", full_page=whole)
            page.close()


def print_pages(browser: Browser, base: str, folder: Path) -> None:
    page = browser.new_page()
    for name, path in pages(base).items():
        page.goto(base + path)
        for paper in PAPERS:
            page.pdf(path=folder / f"{name}-{paper}.pdf", format=paper)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.screenshots", description="Take pictures of the pages."
    )
    parser.add_argument("base", help="the address of the service")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--whole", action="store_true", help="the whole page, not the window alone")
    parser.add_argument("--print", action="store_true", help="PDF files too")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    base = options.base.rstrip("/")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        take_screenshots(browser, base, options.folder, options.whole)
        if options.print:
            print_pages(browser, base, options.folder)
        browser.close()


if __name__ == "__main__":
    main()
