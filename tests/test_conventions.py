"""What holds for every view, command, error code and setting."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import get_commands
from markdown_it import MarkdownIt
from rest_framework.permissions import AllowAny
from rest_framework.test import APIClient
from rest_framework.viewsets import ViewSetMixin

from config.api.errors import every_error
from config.api.views import ApiView
from dev import COMMANDS
from tests.conformance.document import document
from tests.routes import api_routes, routes

ROOT = Path(settings.BASE_DIR)
OURS = (
    "accounts",
    "boards",
    "bridge",
    "config",
    "deals",
    "forms",
    "impersonation",
    "pages",
    "search",
    "themes",
    "voting",
)
OTHERS = ("bench", "deploy", "docs", "templates", "tests", "tools")
SOURCES = [
    path
    for folder in (*OURS, "bench", "tools")
    for path in (ROOT / folder).rglob("*.py")
    if "migrations" not in path.parts
]
PAGES = [ROOT / "README.md", *(ROOT / "bridge").glob("*.md"), *(ROOT / "docs").rglob("*.md")]


def test_every_api_view_is_one_of_ours_and_names_its_permissions() -> None:
    for route in api_routes():
        assert issubclass(route.view, ApiView), route.path
        ours = [base for base in route.view.__mro__ if base.__module__.startswith(OURS)]
        assert any("permission_classes" in vars(base) for base in ours), route.path


def test_every_view_says_what_it_does() -> None:
    assert [route.path for route in routes() if route.view.__doc__ in (None, "", ApiView.__doc__)] == []


def test_shared_caches_may_store_only_public_reads() -> None:
    for route in api_routes():
        assert (
            "GET" not in route.methods
            or not route.view.public_read
            or any(each is AllowAny or "ToChange" in each.__name__ for each in route.view.permission_classes)
        ), route.path


def test_every_group_of_the_api_has_viewsets_that_a_router_wires_and_its_serializers() -> None:
    """The views without a row or a form of their own: the feed, the file import and events, which are counted."""
    groups = {"accounts", "boards", "deals", "forms", "impersonation", "themes", "voting"}
    own = [route for route in api_routes() if route.view.__module__.startswith(tuple(groups))]
    plain = {route.path for route in own if not issubclass(route.view, ViewSetMixin)}
    events = {"/api/events", "/api/events/<slug:slug>", "/api/events/<slug:slug>/ranking"}
    assert plain == {"/api/deals/events", "/api/deals/feed", "/api/deals/import", *events}
    # A router gives each view a basename. Files have paths: their ending names the renderer.
    by_hand = {route.path for route in own if route.path not in plain and not route.is_of_router}
    assert {path for path in by_hand if not re.search(r"\.(pbn|lin|svg)$", path)} == set()
    assert {route.view.__module__.partition(".")[0] for route in own if route.is_of_router} == groups
    assert all((ROOT / group / "serializers.py").exists() for group in groups)


def rows_of(page: str, pattern: str) -> list[Any]:
    """Return what a pattern finds at the beginning of the rows of the tables of a page in docs/."""
    return re.findall(rf"^\| {pattern}", (ROOT / "docs" / page).read_text(encoding="utf-8"), re.MULTILINE)


def test_the_reference_lists_every_error_code_with_its_status() -> None:
    table = set(rows_of("api/errors.md", r"([a-z_]+) \| (\d{3}) \|"))
    assert table == {(error.default_code, str(error.status_code)) for error in every_error()}


def test_the_reference_lists_every_setting() -> None:
    files = [ROOT / "config" / "settings.py", ROOT / "config" / "gunicorn.conf.py"]
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    read = set(re.findall(r'(?:env(?:\.\w+)?|flag)\(\s*"([A-Z_]+)"|environ(?:\.get\(|\[)\s*["\']([A-Z_]+)', text))
    names = {name for pair in read for name in pair if name} - {"PROMETHEUS_MULTIPROC_DIR", "DJANGO_SETTINGS_MODULE"}
    rows = rows_of("reference/settings.md", r"([A-Z][A-Z_, ]+) \|")
    assert names == {name.strip() for row in rows for name in row.split(",")}


def commands() -> list[str]:
    return sorted(name for name, app in get_commands().items() if app.split(".")[0] in OURS)


def test_the_reference_lists_every_command() -> None:
    assert sorted(rows_of("reference/commands.md", r"`([a-z_]+)")) == commands()


def test_every_command_has_a_test() -> None:
    tests = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py") if path != Path(__file__)
    )
    assert [name for name in commands() if f'"{name}"' not in tests] == []


def headings_of(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub and the pages of guides make them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE) if page.suffix == ".md" else []
    return {re.sub(r"[^\w -]", "", re.sub(r"\]\(.*?\)", "", each)).lower().replace(" ", "-") for each in headings}


def test_every_link_of_a_page_leads_to_a_file_or_a_folder_and_to_a_heading_there() -> None:
    for page in PAGES:
        links = re.findall(r"\]\(([^)#:]*)(?:#([^)]+))?\)", page.read_text(encoding="utf-8"))
        targets = [(page.parent / path if path else page, heading) for path, heading in links]
        assert [target for target, _ in targets if not target.exists()] == [], page
        lost = [(target.name, heading) for target, heading in targets if heading and heading not in headings_of(target)]
        assert lost == [], page


def prose_of(page: Path) -> list[str]:
    """Return the lines of paragraphs and list items. Tables, code, headings and HTML are none."""
    text = page.read_text(encoding="utf-8")
    lines, tokens = text.split("\n"), MarkdownIt("commonmark").enable("table").parse(text)
    return [
        line
        for before, token in pairwise(tokens)
        if before.type == "paragraph_open" and token.map
        for line in lines[token.map[0] : token.map[1]]
        if not line.startswith("<")
    ]


def test_no_line_of_prose_is_longer_than_120_characters() -> None:
    pages = [*PAGES, ROOT / "CHANGELOG.md"]
    assert [(page.name, line) for page in pages for line in prose_of(page) if len(line) > 120] == []


def test_no_file_is_longer_than_four_hundred_lines() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES}
    assert {path: length for path, length in lengths.items() if length > 400} == {}


def test_the_schema_names_every_route_and_no_other() -> None:
    named = set(document()["paths"])
    served = {re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route.path) for route in routes() if route.path.startswith("/api/")}
    served -= {"/api/docs", "/api/docs/{name}", "/api/docs/{name}.md", "/api/openapi.json"}
    assert {re.sub(r"\{\w+\}", "{}", path) for path in named} == {re.sub(r"\{\w+\}", "{}", path) for path in served}


@pytest.mark.django_db
def test_the_refusal_in_the_readme_is_what_the_service_answers() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    example = re.search(r"curl -s 'http://127\.0\.0\.1:8000(\S+)'\n(    \{\"code\":.*?\}\})\n", readme, re.DOTALL)
    assert example
    shown, answered = json.loads(example[2]), APIClient().get(example[1]).json()
    for refusal in (shown, answered):
        del refusal["meta"]["requestId"]
    assert shown == answered


def test_every_test_that_the_pages_on_reliability_cite_exists() -> None:
    missing = []
    for page in (ROOT / "docs" / "reliability").glob("*.md"):
        for path, name in re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", page.read_text(encoding="utf-8")):
            file = ROOT / path
            text = file.read_text(encoding="utf-8") if file.exists() else ""
            if not re.search(rf"^ *def {name}\(", text, re.MULTILINE):  # also in a class
                missing.append((page.name, path, name))
    assert not missing


def test_every_event_of_the_security_log_is_on_the_page_for_who_watches_it() -> None:
    page = (ROOT / "docs" / "reliability" / "watching.md").read_text(encoding="utf-8")
    calls = re.compile(r'\blog_(?:security|change)\(\s*"(\w+)"')
    events = {event for path in SOURCES for event in calls.findall(path.read_text(encoding="utf-8"))}
    assert len(events) > 10
    assert {event for event in events if f"`{event}`" not in page} == set()


NAMED = (
    re.compile(rf"(?<![\w/.~-])(?:{'|'.join((*OURS, *OTHERS))})/[\w./-]*\w"),
    re.compile(r"(?<![\w/.*-])[\w-]+\.(?:py|sql|sh)\b"),
)
"""Paths from the root, and the names of programs."""


def test_every_file_and_command_that_a_page_names_exists() -> None:
    files = [path for folder in (*OURS, *OTHERS) for path in (ROOT / folder).rglob("*")]
    known = {"dev.py", "manage.py"} | {path.name for path in files} | {str(path.relative_to(ROOT)) for path in files}
    known |= {path.removesuffix(".py").replace("/", ".") for path in known} | {"bench", "bridge"}
    made = (ROOT / ".gitignore").read_text(encoding="utf-8")  # such as deploy/.env
    gone = []
    for page in (*PAGES, ROOT / "CHANGELOG.md"):
        text = page.read_text(encoding="utf-8")
        named = {name for pattern in NAMED for name in pattern.findall(text)}
        named |= set(re.findall(r"python -m ((?:bench|bridge)(?:\.\w+)*)", text))
        gone += [(page.name, name) for name in named - known if name not in made]
        gone += [(page.name, name) for name in set(re.findall(r"dev\.py ([a-z]+)", text)) - set(COMMANDS)]
    assert gone == []


def test_each_requirement_of_the_asvs_is_listed_once_and_counted() -> None:
    page = (ROOT / "docs" / "reliability" / "asvs.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\d., ]+) \| [^|]+ \| ([^|]+) \| ([^|]+) \|$", page, re.MULTILINE)
    state_of = [(number, state) for numbers, state, _ in rows for number in numbers.split(", ")]
    assert len(dict(state_of)) == len(state_of) == 253
    states = [state for _, state in state_of]
    counts = [states.count(state) for state in ("met", "**met if**", "n.a.", "**not met**")]
    assert sum(counts) == 253
    said = re.search(
        r"Of 253, (\d+) are met, (\d+) are met .*? (\d+) are .*? and (\d+) are not met\.", " ".join(page.split())
    )
    assert said and [int(count) for count in said.groups()] == counts


BLOCKS = "p|div|ul|ol|li|dl|dt|dd|table|thead|tbody|tr|section|article|form|nav|details|summary|h[1-6]"
HIDDEN = re.compile(rf"</(?:{BLOCKS})>\{{%|%\}}<(?:{BLOCKS})\b|^ *\{{%[^\n]*?%\}} {{2,}}\S", re.MULTILINE)
"""A tag of a template behind or before a part of a page: it has a line of its own, indented (djhtml)."""


def test_a_tag_around_a_part_of_a_page_has_a_line_of_its_own() -> None:
    templates = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "templates").rglob("*.svg")]
    assert HIDDEN.search("</p>{% endif %}") and HIDDEN.search("{% endif %}    <p>") and HIDDEN.search("{% if x %}<li>")
    assert {path.name: found[0] for path in templates if (found := HIDDEN.search(path.read_text("utf-8")))} == {}
