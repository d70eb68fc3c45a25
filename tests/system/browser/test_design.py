"""The page of components in a real browser: no violation in any look, and a picture of it in light and dark."""

from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from tests.system.browser.conftest import NewPage
from tests.system.browser.looks import problems_at


def test_each_component_looks_right_and_is_photographed_light_and_dark(new_page: NewPage, tmp_path: Path) -> None:
    grounds: list[Any] = []
    for dark in (False, True):
        page = new_page(dark=dark)
        page.goto("/design")
        picture = page.screenshot(full_page=True)
        (tmp_path / f"design-{'dark' if dark else 'light'}.png").write_bytes(picture)
        image = Image.open(BytesIO(picture)).convert("RGB")
        colours = image.getcolors(image.width * image.height) or []
        assert len(colours) > 500, "the picture is not blank"
        grounds.append(max(colours)[1])
    brightness = [sum(ground) for ground in grounds]
    assert brightness[0] > 600 and brightness[1] < 150, grounds
    assert problems_at(page, "/design") == {}
