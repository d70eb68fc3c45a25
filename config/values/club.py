"""The club that runs the service: its name, mark and colours, and what it says on every page.

Its settings are read and checked once, when a process starts. Each that is wrong raises ImproperlyConfigured with a
sentence that says what would do.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from django.core.exceptions import ImproperlyConfigured, ValidationError

from config import paths
from config.values.colours import COLOUR, MIN_CONTRAST, contrast, readable_on
from config.values.marks import MAX_BYTES, Mark, MarkRefused, make_mark
from config.values.web_addresses import WebAddressValidator

LIGHT_GROUND, DARK_GROUND = "#e6f0e9", "#1d3329"
"""What has links and is hardest to read on: the darkest ground of light pages and the lightest of dark ones, --felt."""

WHITE, ON_LIGHT_ACCENT = "#ffffff", "#0f1613"
"""The text on band and accent, and on the lighter accent of dark pages."""

DEFAULT_NAME, DEFAULT_ACCENT, DEFAULT_BAND = "Bridge Boards", "#0b5c3c", "#07402b"
DEFAULT_MARK = f"{paths.STATIC}/site/icon.svg"
MAX_NAME, MAX_WELCOME, MAX_IMPRINT, MAX_LINKS = 60, 300, 3000, 8
WELCOME_LINES = 2

is_web_address = WebAddressValidator(schemes=["http", "https"])

COLOURS = """\
:root, html[data-theme="light"] {{ --accent: {accent}; --on-accent: {white}; --band: {band}; --on-band: {white}; }}
@media screen and (prefers-color-scheme: dark) {{
  :root:not([data-theme="light"]) {{ --accent: {dark_accent}; --on-accent: {on_dark_accent}; }}
}}
html[data-theme="dark"] {{ --accent: {dark_accent}; --on-accent: {on_dark_accent}; }}
"""
"""`data-theme` is what the reader of an admin's page has chosen there. Other pages have none."""


class Link(NamedTuple):
    name: str
    address: str


@dataclass(frozen=True)
class Club:
    """What the settings say of the club. Without any it is "Bridge Boards" in green."""

    name: str = DEFAULT_NAME
    mark: Mark | None = None
    accent: str = DEFAULT_ACCENT
    band: str = DEFAULT_BAND
    welcome: str = ""
    links: tuple[Link, ...] = ()
    imprint: str = ""

    @property
    def is_named(self) -> bool:
        return self.name != DEFAULT_NAME

    @property
    def mark_path(self) -> str:
        return self.mark.path if self.mark else DEFAULT_MARK

    @property
    def imprint_path(self) -> str:
        """Return where the imprint stands: on a page of the club, on one of ours, or nowhere."""
        return self.imprint if self.imprint.startswith("https://") else paths.IMPRINT if self.imprint else ""

    @property
    def has_colours(self) -> bool:
        """Tell whether the colours are others than those of site/table.css."""
        return (self.accent, self.band) != (DEFAULT_ACCENT, DEFAULT_BAND)

    @cached_property
    def colours(self) -> str:
        dark_accent = readable_on(DARK_GROUND, self.accent)
        return COLOURS.format(
            accent=self.accent, band=self.band, white=WHITE, dark_accent=dark_accent, on_dark_accent=ON_LIGHT_ACCENT
        )

    @cached_property
    def colours_version(self) -> str:
        return hashlib.sha256(self.colours.encode()).hexdigest()[:12]

    @property
    def colours_path(self) -> str:
        return f"{paths.CLUB}/colours.css?v={self.colours_version}"


def read_club(
    *,
    name: str = "",
    mark: str = "",
    accent: str = "",
    band: str = "",
    welcome: str = "",
    links: str = "",
    imprint: str = "",
) -> Club:
    """Return the club of these settings. Where one colour is given, the other follows it."""
    accent, band = read_colour("CLUB_ACCENT", accent, LIGHT_GROUND), read_colour("CLUB_BAND", band, WHITE)
    return Club(
        name=read_lines("CLUB_NAME", name, MAX_NAME, lines=1) or DEFAULT_NAME,
        mark=read_mark(mark),
        accent=accent or (readable_on(LIGHT_GROUND, band) if band else DEFAULT_ACCENT),
        band=band or accent or DEFAULT_BAND,
        welcome=read_lines("CLUB_WELCOME", welcome, MAX_WELCOME, lines=WELCOME_LINES),
        links=read_links(links),
        imprint=read_imprint(imprint),
    )


def read_lines(setting: str, value: str, length: int, lines: int) -> str:
    r"""Return a plain text of at most so many characters and lines. A file of settings may write "\n" between them."""
    text = "\n".join(" ".join(line.split()) for line in value.replace("\\n", "\n").strip().splitlines())
    if text.count("\n") >= lines:
        raise ImproperlyConfigured(f"{setting} has {text.count(chr(10)) + 1} lines. The limit is {lines}.")
    if len(text) > length:
        raise ImproperlyConfigured(f"{setting} has {len(text)} characters. The limit is {length}.")
    if not all(line.isprintable() for line in text.split("\n")):
        raise ImproperlyConfigured(f"{setting} has characters that cannot be shown. Write it as plain text.")
    return text


def read_colour(setting: str, value: str, ground: str) -> str:
    """Return a colour that has enough contrast with the ground, or "" for none."""
    colour = value.strip().lower()
    if not colour:
        return ""
    if not COLOUR.fullmatch(colour):
        sentence = f"{setting}={colour} is not a colour: write it as #rrggbb, such as {DEFAULT_ACCENT}."
        raise ImproperlyConfigured(sentence)
    if (found := contrast(colour, ground)) < MIN_CONTRAST:
        raise ImproperlyConfigured(
            f"{setting}={colour} is too light: its contrast with {ground} is {int(found * 100) / 100}, and text needs"
            f" {MIN_CONTRAST}. {readable_on(ground, colour)} would do."
        )
    return colour


def read_mark(path: str) -> Mark | None:
    if not path.strip():
        return None
    try:
        with Path(path.strip()).open("rb") as file:
            return make_mark(file.read(MAX_BYTES + 1))
    except OSError as error:
        sentence = f"CLUB_MARK={path} cannot be read ({error.strerror}). Write the path of an SVG or PNG file."
        raise ImproperlyConfigured(sentence) from None
    except MarkRefused as error:
        raise ImproperlyConfigured(f"CLUB_MARK={path} cannot be the mark: {error}") from None


def read_links(value: str) -> tuple[Link, ...]:
    """Return the links of a text such as "Our website=https://club.example; Calendar=https://club.example/days"."""
    links = []
    for part in filter(None, map(str.strip, value.split(";"))):
        name, _, address = (each.strip() for each in part.partition("="))
        if not name:
            raise ImproperlyConfigured(f"CLUB_LINKS has “{part}”: write each link as Our website=https://club.example.")
        link = Link(read_lines("CLUB_LINKS", name, MAX_NAME, lines=1), check_address("CLUB_LINKS", address))
        links.append(link)
    if len(links) > MAX_LINKS:
        raise ImproperlyConfigured(f"CLUB_LINKS has {len(links)} links. The limit is {MAX_LINKS}.")
    return tuple(links)


def read_imprint(value: str) -> str:
    """Return the https address of the club's imprint, or its text."""
    text = read_lines("CLUB_IMPRINT", value, MAX_IMPRINT, lines=MAX_IMPRINT)
    if text.startswith("http://"):
        raise ImproperlyConfigured(f"CLUB_IMPRINT={text} is not secure: write an https address, or the text itself.")
    return check_address("CLUB_IMPRINT", text) if text.startswith("https://") else text


def check_address(setting: str, address: str) -> str:
    try:
        is_web_address(address)
    except ValidationError:
        sentence = f"{setting} has “{address}”, which is not an address: write it as https://club.example/about."
        raise ImproperlyConfigured(sentence) from None
    return address
