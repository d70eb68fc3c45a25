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

from config.api.errors import every_error
from config.api.views import ApiView
from tests.conformance.document import document
from tests.routes import api_routes, routes

ROOT = Path(settings.BASE_DIR)
OURS = ("accounts", "boards", "bridge", "config", "deals", "forms", "impersonation", "pages", "themes", "voting")
SOURCES = [
    path
    for folder in (*OURS, "bench", "tools")
    for path in (ROOT / folder).rglob("*.py")
    if "migrations" not in path.parts
]
PAGES = [ROOT / "README.md", ROOT / "bridge" / "README.md", *(ROOT / "docs").rglob("*.md")]


@pytest.mark.parametrize("route", api_routes(), ids=lambda route: route.path)
def test_every_api_view_is_one_of_ours_and_names_its_permissions(route) -> None:
    assert issubclass(route.view, ApiView)
    assert any("permission_classes" in vars(base) for base in route.view.__mro__ if base.__module__.startswith(OURS))


@pytest.mark.parametrize("route", routes(), ids=lambda route: route.path)
def test_every_view_says_what_it_does(route) -> None:
    assert route.view.__doc__ and route.view.__doc__ != ApiView.__doc__


@pytest.mark.parametrize(
    "route", [route for route in api_routes() if "GET" in route.methods], ids=lambda route: route.path
)
def test_shared_caches_may_store_only_public_reads(route) -> None:
    assert not route.view.public_read or any(
        permission is AllowAny or "ToChange" in permission.__name__ for permission in route.view.permission_classes
    )


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


@pytest.mark.parametrize("name", commands())
def test_every_command_has_a_test(name: str) -> None:
    tests = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py") if path != Path(__file__)
    )
    assert f'"{name}"' in tests


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_to_a_file_or_a_folder(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


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


def test_every_measurement_that_a_page_cites_exists() -> None:
    pages = [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CHANGELOG.md"]
    cited = {(page.name, name) for page in pages for name in re.findall(r"-m bench\.([\w.]+)", page.read_text("utf-8"))}
    paths = {(page, ROOT / "bench" / name.replace(".", "/")) for page, name in cited}
    assert cited
    assert {
        (page, path.name) for page, path in paths if not (path.is_dir() or path.with_suffix(".py").exists())
    } == set()


def test_each_requirement_of_the_asvs_is_listed_once_and_counted() -> None:
    page = (ROOT / "docs" / "reliability" / "asvs.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\d.]+) \| [^|]+ \| ([^|]+) \| ([^|]+) \|$", page, re.MULTILINE)
    assert len({number for number, _, _ in rows}) == len(rows) == 253
    states = [state for _, state, _ in rows]
    counts = [states.count(state) for state in ("met", "**met if**", "n.a.", "**not met**")]
    assert sum(counts) == len(rows)
    said = re.search(
        r"Of 253, (\d+) are met, (\d+) are met .*? (\d+) are .*? and (\d+) are not met\.", " ".join(page.split())
    )
    assert said and [int(count) for count in said.groups()] == counts
