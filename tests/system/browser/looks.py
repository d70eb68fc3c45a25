"""Checks for every page: no violation of WCAG 2.2 AA and nothing cut off, on three sizes of screen, light and dark."""

from itertools import product
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

WCAG = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
# Axe would load the stylesheets again, for rules that are not among these: what they import is not found then.
ALL_RULES = {"runOnly": {"type": "tag", "values": WCAG}, "resultTypes": ["violations"], "preload": False}
RULES_OF_COLOUR = {
    "runOnly": {"type": "rule", "values": ("color-contrast", "link-in-text-block")},
    "resultTypes": ["violations"],
    "preload": False,
}
"""All that the dark scheme can break: it changes colours, and no element or size."""

LOOKS = [{"width": width, "dark": dark} for width, dark in product((375, 1280), (False, True))]
LOOKS.append({"width": 768, "dark": False})
"""A page is checked in every look. A tablet's is that of a phone or a desktop, but for its layout."""


def find_problems(page: Page) -> list[str]:
    """Return the problems in every look. The page is not loaded again, so that what was typed into it stays.

    It waits for ever in a browser without JavaScript, where axe never ends.
    """
    page.evaluate(Axe().axe_script)
    problems = []
    for look in LOOKS:
        page.set_viewport_size({"width": look["width"], "height": 800})
        page.emulate_media(color_scheme="dark" if look["dark"] else "light")
        found = find_problems_in_look(page, RULES_OF_COLOUR if look["dark"] else ALL_RULES)
        problems += [f"{look}: {problem}" for problem in found]
    return problems


def find_problems_in_parts(page: Page, *parts: str) -> list[str]:
    """Return the violations in these parts of a page of the admin, in every look. Leave the page 1280 pixels wide.

    The rest is Django's: its navigation, its table, its links of filters. Links take a moment for another colour.
    """
    page.evaluate(Axe().axe_script)
    problems: list[str] = []
    for look in LOOKS:
        page.set_viewport_size({"width": look["width"], "height": 800})
        page.emulate_media(color_scheme="dark" if look["dark"] else "light")
        page.evaluate("Promise.all(document.getAnimations().map(each => each.finished)).then(() => null)")
        run = "([part, options]) => axe.run(part, options).then(results => results.violations)"
        found = page.evaluate(run, [{"include": parts}, RULES_OF_COLOUR if look["dark"] else ALL_RULES])
        problems += [f"{look}: {describe(violation)}" for violation in found]
    return problems


def find_problems_in_look(page: Page, options: dict[str, Any]) -> list[str]:
    """Return the violations that axe finds, with their elements, and whether the page is wider than its window."""
    violations = page.evaluate("options => axe.run(options).then(results => results.violations)", options)
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return [describe(violation) for violation in violations] + ([f"{overflow}px too wide"] if overflow > 0 else [])


def describe(violation: dict[str, Any]) -> str:
    return f"{violation['id']}: {[node['html'] for node in violation['nodes']]}"
