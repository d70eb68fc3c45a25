"""The guides to the API as pages and as Markdown, and llms.txt, which leads programs to them."""

from collections.abc import Iterator

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from config.api.openapi import openapi_document
from pages.site.base import PageView
from pages.site.guides import LANGUAGES, Guide, guides

PURPOSE = (
    "An open service for sharing contract bridge boards: read and search boards, vote on them, import PBN and LIN"
    " files, and follow what happens. The API speaks JSON over HTTP; reading boards needs no credentials."
)
HINTS = (
    "Send `Authorization: Bearer <token>` as a person, `X-API-Key: <key>` as a service (everything under /api/deals).",
    "Every error is JSON: `code` is stable, `message` says what to do, `meta.requestId` finds it in the log.",
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
        context = {
            "guide": guide,
            "guides": in_order,
            "next": following[0] if following else None,
            "languages": LANGUAGES,
        }
        return self.render_page("site/guide.html", context)


class GuideTextView(PageView):
    """GET /api/docs/{name}.md → 200, a guide as it is written, or 404."""

    vary = ()

    def get(self, request: HttpRequest, name: str) -> HttpResponse:
        guide = find_guide(name)
        headers = {"Link": f'<{guide.url}>; rel="canonical"', "X-Robots-Tag": "noindex"}
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
