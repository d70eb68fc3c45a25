"""The mark of a club: a small SVG or PNG file, which is read once, before every page shows it."""

import hashlib
from dataclasses import dataclass, field
from io import BytesIO
from xml.etree import ElementTree

from config import paths

MAX_BYTES = 64 * 1024
MAX_PIXELS = 1024
"""The width and height of a PNG: a small file may unfold to gigabytes."""

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
CONTENT_TYPES = {"png": "image/png", "svg": "image/svg+xml; charset=utf-8"}
SVG_NAMESPACE = "http://www.w3.org/2000/svg"
NO_MARK = f'it is neither a PNG nor a well-formed SVG in UTF-8, which begins with <svg xmlns="{SVG_NAMESPACE}">.'


class MarkRefused(Exception):
    """Says why a file cannot be the mark, and what would do."""


@dataclass(frozen=True)
class Mark:
    """A file that is good. `kind` is "svg" or "png", and `version` tells its content from any other."""

    kind: str
    content: bytes = field(repr=False, compare=False)
    version: str

    @property
    def content_type(self) -> str:
        return CONTENT_TYPES[self.kind]

    @property
    def path(self) -> str:
        return f"{paths.CLUB}/mark.{self.kind}?v={self.version}"


def make_mark(content: bytes) -> Mark:
    """Return the mark in a file's content. Raise MarkRefused."""
    if len(content) > MAX_BYTES:
        raise MarkRefused(f"it is larger than {MAX_BYTES // 1024} kB. Make it smaller: it is shown at 30 pixels.")
    if content.startswith(PNG_SIGNATURE):
        check_png(content)
    else:
        check_svg(content)
    kind = "png" if content.startswith(PNG_SIGNATURE) else "svg"
    return Mark(kind, content, hashlib.sha256(content).hexdigest()[:12])


def check_png(content: bytes) -> None:
    """Raise MarkRefused for a PNG that is damaged or too large: pictures of boards have it too."""
    from PIL import Image  # here, since Pillow takes 11 MiB and 70 ms

    try:
        with Image.open(BytesIO(content), formats=["PNG"]) as image:
            if max(image.size) > MAX_PIXELS:
                raise MarkRefused(f"it is wider or higher than {MAX_PIXELS} pixels. Make it smaller.")
            image.load()
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        raise MarkRefused("it is a damaged PNG. Save it again.") from None


def check_svg(content: bytes) -> None:
    """Raise MarkRefused for what is not an SVG.

    Its scripts are not looked for. In an <img> no browser runs or fetches anything for it, and opened as a page of its
    own the policy `sandbox` of pages.site.club forbids both.
    """
    try:
        root = ElementTree.fromstring(content.decode())  # noqa: S314  # nobody but the operator writes it
    except (UnicodeDecodeError, ElementTree.ParseError):
        raise MarkRefused(NO_MARK) from None
    if root.tag != f"{{{SVG_NAMESPACE}}}svg":
        raise MarkRefused(NO_MARK)
