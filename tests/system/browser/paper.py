"""Pages on paper: how many a page takes, and whether a sheet that should be whole fits on one."""

import re

from playwright.sync_api import Page

MILLIMETRE = 96 / 25.4
"""In the browser's pixels."""
PAPERS = {"A4": (210, 297), "Letter": (215.9, 279.4)}
"""Width and height in millimetres."""
MARGIN = 9
"""Of site/print.css, in millimetres."""


def count_pages(pdf: bytes) -> int:
    """Count the pages of a file that chromium wrote: it compresses no dictionary."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def find_cut_sheets(page: Page, paper: str) -> list[str]:
    """Return the sheets that are higher than the paper between its margins, and the elements that are too wide."""
    width, height = (round((side - 2 * MARGIN) * MILLIMETRE) for side in PAPERS[paper])
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(media="print")
    sheets = page.locator(".sheet").all()
    heights = [sheet.evaluate("it => it.getBoundingClientRect().height") for sheet in sheets]
    problems = [f"sheet {number}: {found:.0f}px" for number, found in enumerate(heights, 1) if found > height]
    overflow = page.evaluate(
        "[...document.querySelectorAll('.record, .record *')].filter(it => it.scrollWidth > it.clientWidth + 1"
        " && it.clientWidth && getComputedStyle(it).position != 'absolute').map(it => it.outerHTML)"
    )
    page.emulate_media(media="null")
    return problems + overflow
