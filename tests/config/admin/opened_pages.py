"""What a browser would send of a page of the admin that it has opened."""

from html.parser import HTMLParser
from typing import Any

from django.test import Client

BUTTONS = ("submit", "button", "reset")


class OpenedForm(HTMLParser):
    """The fields of the forms in a page, with the values that a browser sends when nobody changes anything."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.sent: dict[str, list[str]] = {}
        self.select = self.textarea = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        name, kind = has.get("name", ""), has.get("type")
        if tag == "input" and name and kind not in BUTTONS:
            if kind not in ("checkbox", "radio") or "checked" in has:
                self.sent.setdefault(name, []).append(has.get("value", "on" if kind == "checkbox" else ""))
        elif tag == "select":
            self.select = name
            self.sent.setdefault(name, [])
        elif tag == "option" and "selected" in has:
            self.sent[self.select].append(has.get("value", ""))
        elif tag == "textarea":
            self.textarea = name
            self.sent[name] = [""]

    def handle_data(self, data: str) -> None:
        if self.textarea:
            self.sent[self.textarea][0] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self.sent[self.textarea][0] = self.sent[self.textarea][0].removeprefix("\r").removeprefix("\n")
            self.textarea = ""


def open_page(client: Client, url: str) -> dict[str, Any]:
    """Return what a browser would send of the page's form."""
    page = client.get(url).content.decode()
    return OpenedForm(page[page.index('id="content-main"') :]).sent
