"""The mark of a club: a small SVG or PNG file, which is checked before every page shows it."""

import hashlib
import re
from dataclasses import dataclass, field
from io import BytesIO
from xml.parsers import expat

from config import paths

MAX_BYTES = 64 * 1024
MAX_PIXELS = 1024
"""The width and height of a PNG: a small file may unfold to gigabytes."""

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
CONTENT_TYPES = {"png": "image/png", "svg": "image/svg+xml; charset=utf-8"}
SVG_NAMESPACE = "http://www.w3.org/2000/svg"
NO_MARK = f'it is neither a PNG nor a well-formed SVG in UTF-8, which begins with <svg xmlns="{SVG_NAMESPACE}">.'
PLAIN = "Save it as a plain SVG without, or as a PNG."

REFUSED_ELEMENTS = {
    *("script", "handler", "listener", "foreignobject", "iframe", "object", "embed", "audio", "video"),
    *("animate", "animatecolor", "animatemotion", "animatetransform", "set", "discard"),
}
"""What runs, what brings other documents in, and what changes another element's attributes, or moves."""

UNSAFE_STYLE = re.compile(r"\\|@import|image-set|url\(\s*+[\"']?+\s*+(?!#)", re.IGNORECASE)
"""What fetches something from elsewhere, and the escapes that could hide it."""


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
    """Raise MarkRefused for what is no SVG, and for one that runs scripts or fetches something from elsewhere.

    The parser keeps no tree and expands neither names nor entities, so that the time is linear in the file's size.
    """
    svg = SvgCheck()
    try:
        if "\0" in content.decode("utf-8"):  # as in UTF-16, which the parser and browsers would tell by it
            raise MarkRefused(NO_MARK)
        svg.parser.Parse(content, True)
    except (UnicodeDecodeError, expat.ExpatError):
        raise MarkRefused(NO_MARK) from None
    if UNSAFE_STYLE.search("".join(svg.styles)):
        raise MarkRefused(f"its style refers to something outside of the file. {PLAIN}")


class SvgCheck:
    """The handlers of a parser, which raise MarkRefused. `styles` has the text of all <style> elements."""

    def __init__(self) -> None:
        self.styles: list[str] = []
        self.is_begun = self.is_in_style = False
        self.parser = expat.ParserCreate("utf-8")  # whatever the file says: it is served so
        self.parser.StartDoctypeDeclHandler = self.refuse_doctype
        self.parser.ProcessingInstructionHandler = self.refuse_instruction
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.read_text

    def refuse_doctype(self, *_: object) -> None:
        raise MarkRefused(f"it has a DOCTYPE, which may define entities. {PLAIN}")

    def refuse_instruction(self, *_: object) -> None:
        raise MarkRefused(f"it has an instruction for other programs (<?…?>). {PLAIN}")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        prefix, _, local = name.rpartition(":")
        if not self.is_begun:
            if local != "svg" or attributes.get(f"xmlns:{prefix}" if prefix else "xmlns") != SVG_NAMESPACE:
                raise MarkRefused(NO_MARK)
            self.is_begun = True
        if self.is_in_style or local.lower() in REFUSED_ELEMENTS:
            raise MarkRefused(f"it has the element <{name[:40]}>. {PLAIN}")
        self.is_in_style = local.lower() == "style"
        for attribute, value in attributes.items():
            check_attribute(attribute, value)

    def end(self, name: str) -> None:
        self.is_in_style = False

    def read_text(self, text: str) -> None:
        if self.is_in_style:
            self.styles.append(text)


def check_attribute(name: str, value: str) -> None:
    """Raise MarkRefused for an event handler, and for a reference that leads out of the file."""
    local = name.rpartition(":")[2].lower()
    if local.startswith("on"):
        raise MarkRefused(f"it has the event handler {name[:40]}. {PLAIN}")
    leads_out = local in ("href", "src") and not value.strip().startswith("#")
    # Attributes of other namespaces, such as the folder that a drawing program notes, are no style.
    if leads_out or name == "xml:base" or (":" not in name and UNSAFE_STYLE.search(value)):
        raise MarkRefused(f"its attribute {name[:40]} refers to something outside of the file. {PLAIN}")
