"""What the settings of the club may say, and that each sentence about a wrong one says what would do."""

import re
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from config.values.club import ON_LIGHT_ACCENT, WHITE, Club, Link, read_club
from config.values.colours import contrast
from config.values.marks import MAX_BYTES
from tools.environment import ROOT

LIGHT_GROUNDS = ("#f6f5ef", "#ffffff", "#e6f0e9")
DARK_GROUNDS = ("#0f1613", "#18221d", "#1d3329", "#121212", "#212121")
"""Paper, cards and felt of the pages, and the grounds of the dark admin."""

COLOURS = st.integers(0, 0xFFFFFF).map("#{:06x}".format)
SVG = '<svg xmlns="http://www.w3.org/2000/svg"{}>{}</svg>'.format
LINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'


def refusal(**settings: str) -> str:
    with pytest.raises(ImproperlyConfigured) as refused:
        read_club(**settings)
    return str(refused.value)


def png(width: int, height: int) -> bytes:
    file = BytesIO()
    Image.new("RGBA", (width, height), "#12305a").save(file, "PNG")
    return file.getvalue()


def colours_of(club: Club) -> tuple[dict[str, str], dict[str, str]]:
    """Return the properties of light pages, and those that dark ones have instead."""
    blocks = re.findall(r"{([^{}]+)}", club.colours)
    light, dark, chosen_in_the_admin = (dict(re.findall(r"--([\w-]+): (#\w+);", block)) for block in blocks)
    assert dark == chosen_in_the_admin
    return light, {**light, **dark}


def test_without_settings_the_club_is_bridge_boards_in_green() -> None:
    assert read_club() == Club() == read_club(name=" ", accent=" ", links=" ; ")
    assert (Club().name, Club().is_named, Club().has_colours) == ("Bridge Boards", False, False)


@given(COLOURS, COLOURS)
def test_a_colour_that_is_taken_can_be_read_everywhere_and_one_that_is_not_names_one_that_is(
    accent: str, band: str
) -> None:
    for setting, value in (("accent", accent), ("band", band)):
        with suppress(ImproperlyConfigured):
            read_club(**{setting: value})
            continue
        sentence = refusal(**{setting: value})
        assert sentence.startswith(f"CLUB_{setting.upper()}={value} is too light")
        (proposed,) = re.findall(r"(#\w+) would do", sentence)
        accent, band = (proposed, band) if setting == "accent" else (accent, proposed)
    for club in (read_club(accent=accent, band=band), read_club(accent=accent), read_club(band=band)):
        light, dark = colours_of(club)
        pairs = [(light["accent"], ground) for ground in LIGHT_GROUNDS]
        pairs += [(dark["accent"], ground) for ground in DARK_GROUNDS]
        pairs += [(each[f"on-{name}"], each[name]) for each in (light, dark) for name in ("accent", "band")]
        assert [pair for pair in pairs if contrast(*pair) < 4.5] == []
        assert (light["on-band"], dark["on-band"], dark["on-accent"]) == (WHITE, WHITE, ON_LIGHT_ACCENT)


def test_the_colour_that_is_named_is_the_nearest_in_the_same_hue() -> None:
    assert "#7f6600 would do" in refusal(accent="#ffcc00")
    assert "contrast with #ffffff is 4.22" in refusal(band="#3a7bd5")
    assert read_club(accent="#12305A").band == "#12305a"


def test_texts_links_and_an_imprint_are_read_as_they_are_written() -> None:
    club = read_club(
        name=" Linden  Bridge Club ",
        welcome=r"Friends at four.\nEvery Friday.",
        links="Our website=https://club.example/a?b=c ;Calendar = https://club.example",
        imprint="Linden e.V.\nMain\u00a0Street 1",
    )
    assert (club.name, club.welcome) == ("Linden Bridge Club", "Friends at four.\nEvery Friday.")
    assert club.links == (Link("Our website", "https://club.example/a?b=c"), Link("Calendar", "https://club.example"))
    assert (club.imprint, club.imprint_path) == ("Linden e.V.\nMain Street 1", "/imprint")
    assert read_club(imprint="https://club.example/imprint").imprint_path == "https://club.example/imprint"
    assert Club().imprint_path == ""


def test_a_wrong_setting_is_named_with_what_would_do() -> None:
    for settings, sentence in (
        ({"name": "x" * 61}, "CLUB_NAME has 61 characters. The limit is 60."),
        ({"name": "Two\nlines"}, "CLUB_NAME has 2 lines. The limit is 1."),
        ({"name": "A\u202eB"}, "CLUB_NAME has characters that cannot be shown."),
        ({"welcome": r"a\nb\nc"}, "CLUB_WELCOME has 3 lines. The limit is 2."),
        ({"accent": "green"}, "CLUB_ACCENT=green is not a colour: write it as #rrggbb"),
        ({"band": "#12345"}, "CLUB_BAND=#12345 is not a colour"),
        ({"links": "https://club.example"}, "CLUB_LINKS has “”, which is not an address"),
        ({"links": "=https://club.example"}, "write each link as Our website=https://club.example"),
        ({"links": "Us=javascript:alert(1)"}, "CLUB_LINKS has “javascript:alert(1)”, which is not an address"),
        ({"links": "a=https://a.example;" * 9}, "CLUB_LINKS has 9 links. The limit is 8."),
        ({"imprint": "http://club.example"}, "CLUB_IMPRINT=http://club.example is not secure"),
        ({"imprint": 'https://club.example/">'}, "which is not an address"),
        ({"mark": "/nowhere.svg"}, "CLUB_MARK=/nowhere.svg cannot be read"),
        ({"mark": "/"}, "Write the path of an SVG or PNG file."),
    ):
        assert sentence in refusal(**settings), settings


def test_a_mark_is_an_svg_or_a_png_by_its_content(tmp_path: Path) -> None:
    drawn = '<defs><g id="a"/></defs><style>path { fill: url( "#b") }</style>'
    drawn += f'<use {LINK} xlink:href="#a"/><a href="#a"><path d="M0 0" style="fill:url(#b)"/></a>'
    prefixed = '<s:svg xmlns:s="http://www.w3.org/2000/svg"/>'
    noted = ' xmlns:i="http://www.inkscape.org/namespaces/inkscape" i:export-filename="C:\\marks\\url(x)"'
    for kind, content in (
        *(("svg", text.encode()) for text in (SVG("", drawn), prefixed, SVG(noted, "<title>On &lt;script></title>"))),
        ("svg", b'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/1.dtd">' + SVG("", "").encode()),
        ("svg", b'<?xml version="1.0" encoding="UTF-8"?>\n<!-- ours -->' + SVG("", "").encode()),
        ("svg", (ROOT / "pages/static/site/icon.svg").read_bytes()),
        *(("png", png(*size)) for size in ((1, 1), (1024, 1024))),
    ):
        (tmp_path / "mark.gif").write_bytes(content)
        mark = read_club(mark=str(tmp_path / "mark.gif")).mark
        assert mark and (mark.kind, mark.content) == (kind, content), content
        assert mark.path == f"/club/mark.{kind}?v={mark.version}"


def test_a_mark_that_is_damaged_too_large_or_something_else_is_refused(tmp_path: Path) -> None:
    utf_16 = '<?xml version="1.0" encoding="utf-16"?>' + SVG("", "<script/>")
    for content, reason in (
        *((text, "neither a PNG nor") for text in ("", "GIF89a", "<svg/>", "<html/>", SVG("", "<g>"), SVG("", "\0"))),
        *((text, "neither a PNG nor") for text in (SVG("", "é").encode("latin-1"), utf_16.encode("utf-16"))),
        ('<!DOCTYPE svg [<!ENTITY a SYSTEM "/etc/hostname">]>' + SVG("", "&a;"), "neither a PNG nor"),
        (SVG("", " " * MAX_BYTES), "larger than 64 kB"),
        (png(1025, 1), "wider or higher than 1024 pixels"),
        *((png(9, 9)[:end], "damaged PNG") for end in (8, 30, 60)),
    ):
        (tmp_path / "mark.svg").write_bytes(content if isinstance(content, bytes) else content.encode())
        sentence = refusal(mark=str(tmp_path / "mark.svg"))
        assert sentence.startswith("CLUB_MARK=") and reason in sentence, (content[:200], sentence)
