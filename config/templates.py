"""Lay templates out for those who read them, and send pages without that layout."""

import re

from django.template import Origin
from django.template.loaders import filesystem

LOADERS = [
    (
        "django.template.loaders.cached.Loader",
        ["config.templates.Loader", "django.template.loaders.app_directories.Loader"],
    ),
]
LAYOUT = re.compile(
    r"(?ms)(?P<kept><pre\b.*?</pre>)"
    r"|^[ \t]*(?P<tags>(?:\{(?P<sign>[%#])(?-s:(?!(?P=sign)\}).)*(?P=sign)\})+)\n"
    r"|^[ \t]+"
)


class Loader(filesystem.Loader):
    """Load a template without indentation, and with each line that holds tags alone joined to the next line.

    What stands in <pre> is left as it is. A line of tags alone makes no space between its neighbours.
    """

    def get_contents(self, origin: Origin) -> str:
        return LAYOUT.sub(r"\g<kept>\g<tags>", super().get_contents(origin))
