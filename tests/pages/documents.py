"""Reading HTML pages in tests."""

from html.parser import HTMLParser
from typing import Any

VOID = {"base", "meta", "link", "input", "br", "img"}


class Document(HTMLParser):
    """A parsed page. `elements` has the tag, attributes and text of each element in order. Every end tag must match.

    An <i> after what screen readers skip gets the class of what the screen hides, as site/hands.css has it.
    """

    def __init__(self, response: Any) -> None:
        super().__init__()
        self.html = response.content.decode()
        self.elements: list[tuple[str, dict[str, str], list[str]]] = []
        self.open: list[int] = []
        self.heard_and_seen = [(True, True)]
        self.before: dict[str, str] = {}
        self.parts: dict[int, list[tuple[str, bool]]] = {}
        self.feed(self.html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "i" and self.before.get("aria-hidden") == "true":
            attributes["class"] = "visually-hidden"
        self.before = {}
        self.elements.append((tag, attributes, []))
        if tag not in VOID:
            self.open.append(len(self.elements) - 1)
            is_spoken, is_seen = self.heard_and_seen[-1]
            is_spoken &= attributes.get("aria-hidden") != "true"
            is_seen &= "visually-hidden" not in attributes.get("class", "").split()
            self.heard_and_seen.append((is_spoken, is_seen))

    def handle_endtag(self, tag: str) -> None:
        opened, self.before, _ = self.elements[self.open.pop()]
        self.heard_and_seen.pop()
        assert opened == tag

    def handle_data(self, data: str) -> None:
        is_spoken, is_seen = self.heard_and_seen[-1]
        for place in self.open:
            self.elements[place][2].append(data)
            if is_spoken and data.strip():
                self.parts.setdefault(place, []).append((data, is_seen))

    def updatepos(self, i: int, j: int) -> int:
        """Count no lines: no test reads the number of one."""
        return j

    def all(self, tag: str, **attributes: str) -> list[tuple[dict[str, str], str]]:
        """Return attributes and text of each element with this tag and these attributes."""
        return [
            (found, " ".join("".join(text).split()))
            for name, found, text in self.elements
            if name == tag and attributes.items() <= found.items()
        ]

    def texts(self, tag: str, **attributes: str) -> list[str]:
        return [text for _, text in self.all(tag, **attributes)]

    def mislabelled(self) -> list[str]:
        """Return the names of links and buttons that do not begin with the words one sees (WCAG 2.5.3)."""
        wrong = []
        for place, (tag, attributes, _) in enumerate(self.elements):
            if tag not in ("a", "button", "summary", "label", "input"):
                continue
            parts = self.parts.get(place, [])
            seen = " ".join(text.strip() for text, is_seen in parts if is_seen)
            if tag == "input" and attributes.get("type") in ("submit", "button"):
                seen = attributes.get("value", "")
            name = attributes.get("aria-label")
            is_wrong = not name.startswith(seen) if name else bool(seen) and bool(parts) and not parts[0][1]
            if is_wrong and any(map(str.isalnum, seen)):
                wrong.append(name or " ".join(text for text, _ in parts))
        return wrong

    def links(self) -> dict[str, str]:
        """Return the address of each link by its text."""
        return {text: attributes["href"] for attributes, text in self.all("a")}

    def form_values(self) -> dict[str, str]:
        """Return what the page's fields send when nothing is changed on it, all forms together."""
        values, select = {}, ""
        for tag, attributes, _ in self.elements:
            is_off = attributes.get("type") == "checkbox" and "checked" not in attributes
            if tag == "input" and "name" in attributes and not is_off:
                values[attributes["name"]] = attributes.get("value", "")
            if tag == "select":
                select = attributes["name"]
                values[select] = ""
            if tag == "option" and "selected" in attributes:
                values[select] = attributes["value"]
        return values

    def head(self, **attributes: str) -> list[dict[str, str]]:
        """Return the attributes of the <link> and <meta> elements that have these."""
        return [found for tag in ("link", "meta") for found, _ in self.all(tag, **attributes)]

    def canonical(self) -> str:
        (link,) = self.head(rel="canonical")
        return link["href"]

    def is_indexed(self) -> bool:
        return not self.head(name="robots", content="noindex")
