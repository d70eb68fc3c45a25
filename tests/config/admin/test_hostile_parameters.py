"""Whatever stands in an address or a form of the admin, no answer is a 5xx. On SQLite and PostgreSQL alike."""

from collections.abc import Iterator
from itertools import product
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from accounts.models import Account, AuctionSystem
from boards.models import Board
from forms.models import Submission
from impersonation.models import Impersonation
from tests.config.admin.conftest import one_of_everything
from themes.models import Theme

pytestmark = pytest.mark.django_db

MODELS = sorted(admin.site._registry, key=lambda model: model._meta.label)
BIG = "99999999999999999999999"
VALUES: list[Any] = ["", "abc", BIG, "a\x00b", "(", b"\xed\xa0\x80", "a " * 2000, "9999-12-31T23:59:59-14:00"]
FEW = [BIG, "9999-12-31T23:59:59-14:00"]
LOOKUPS = [
    "exact", "iexact", "contains", "regex", "iregex", "in", "isnull", "isempty", "gt", "gte", "lt", "range", "year",
    "month", "day", "week_day", "iso_year", "date", "date__year", "hour", "time", "x", "en", "0", "has_key", "search",
    "id__exact", "id__gte", "pk", "password__startswith", "owner__password__regex", "",
]  # fmt: skip
READ = ["q", "p", "o", "id"]
NAMED = ["all", "_to_field", "e", "_popup", "_facets", "_changelist_filters", "nope", "__", "ot"]


def name_of(model: type[Model], page: str) -> str:
    return f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}"


def failures(answers: Iterator[tuple[str, Any]]) -> list[tuple[str, int]]:
    return [(what[:200], answer.status_code) for what, answer in answers if answer.status_code >= 500]


@pytest.fixture(autouse=True)
def _rows(db: None) -> None:
    one_of_everything()


def questions(model: type[Model]) -> Iterator[dict[str, Any]]:
    """Django's own parameters with every value; each field with the lookups let through, one with all there are."""
    for name, value in (*product(READ, VALUES), *product(NAMED, FEW[:1])):
        yield {name: value}
    fields = [field.name for field in model._meta.get_fields()]
    for name, end in product(fields[:1], LOOKUPS):
        yield {f"{name}__{end}": "99999"}
    for name, end, value in product(fields, ("__exact", "__gte"), FEW):
        yield {f"{name}{end}": value}
    yield {"created_at__year": "9999", "created_at__month": "12", "created_at__day": "31"}
    yield {"o": "1." * 2000}
    yield {"id__exact": [str(number) for number in range(900)]}
    yield {"_popup": "1", "_to_field": "id", "e": "1", "p": "0"}


def ask(client: Client, url: str, asked: dict[str, Any]) -> tuple[str, Any]:
    query = urlencode(asked, doseq=True)
    return f"{url}?{query}", client.get(f"{url}?{query}")


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_no_parameter_of_a_list_crashes_it(model: type[Model], boss: Client) -> None:
    url = reverse(name_of(model, "changelist"))
    assert failures(ask(boss, url, asked) for asked in questions(model)) == []


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_no_id_in_a_path_crashes_a_page(model: type[Model], boss: Client) -> None:
    base = reverse(name_of(model, "changelist"))
    pages = ("change/", "delete/", "history/", "erase/", "export/")
    paths = [f"{base}{quote(value, safe='')}/{page}" for value in VALUES for page in pages]
    assert failures((path, boss.get(path)) for path in paths) == []
    assert failures((path, boss.post(path, {"post": "yes"})) for path in paths) == []


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_no_parameter_of_a_rows_pages_crashes_them(model: type[Model], boss: Client) -> None:
    row = model._default_manager.first()
    assert row is not None
    pages = [reverse(name_of(model, page), args=[row.pk]) for page in ("change", "history")]
    add = reverse(name_of(model, "add")) if model in (Theme, AuctionSystem, Group) else pages[0]
    names = [*NAMED, *(field.name for field in model._meta.get_fields())]
    assert (
        failures(
            ask(boss, url, {name: value}) for url in (*pages, add) for name in names for value in FEW[:1]
        )
        == []
    )


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_no_selection_and_no_action_crashes_a_list(model: type[Model], boss: Client) -> None:
    url = reverse(name_of(model, "changelist"))
    actions = [
        "delete_selected",
        "publish",
        "unpublish",
        "mark_handled",
        "export",
        "end_now",
        "nope",
        "\x00",
        "",
    ]

    def answers() -> Iterator[tuple[str, Any]]:
        for action in actions:
            for value in ("abc", BIG):
                sent = {"action": action, "_selected_action": value, "index": "0"}
                yield f"{sent}", boss.post(url, sent)
        for value in VALUES:
            for name in (
                "index",
                "select_across",
                "action",
                "post",
                "_save",
                "form-TOTAL_FORMS",
                "form-0-id",
            ):
                sent = {"action": "delete_selected", "_selected_action": "1", name: value}
                yield f"{sent}", boss.post(url, sent)

    assert failures(answers()) == []


def stored() -> list[int]:
    return [model.objects.count() for model in (Account, Board, Theme, Submission, Impersonation)]


def test_a_malformed_selection_is_refused_and_deletes_nothing(boss: Client) -> None:
    before = stored()
    for model in (Board, Theme, Submission, Impersonation):
        sent = {"action": "delete_selected", "_selected_action": ["abc"], "post": "yes"}
        assert boss.post(reverse(name_of(model, "changelist")), sent).status_code == 400
    assert stored() == before


FORMS: dict[str, dict[str, Any]] = {
    "Board": {"title": "A title", "themes": [], "auction_system": "other"},
    "Theme": {"type": "convention", "identifier": "x", "owner": "system"},
    "AuctionSystem": {"identifier": "x", "sort_order": "1"},
    "Account": {"role": "member", "auction_system": "other", "country": "NL"},
    "Group": {"name": "x", "permissions": []},
}


@pytest.mark.parametrize("model", [Board, Theme, AuctionSystem, Account, Group], ids=lambda m: m.__name__)
def test_no_value_of_a_form_crashes_it(model: type[Model], boss: Client) -> None:
    row = model._default_manager.exclude(pk__in=["system", "the-admin"] if model is Account else []).first()
    assert row is not None
    url = reverse(name_of(model, "change"), args=[row.pk])
    fields = [field.name for field in (*model._meta.fields, *model._meta.many_to_many)]
    labels = {"labels": '{"en": "x"}', "labels-language": ["en"], "labels-text": ["x"]}

    def answers() -> Iterator[tuple[str, Any]]:
        for name in (*fields, "labels-language", "labels-text", "labels-remove", "_saveasnew", "_popup"):
            for value in (BIG, "abc", "a\x00b"):
                sent = {**FORMS[model.__name__], **labels, name: value}
                yield f"{name}={value!r}", boss.post(url, sent)

    assert failures(answers()) == []


def test_a_board_with_a_malformed_theme_is_shown_again_unchanged(boss: Client) -> None:
    board = Board.objects.get()
    url = reverse("admin:boards_board_change", args=[board.pk])
    themes = set(board.themes.values_list("pk", flat=True))
    response = boss.post(url, {**FORMS["Board"], "title": "New", "themes": ["abc"]})
    assert response.status_code == 200
    board.refresh_from_db()
    assert board.title != "New"
    assert set(board.themes.values_list("pk", flat=True)) == themes


def test_the_list_that_is_edited_in_place_survives_any_form(boss: Client) -> None:
    url = reverse("admin:accounts_auctionsystem_changelist")
    good = {
        "form-TOTAL_FORMS": "2", "form-INITIAL_FORMS": "2", "form-0-id": "other", "form-0-sort_order": "5",
        "form-1-id": AuctionSystem.objects.exclude(pk="other")[0].pk, "form-1-sort_order": "6", "_save": "Save",
    }  # fmt: skip

    def answers() -> Iterator[tuple[str, Any]]:
        for name in (*good, "form-MIN_NUM_FORMS", "form-MAX_NUM_FORMS", "form-2-id"):
            for value in FEW:
                yield f"{name}={value!r}", boss.post(url, {**good, name: value})

    assert failures(answers()) == []


@pytest.mark.parametrize(
    "path", ["", "login/", "password_change/", "jsi18n/", "autocomplete/", "boards/", "nope/"]
)
def test_no_parameter_of_another_page_crashes_it(path: str, boss: Client) -> None:
    names = ["next", "term", "app_label", "model_name", "field_name", "page", "username", "password"]
    known = {"app_label": "boards", "model_name": "board", "field_name": "themes", "term": "a"}
    asked = [{**known, name: value} for name in names for value in (BIG, "abc", "a\x00b", "(")]
    assert failures(ask(boss, f"/admin/{path}", question) for question in asked) == []
    assert failures((str(sent), boss.post(f"/admin/{path}", sent)) for sent in asked) == []


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
def test_shortcuts_to_public_pages_lead_nowhere(value: Any, boss: Client) -> None:
    text = quote(value, safe="")
    for path in (f"/admin/r/{text}/{text}/", f"/admin/r/1/{text}/", "/admin/r/"):
        assert boss.get(path).status_code in (400, 404, 414)


@pytest.mark.parametrize(
    "asked",
    [
        {"title__regex": "("},
        {"owner__password__startswith": "p"},
        {"auction__0__call": "1C"},
        {"id__exact": [str(number) for number in range(100)]},
    ],
    ids=str,
)
def test_what_no_page_links_to_is_no_filter(asked: dict[str, Any], boss: Client) -> None:
    _, response = ask(boss, reverse("admin:boards_board_changelist"), asked)
    assert response.status_code == 400
