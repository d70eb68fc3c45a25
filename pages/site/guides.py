"""The guides to the API: Markdown files in docs/api, as they are and as pages, and llms.txt, which leads programs to
them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from config.api.openapi import openapi_document
from pages.site.base import PageView

if TYPE_CHECKING:
    from markdown_it.token import Token
else:
    Token = Any

FOLDER = Path(settings.BASE_DIR) / "docs" / "api"

NAMES = (
    "first-request",
    "tokens",
    "api-key",
    "paging",
    "search",
    "evenings",
    "collections",
    "caching",
    "errors",
    "limits",
    "retries",
    "impersonation",
    "importing",
    "events",
    "webhooks",
    "versions",
)
"""The guides in the order in which a newcomer reads them. Each is a file NAME.md of FOLDER, and a page NAME."""

WRITTEN_BASE = "https://boards.example"
"""What stands in the files for PUBLIC_BASE_URL."""

LANGUAGES = {"sh": "curl", "python": "Python", "ts": "TypeScript"}
"""The languages that each step is shown in, by the name that follows the backticks of a block."""

FOCUSED = 'tabindex="0" role="group"'
"""What is too wide scrolls, so it can be focused by keyboard."""

LINK_TO_GUIDE = re.compile(r"([a-z-]+)\.md(#.+)?")


@dataclass(frozen=True)
class Guide:
    """One guide. Its first line is its title, the paragraph after it says in plain words what it is about."""

    name: str
    text: str

    @property
    def title(self) -> str:
        return self.text.partition("\n")[0].removeprefix("# ")

    @property
    def summary(self) -> str:
        return " ".join(self.text.split("\n\n")[1].split())

    @property
    def url(self) -> str:
        return settings.PUBLIC_BASE_URL + reverse("guide", args=[self.name])

    @cached_property
    def html(self) -> str:
        """Render the guide. The process keeps the result."""
        return render(self.text)


@cache
def guides() -> dict[str, Guide]:
    """Return all guides by name, with the addresses of this service in their texts."""
    texts = {name: (FOLDER / f"{name}.md").read_text(encoding="utf-8") for name in NAMES}
    return {name: Guide(name, text.replace(WRITTEN_BASE, settings.PUBLIC_BASE_URL)) for name, text in texts.items()}


def render(text: str) -> str:
    """Return Markdown as HTML without script, style or raw HTML, so that the content security policy allows it."""
    # Only now: commands and the worker import the URLconf and render nothing.
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.add_render_rule("heading_close", render_heading_end)
    markdown.add_render_rule("fence", render_block)
    markdown.add_render_rule("table_open", lambda *_: f'<div class="scrolled" {FOCUSED} aria-label="Table"><table>\n')
    markdown.add_render_rule("table_close", lambda *_: "</table></div>\n")
    tokens = markdown.parse(text)
    name_headings(tokens)
    for link in links_of(tokens):
        if found := LINK_TO_GUIDE.fullmatch(str(link.attrs["href"])):
            link.attrs["href"] = reverse("guide", args=[found[1]]) + (found[2] or "")
    return markdown.renderer.render(tokens, markdown.options, {})


def name_headings(tokens: Sequence[Token]) -> None:
    """Give each heading below the title an id made of its words, and tell its end tag of it."""
    for start, inline, end in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if start.type == "heading_open" and start.tag != "h1":
            words = "".join(child.content for child in inline.children or ())
            start.attrs["id"] = "-".join(re.findall(r"\w+", words.lower()))
            end.meta = {"id": start.attrs["id"], "words": words}


def links_of(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        if token.type == "link_open":
            yield token
        yield from links_of(token.children or ())


# --- What markdown-it calls for a token, as methods of its renderer -----------------------------------------------


def render_heading_end(renderer: Any, tokens: Sequence[Token], index: int, *_: Any) -> str:
    """End a heading with a link to itself."""
    token = tokens[index]
    if not token.meta:
        return f"</{token.tag}>\n"
    label = escape(f"Link to: {token.meta['words']}")
    return f' <a class="anchor" href="#{token.meta["id"]}" aria-label="{label}">#</a></{token.tag}>\n'


def render_block(renderer: Any, tokens: Sequence[Token], index: int, *_: Any) -> str:
    """Write a command with the name of its language, and anything else, an answer say, without a name."""
    kind, text = tokens[index].info.strip(), escape(tokens[index].content)
    name = LANGUAGES.get(kind)
    if name is None:
        return f'<pre class="answer" {FOCUSED} aria-label="Answer"><code>{text}</code></pre>\n'
    return (
        f'<div class="command in-{kind}"><p class="language">{name}</p>'
        f'<pre {FOCUSED} aria-label="{name}"><code>{text}</code></pre></div>\n'
    )


PURPOSE = (
    "An open service for sharing contract bridge boards: read and search boards, vote on them, import PBN and LIN"
    " files, and follow what happens. The API speaks JSON over HTTP; reading boards needs no credentials."
)
HINTS = (
    "Send `Authorization: Bearer <token>` as a person, `X-API-Key: <key>` as a service (everything under /api/deals).",
    "Every error is JSON: `code` is stable, `message` says what to do, `meta.requestId` identifies it in the log.",
    "Each guide has its commands in curl, Python and TypeScript. All of them are run by the service's tests.",
)


def find_guide(name: str) -> Guide:
    """Return a guide by its name. Raise Http404 without one."""
    guide = guides().get(name)
    if guide is None:
        raise Http404
    return guide


class GuidePage(PageView):
    """GET /api/docs/{name} → 200, a guide to the API as a page, or 404."""

    vary = ()

    def get(self, request: HttpRequest, name: str) -> HttpResponse:
        guide, in_order = find_guide(name), list(guides().values())
        following = in_order[in_order.index(guide) + 1 :]
        context = {"guide": guide, "guides": in_order, "next": next(iter(following), None), "languages": LANGUAGES}
        return self.render_page("site/guide.html", context)


class GuideTextView(PageView):
    """GET /api/docs/{name}.md → 200, a guide as it is written, or 404."""

    vary = ()
    is_unlisted = True

    def get(self, request: HttpRequest, name: str) -> HttpResponse:
        guide = find_guide(name)
        headers = {"Link": f'<{guide.url}>; rel="canonical"'}
        return HttpResponse(guide.text, content_type="text/markdown; charset=utf-8", headers=headers)


class LlmsTextView(PageView):
    """GET /llms.txt → 200, what a program that reads should know of this service (llmstxt.org)."""

    vary = ()

    def get(self, request: HttpRequest) -> HttpResponse:
        return HttpResponse("\n".join(llms_lines()) + "\n", content_type="text/plain; charset=utf-8")


def llms_lines() -> Iterator[str]:
    document = settings.PUBLIC_BASE_URL + reverse("openapi")
    yield from ("# Bridge Boards", "", f"> {PURPOSE}", "")
    yield from (f"- {hint}" for hint in HINTS)
    yield from ("", "## Guides", "")
    yield from (f"- [{guide.title}]({guide.url}.md): {guide.summary}" for guide in guides().values())
    yield from ("", "## Interface", "")
    yield f"- [OpenAPI document]({document}): Every route, parameter, field, header and error, as OpenAPI 3.1."
    yield f"- [Interactive page]({settings.PUBLIC_BASE_URL}{reverse('docs')}): The same document, to try out."
    yield from ("", "## Routes", "")
    for path, operations in openapi_document()["paths"].items():
        pointer = path.replace("/", "~1")
        for method, operation in operations.items():
            address = f"{document}#/paths/{pointer}/{method}"
            yield f"- [{method.upper()} {path}]({address}): {operation['summary']}."
