"""What every page must be, whoever looks at it: no violation of WCAG 2.2 AA, nothing cut off, on a phone or a desk."""

from itertools import product
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

WCAG = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
WIDTHS = (375, 1280)

# Every look a page must be right in.
LOOKS = [{"width": width, "dark": dark} for width, dark in product(WIDTHS, (False, True))]


def problems(page: Page) -> list[str]:
    """Each violation axe finds, with the elements; and a page wider than its window."""
    options = {"runOnly": {"type": "tag", "values": list(WCAG)}, "resultTypes": ["violations"]}
    found = Axe().run(page, options=options).response["violations"]
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return [describe(violation) for violation in found] + ([f"{wide}px too wide"] if wide > 0 else [])


def problems_in_every_look(page: Page) -> list[str]:
    """The same on a phone and on a desk, in light and dark. The page is not loaded again, so what was typed stays."""
    found = []
    for look in LOOKS:
        page.set_viewport_size({"width": look["width"], "height": 800})
        page.emulate_media(color_scheme="dark" if look["dark"] else "light")
        found += [f"{look}: {problem}" for problem in problems(page)]
    return found


def describe(violation: dict[str, Any]) -> str:
    return f"{violation['id']}: {[node['html'] for node in violation['nodes']]}"
