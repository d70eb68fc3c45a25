"""Checks for every page: no violation of WCAG 2.2 AA and nothing cut off, at four widths and in all colours."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

WCAG = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
# Axe would load the stylesheets again, for rules that are not among these: what they import is not found then.
VIOLATIONS = {"resultTypes": ["violations"], "preload": False}
ALL_RULES = {"runOnly": {"type": "tag", "values": WCAG}, **VIOLATIONS}
RULES_OF_COLOUR = {"runOnly": {"type": "rule", "values": ("color-contrast", "link-in-text-block")}, **VIOLATIONS}
"""All that the dark scheme and forced colours can break: they change colours, and no element or size."""
RULES_OF_SIZE = {"runOnly": {"type": "rule", "values": ("target-size", "scrollable-region-focusable")}, **VIOLATIONS}
"""All that the smallest phone can break, beside what is too wide for it."""

LOOKS: list[dict[str, Any]] = [{"width": width, "dark": dark} for width, dark in product((375, 1280), (False, True))]
LOOKS += [{"width": 768, "dark": False}, {"width": 320, "dark": False, "rules": RULES_OF_SIZE}]
LOOKS.append({"width": 1280, "dark": False, "forced": True, "rules": RULES_OF_COLOUR})
"""A page is checked in every look. A tablet's is that of a phone or a desktop, but for its layout."""

KEEP_COLOURS = """(() => {
    const {Color} = axe.commons.color, {parseString} = Color.prototype, known = new Map()
    Color.prototype.parseString = function (text) {
        if (!known.has(text)) known.set(text, parseString.call(new Color(), text))
        const {r, g, b, alpha} = known.get(text)
        return Object.assign(this, {r, g, b, alpha})
    }
})()"""
"""Have axe read each text of a colour once: it took a quarter of its time to read the same few again."""

OVERFLOW = """(() => {
    const excess = document.documentElement.scrollWidth - document.documentElement.clientWidth
    return excess > 0 ? [`${excess}px too wide for ${innerWidth}px`] : []
})()"""
"""Whether a page is wider than its window."""


def find_problems(page: Page) -> list[str]:
    """Return the problems in every look. The page is not loaded again, so that what was typed into it stays.

    It waits for ever in a browser without JavaScript, where axe never ends.
    """
    return [problem for look in looks_of(page) for problem in (*find_violations(page, look), *page.evaluate(OVERFLOW))]


def problems_at(page: Page, *addresses: str) -> dict[str, list[str]]:
    """Open each of these addresses. Return the problems of those that have any."""
    problems = {}
    for address in addresses:
        page.goto(address)
        problems[address] = find_problems(page)
    return {address: found for address, found in problems.items() if found}


def find_problems_in_parts(page: Page, *parts: str) -> list[str]:
    """Return the violations in these parts of a page of the admin, in every look.

    The rest is Django's: its navigation, its table, its links of filters. Links take a moment for another colour.
    """
    settle = "Promise.all(document.getAnimations().map(each => each.finished)).then(() => null)"
    problems = []
    for look in looks_of(page):
        page.evaluate(settle)
        problems += find_violations(page, look, {"include": parts})
    return problems


def looks_of(page: Page) -> Iterator[dict[str, Any]]:
    """Give a page each look in turn, and yield the look. A click is followed by a page that may still be arriving."""
    page.wait_for_load_state()
    page.evaluate(Axe().axe_script)
    page.evaluate(KEEP_COLOURS)
    for look in LOOKS:
        page.set_viewport_size({"width": look["width"], "height": 800})
        scheme, forced = "dark" if look["dark"] else "light", "active" if look.get("forced") else "none"
        page.emulate_media(color_scheme=scheme, forced_colors=forced)
        yield look
    page.emulate_media(forced_colors="none")


def find_violations(page: Page, look: dict[str, Any], part: object = None) -> list[str]:
    """Return the violations that axe finds in a part of a page or in all of it, with their elements."""
    run = "([part, options]) => axe.run(part ?? document, options).then(results => results.violations)"
    rules = look.get("rules") or (RULES_OF_COLOUR if look["dark"] else ALL_RULES)
    found, name = page.evaluate(run, [part, rules]), {key: value for key, value in look.items() if key != "rules"}
    return [f"{name}: {each['id']}: {[node['html'] for node in each['nodes']]}" for each in found]
