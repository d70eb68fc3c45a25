"""Measure when a cold phone has painted pages over a slow line: `python -m bench.paint [ADDRESS] [--rounds 3]`.

A phone of 375 px opens each page of a running service with an empty cache, over 1.6 Mbit/s with 150 ms there and back.
Printed are the median of the largest contentful paint, the worst layout shift, and the kilobytes of the line.
"""

import argparse
import shutil
from statistics import median
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from bench.load.table import markdown
from bench.scratch import say

LINE = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 90_000}
"""1.6 Mbit/s down and 0.72 up, as Lighthouse has them for a slow phone."""

WATCH = """
window.painted = 0; window.shifted = 0
new PerformanceObserver(list => { for (const each of list.getEntries()) painted = each.startTime })
  .observe({ type: "largest-contentful-paint", buffered: true })
new PerformanceObserver(list => { for (const each of list.getEntries()) shifted += each.value })
  .observe({ type: "layout-shift", buffered: true })
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.paint")
    parser.add_argument("address", nargs="?", default="http://localhost:8000")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    rows: list[tuple[str, ...]] = [("page", "largest paint, s", "layout shift", "kB")]
    with sync_playwright() as playwright:
        program = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        asking = playwright.request.new_context(base_url=options.address)
        event = asking.get("/api/events").json()["events"][0]["slug"]
        board = asking.get(f"/api/boards?event={event}").json()["boards"][0]["id"]
        for path in ("/", "/boards", f"/boards/{board}", f"/events/{event}", f"/practice/{board}", "/today", "/themes"):
            found = [visit(browser, options.address + path) for _ in range(options.rounds)]
            painted, shifted, loaded = zip(*found, strict=True)
            rows.append((path, f"{median(painted):.2f}", f"{max(shifted):.3f}", f"{median(loaded):.0f}"))
        browser.close()
    say(markdown(rows))


def visit(browser: Browser, address: str) -> tuple[float, float, float]:
    """Return the seconds to the largest paint, the layout shift, and the kilobytes that came."""
    context = browser.new_context(viewport={"width": 375, "height": 740}, is_mobile=True, has_touch=True)
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", dict[str, Any](LINE))
    loaded: list[float] = []
    session.on("Network.loadingFinished", lambda event: loaded.append(event["encodedDataLength"]))
    page.add_init_script(WATCH)
    page.goto(address, wait_until="networkidle")
    page.wait_for_timeout(300)
    painted, shifted = page.evaluate("[painted, shifted]")
    context.close()
    return painted / 1000, shifted, sum(loaded) / 1000


if __name__ == "__main__":
    main()
