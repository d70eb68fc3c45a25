"""The stylesheets of the site: no rule is for a class that nothing has."""

import re
from itertools import chain
from pathlib import Path

import django.contrib.admin

from bridge.names import SEAT_KEYS
from pages.site.guides import LANGUAGES

ROOT = Path(__file__).parents[3]
STYLES = sorted((ROOT / "pages/static/site").glob("*.css"))
TEMPLATES = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "pages/static/site").glob("*.js")]
DRAWINGS = [path for room in ("pages", "boards", "config", "forms") for path in (ROOT / room).rglob("*.py")]
DJANGO = Path(django.contrib.admin.__file__).parent
OF_DJANGO = [*DJANGO.rglob("*.html"), *(DJANGO / "static").rglob("*.css"), *(DJANGO / "static").rglob("*.js")]

NAMED_BY_VALUE = {
    *(f"{part}-{seat}" for part in ("hand", "of", "played") for seat in SEAT_KEYS),
    *(f"in-{language}" for language in LANGUAGES),
}
"""Classes whose names a template or a drawing makes of a value."""


def words_in(paths: list[Path], pattern: str) -> set[str]:
    """Return the names within what the pattern finds in these files."""
    texts = chain.from_iterable(re.findall(pattern, path.read_text()) for path in paths)
    return set(re.findall(r"[A-Za-z][\w-]*", " ".join(texts)))


def test_each_class_of_a_stylesheet_is_in_a_template_or_a_drawing() -> None:
    used = words_in(TEMPLATES, r"""class="[^>]*|class(?:Name|List)[^;\n]*""") | NAMED_BY_VALUE
    used |= words_in(DRAWINGS, r"""class=[^>]*|["'][\w -]*["']""")
    of_django = words_in(OF_DJANGO, r"""(?s).+""")
    assert STYLES
    dead = {}
    for path in STYLES:
        rules = re.sub(r"(?s)/\*.*?\*/", "", path.read_text())
        names = set(re.findall(r"\.([A-Za-z][\w-]*)", " ".join(re.findall(r"([^{};]+)\{", rules))))
        if path.name == "admin.css":
            names = {name for name in names - of_django if not name.startswith("field-")}
        dead[path.name] = sorted(names - used)
    assert not any(dead.values()), dead
