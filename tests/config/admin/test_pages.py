"""Every page of the admin, opened by an admin and by support, whose rights come from its group."""

import re
from collections.abc import Iterator

import pytest
from django.contrib import admin
from django.contrib.admin.utils import quote
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django_tasks_db.models import DBTaskResult
from pytest import MonkeyPatch

from accounts.models import Account, AccountChange, AuctionSystem
from accounts.roles import SUPPORT_PERMISSIONS
from boards.models import Board, Collection, Event, EventRanking
from boards.services.reviews import ask_to_publish
from config.admin.options import BoundedPaginator, LargeTableAdmin
from deals.models import Deal, WebhookEndpoint
from forms.models import Submission
from impersonation.models import Impersonation, ImpersonationEvent
from tests import factories
from tests.boards.drafts import draft_of
from tests.config.admin.conftest import log, one_of_everything, staff_client
from tests.pages.documents import Document
from tests.undone import undone
from themes.models import Theme
from voting.models import Vote

pytestmark = pytest.mark.django_db

MODELS = sorted(admin.site._registry, key=lambda model: model._meta.label)
MADE_HERE = {AuctionSystem, Group, Theme, WebhookEndpoint}
CHANGED_HERE = {*MADE_HERE, Account, Board, Event, Submission}
DELETED_HERE = {*MADE_HERE, Board, EventRanking, Submission}
RIGHTS = {Event: "board"}
"""Whose rights are asked for instead of the model's own."""


@pytest.fixture(scope="module")
def world(rows_of_module: None) -> None:
    call_command("load_reference_data", verbosity=0)
    one_of_everything()


@pytest.fixture
def boss(world: None) -> Client:
    return staff_client("admin")


def url(model: type[Model], page: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def expected(model: type[Model], role: str) -> dict[str, int]:
    """Return the status of each page for the role."""
    group = SUPPORT_PERMISSIONS.get(model._meta.app_label, ())
    named = RIGHTS.get(model, model._meta.model_name)
    may = {verb: role == "admin" or f"{verb}_{named}" in group for verb in VERBS}
    rights = {
        **dict.fromkeys(("search", "change", "history"), may["view"] or may["change"]),
        "add": model in MADE_HERE and may["add"],
        "delete": model in DELETED_HERE and may["delete"],
        "save": model in CHANGED_HERE and may["change"],
    }
    return {page: 200 if right else 403 for page, right in rights.items()}


VERBS = ("view", "add", "change", "delete")


def answers(client: Client, model: type[Model]) -> Iterator[tuple[str, int]]:
    rows = model._default_manager.filter(role="member") if model is Account else model._default_manager.all()
    row = rows[0]
    log(row, Account.objects.filter(pk__startswith="the-")[0])
    key = quote(row.pk)
    yield "search", client.get(url(model, "changelist"), {"q": "a"}).status_code
    for page in ("change", "history", "delete"):
        yield page, client.get(url(model, page, key)).status_code
    yield "add", client.get(url(model, "add")).status_code
    # An empty form: shown again with its errors, or saved where nothing is required.
    saved = client.post(url(model, "change", key), {}).status_code
    yield "save", 200 if saved == 302 else saved


@pytest.mark.parametrize("role", ["admin", "support"])
def test_every_page_opens_for_the_roles_that_have_the_right(role: str, world: None, subtests: pytest.Subtests) -> None:
    client = staff_client(role)
    for model in MODELS:
        with subtests.test(model._meta.label), undone():
            assert dict(answers(client, model)) == expected(model, role)


NOT_FOR_PEOPLE = re.compile(r"[\[{]&quot;|[\[{]&#x27;|[ap]\.m\.|20\d\d-\d\d")
"""JSON, and dates of another shape than "20 November 2026, 19:05"."""


def test_who_may_only_look_reads_no_json_and_dates_of_one_shape(world: None) -> None:
    solved = {"double_dummy_status": "done", "double_dummy": "0123456789abcd012345"}
    Deal.objects.update(**solved, par={"None": {"score": -600, "contracts": ["EW 5DX-2"]}})
    WebhookEndpoint.objects.update(event_types=["board.published"])
    client = staff_client("support")
    Group.objects.get(name="support").permissions.set(Permission.objects.filter(codename__startswith="view_"))
    for model in set(MODELS) - {Group, DBTaskResult, Submission}:
        row = model._default_manager.filter(role="member")[0] if model is Account else model._default_manager.all()[0]
        for page in (client.get(url(model, "change", quote(row.pk))), client.get(url(model, "changelist"))):
            assert page.status_code == 200
            text = page.content.decode()
            read = re.sub(r"<[^>]*>", " ", text[text.index('id="content-main"') :])  # links to filters have dates too
            found = NOT_FOR_PEOPLE.search(read)
            assert found is None, (model, found)
    deal = client.get(url(Deal, "change", Deal.objects.all()[0].pk)).content.decode()
    assert all(words in deal for words in ("None: -600 (5♦X-2 EW)", "South: ♣ 10, ♦ 11, ♥ 12, ♠ 13, NT 0", "North: ♠ "))


NAME_OF_PROGRAMS = re.compile(r"[a-z]_[a-z]|[a-z][A-Z]")
OF_FACTORIES = re.compile(r"(?:theme|system)_[0-9]+")


def test_every_page_is_in_words_and_its_links_and_buttons_are_named_by_what_one_sees(boss: Client) -> None:
    Theme.objects.create(type="declarer_play", identifier="x", labels={"en": "X"})
    owner = factories.account()
    ask_to_publish(owner, [draft_of(owner).pk])
    paths = [url(model, "changelist") for model in MODELS]
    paths += [url(model, "change", quote(model._default_manager.all()[0].pk)) for model in MODELS]
    named: dict[str, list[str]] = {}
    for path in (*paths, "/admin/boards/board/waiting/", "/admin/boards/board/upload/"):
        page = Document(boss.get(path))
        assert page.mislabelled() == [], path
        filters = page.html.partition('id="changelist-filter"')[2].partition("</nav>")[0]
        told = [*re.findall(r">([^<]+)<", filters)]
        told += [text for tag in ("label", "option", "caption") for text in page.texts(tag)]
        told += [text for attributes, text in page.all("th") if attributes.get("scope") == "col"]
        found = [text for text in told if NAME_OF_PROGRAMS.search(OF_FACTORIES.sub("", text))]
        named |= {path: found} if found else {}
    assert named == {}


def test_every_model_of_ours_is_in_the_admin_with_quick_lists() -> None:
    ours = {
        *(Account, AccountChange, AuctionSystem, Board, Collection, DBTaskResult, Deal, Event, EventRanking, Group),
        *(Impersonation, ImpersonationEvent, Submission, Theme, Vote, WebhookEndpoint),
    }
    assert set(MODELS) == ours
    assert all(isinstance(admin.site._registry[model], LargeTableAdmin) for model in MODELS)


def test_the_pages_that_belong_to_no_model_and_those_of_each_app_open(boss: Client) -> None:
    for page, status in {"index": 200, "password_change": 200, "login": 302, "jsi18n": 200}.items():
        assert boss.get(reverse(f"admin:{page}")).status_code == status, page
    helper = staff_client("support")
    for app in {model._meta.app_label for model in MODELS}:
        statuses = [client.get(f"/admin/{app}/").status_code for client in (boss, helper)]
        assert statuses == [200, 404 if app in ("auth", "django_tasks_database") else 200], app


def test_a_list_takes_as_many_queries_among_many_rows_as_among_few_and_counts_to_its_bound(boss: Client) -> None:
    def queries(model: type[Model]) -> list[str]:
        with CaptureQueriesContext(connection) as captured:
            assert boss.get(url(model, "changelist")).status_code == 200
        return [query["sql"] for query in captured]

    ContentType.objects.get_for_models(*MODELS)  # They are asked for once a process.
    few = {model: queries(model) for model in MODELS}
    for _ in range(2):
        one_of_everything()
    assert {model: len(queries(model)) for model in MODELS} == {model: len(few[model]) for model in MODELS}
    for model, statements in few.items():
        counts = [sql for sql in statements if "COUNT(" in sql]
        assert counts and all(f"LIMIT {BoundedPaginator.MAX_COUNT}" in sql for sql in counts), model


def test_a_list_says_that_it_is_cut(boss: Client, monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(BoundedPaginator, "MAX_COUNT", 60)
    for _ in range(60 - Theme.objects.count()):
        factories.theme()
    page = boss.get("/admin/themes/theme/?p=2")
    assert len(page.context["cl"].result_list) == 10
    assert b"only the first 60 are listed" in page.content
    Theme.objects.all()[0].delete()
    assert b"are listed" not in boss.get("/admin/themes/theme/").content
