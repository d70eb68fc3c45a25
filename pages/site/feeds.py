"""Atom feeds of texts that anybody may have written."""

import re
from typing import Any

from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape

FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML document may hold (XML 1.0 §2.2)."""


AUTHOR = "Bridge Boards"
"""Who writes the entries, as a feed must say (RFC 4287 §4.1.1): members are not named to all."""


class Feed(Atom1Feed):
    """Django's Atom feed, without the characters that XML forbids: one of them would cost all readers the feed."""

    def __init__(self, title: str, link: str, description: str, **more: Any) -> None:
        super().__init__(allowed(title), link, allowed(description), author_name=AUTHOR, **more)

    def add_item(self, title: str, link: str, description: str, *args: Any, **more: Any) -> None:
        # Django writes a summary as HTML.
        super().add_item(allowed(title), link, escape(allowed(description)), *args, **more)


def allowed(text: str) -> str:
    return FORBIDDEN.sub("", text)
