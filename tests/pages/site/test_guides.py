"""The guides to the API as pages, as Markdown, and llms.txt."""

import re
from urllib.parse import urlsplit

from django.test import Client
from django.urls import resolve

from pages.site.guides import NAMES, guides, render
from tests.answers import assert_error
from tests.conformance.document import document
from tests.pages.documents import Document


def test_a_guide_says_in_plain_words_what_it_is_about() -> None:
    for name in NAMES:
        guide = guides()[name]
        assert guide.text.startswith("# ") and guide.title, name
        assert not re.search(r"[`*\[|#]", guide.title + guide.summary), name
        assert 40 < len(guide.summary) < 160, name


def test_a_guide_has_the_same_text_as_a_page_and_as_markdown(client: Client) -> None:
    for name in NAMES:
        page = Document(client.get(f"/api/docs/{name}"))
        text = client.get(f"/api/docs/{name}.md")
        assert text["Content-Type"] == "text/markdown; charset=utf-8"
        assert text["Link"] == f'<http://testserver/api/docs/{name}>; rel="canonical"'
        written = text.content.decode()
        assert page.texts("h1") == [written.partition("\n")[0].removeprefix("# ")]
        blocks = re.findall(r"^```\w+\n(.*?)^```$", written, re.DOTALL | re.MULTILINE)
        shown = ["".join(text) for tag, _, text in page.elements if tag == "pre"]
        assert shown == blocks and len(blocks) > 4, name
        assert [twin["href"] for twin in page.head(rel="alternate")] == [f"/api/docs/{name}.md"]


def test_the_addresses_in_a_guide_are_those_of_this_service_and_lead_somewhere(client: Client) -> None:
    for name in NAMES:
        assert "boards.example" not in guides()[name].text and "localhost" not in guides()[name].text
        page = Document(client.get(f"/api/docs/{name}"))
        anchors = {"main", *(found.get("id") for _, found, _ in page.elements)}
        for attributes, _ in page.all("a"):
            target = urlsplit(attributes["href"])
            if target.netloc in ("", "testserver") and target.path:
                resolve(target.path)
                guide = target.path.partition("/api/docs/")[2].partition(".")[0]
                assert not guide or guide in NAMES, target
            elif not target.netloc:
                assert target.fragment in anchors, target


def test_a_guide_leads_to_all_others_and_to_the_next_one(client: Client) -> None:
    page = Document(client.get("/api/docs/tokens"))
    hrefs = [attributes["href"] for attributes, _ in page.all("a")]
    assert {f"/api/docs/{name}" for name in NAMES} | {"/api/docs", "/api/openapi.json", "/llms.txt"} <= set(hrefs)
    assert page.links()["Next: The API key"] == "/api/docs/api-key"
    assert page.texts("a", **{"aria-current": "page"}) == ["Bearer tokens"]
    assert not [text for text in Document(client.get(f"/api/docs/{NAMES[-1]}")).links() if text.startswith("Next")]


def test_the_guides_can_be_found(client: Client, db: None) -> None:
    for path in ("/api/docs", "/"):
        assert "/api/docs/first-request" in Document(client.get(path)).links().values(), path


def test_headings_and_tables_can_be_linked_to_and_focused() -> None:
    html = render("# Title\n\n## Read a *board*\n\n| a |\n| --- |\n| <b> |\n\n[one](tokens.md#send-it) <script>")
    assert '<h2 id="read-a-board">Read a <em>board</em> <a class="anchor" href="#read-a-board"' in html
    assert '<a href="/api/docs/tokens#send-it">' in html
    assert "<td>&lt;b&gt;</td>" in html and "&lt;script&gt;" in html
    assert '<div class="scrolled" tabindex="0"' in html


def test_an_unknown_guide_and_a_wrong_method_are_errors_as_everywhere_in_the_api(client: Client) -> None:
    for name in ("nothing", "nothing.md", "tokens.html"):
        assert_error(client.get(f"/api/docs/{name}"), 404, "not_found")
    assert_error(client.post("/api/docs/tokens"), 405, "method_not_allowed")


def test_llms_txt_names_all_guides_the_document_and_every_route(client: Client) -> None:
    response = client.get("/llms.txt")
    lines = response.content.decode().splitlines()
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert lines[0] == "# Bridge Boards" and lines[2].startswith("> ")
    links = dict(re.findall(r"^- \[(.+?)\]\((.+?)\): .+$", "\n".join(lines), re.MULTILINE))
    assert [url for url in links.values() if url.endswith(".md")] == [
        f"http://testserver/api/docs/{name}.md" for name in NAMES
    ]
    assert links["OpenAPI document"] == "http://testserver/api/openapi.json"
    operations = {
        f"{method.upper()} {path}": (path, method)
        for path, methods in document()["paths"].items()
        for method in methods
    }
    assert operations.keys() <= links.keys()
    for name, (path, method) in operations.items():
        pointer = urlsplit(links[name]).fragment.split("/")
        assert pointer == ["", "paths", path.replace("/", "~1"), method]
