"""Whatever stands in an address or a form of the admin, no answer is a 5xx. On SQLite and PostgreSQL alike.

config.admin.site treats all pages alike, so a page, a field and a value of each kind stand for the others.
"""

import logging
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
from boards.admin import BoardAdmin
from boards.models import Board
from forms.models import Submission
from impersonation.models import Impersonation
from tests import factories
from tests.config.admin.conftest import one_of_everything, run_action, staff_client
from themes.models import Theme

pytestmark = pytest.mark.django_db

MODELS = sorted(admin.site._registry, key=lambda model: model._meta.label)
BIG = "99999999999999999999999"
# In UTC it is in the year 10000, which Python's dates do not reach.
TOO_LATE = "9999-12-31T23:59:59-14:00"
VALUES: list[Any] = ["", "abc", BIG, "a\x00b", "(", b"\xed\xa0\x80", "a " * 2000, TOO_LATE]
LOOKUPS = [
    "exact", "iexact", "contains", "regex", "iregex", "in", "isnull", "isempty", "gt", "gte", "lt", "range", "year",
    "month", "day", "week_day", "iso_year", "date", "date__year", "hour", "time", "x", "en", "0", "has_key", "search",
    "id__exact", "id__gte", "pk", "password__startswith", "owner__password__regex", "",
]  # fmt: skip
LIST_PARAMETERS = ["q", "p", "o", "id"]
DJANGOS_PARAMETERS = ["all", "_to_field", "e", "_popup", "_facets", "_changelist_filters", "nope", "__", "ot"]


def name_of(model: type[Model], page: str) -> str:
    return f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}"


def server_errors(answers: Iterator[tuple[str, Any]]) -> list[tuple[str, int]]:
    return [(request[:200], answer.status_code) for request, answer in answers if answer.status_code >= 500]


def get(client: Client, url: str, parameters: dict[str, Any]) -> tuple[str, Any]:
    query = urlencode(parameters, doseq=True)
    return f"{url}?{query}", client.get(f"{url}?{query}")


@pytest.fixture
def boss(db: None) -> Client:
    return staff_client("admin")


@pytest.fixture(autouse=True)
def _rows(db: None) -> None:
    one_of_everything()


# --- Odd values, everywhere ----------------------------------------------------------------------------------


def test_no_parameter_of_a_list_crashes_it(boss: Client) -> None:
    url = reverse("admin:boards_board_changelist")
    queries: list[dict[str, Any]] = [
        *({name: value} for name, value in product(LIST_PARAMETERS, VALUES)),
        *({name: BIG} for name in DJANGOS_PARAMETERS),
        *({f"title__{lookup}": "99999"} for lookup in LOOKUPS),
        {"created_at__year": "9999", "created_at__month": "12", "created_at__day": "31"},
        {"o": "1." * 2000},
        {"id__exact": [str(number) for number in range(900)]},
        {"_popup": "1", "_to_field": "id", "e": "1", "p": "0"},
    ]
    assert server_errors(get(boss, url, query) for query in queries) == []


def a_model_and_field_of_each_kind() -> Iterator[tuple[type[Model], str]]:
    """Yield one field of each class. The class of a relation is that of the relation and of its key."""
    seen = set()
    for model in MODELS:
        for field in model._meta.get_fields():
            key = field.related_model._meta.pk if field.is_relation and field.related_model else None
            kind = (type(field), type(key))
            if kind not in seen:
                seen.add(kind)
                yield model, field.name


def test_no_value_crashes_a_filter_by_a_field_of_any_kind(boss: Client) -> None:
    kinds = list(a_model_and_field_of_each_kind())
    assert len(kinds) >= 15
    answers = (
        get(boss, reverse(name_of(model, "changelist")), {f"{field}{lookup}": value})
        for (model, field), lookup, value in product(kinds, ("__exact", "__gte"), (BIG, TOO_LATE))
    )
    assert server_errors(answers) == []


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_no_id_crashes_a_page_of_any_model(model: type[Model], boss: Client) -> None:
    base = reverse(name_of(model, "changelist"))
    pages = ("change/", "delete/", "history/", "erase/", "export/", "handled/", "reopen/")
    values = VALUES if model in (Account, Board) else ["abc", BIG]
    paths = [f"{base}{quote(value, safe='')}/{page}" for value in values for page in pages]
    assert server_errors((path, boss.get(path)) for path in paths) == []
    assert server_errors((path, boss.post(path, {"post": "yes"})) for path in paths) == []
    assert server_errors(get(boss, base, {"id": value}) for value in (BIG, TOO_LATE)) == []


@pytest.mark.parametrize("model", [Board, Theme, AuctionSystem, Group], ids=lambda m: m.__name__)
def test_no_parameter_of_a_rows_pages_crashes_them(model: type[Model], boss: Client) -> None:
    """Check the page for a new row with its fields' names too: parameters of those names fill its form."""
    names = [*DJANGOS_PARAMETERS, *(field.name for field in model._meta.get_fields())]
    if model is Board:
        urls = [reverse(name_of(model, page), args=[Board.objects.get().pk]) for page in ("change", "history")]
        names = DJANGOS_PARAMETERS
    else:
        urls = [reverse(name_of(model, "add"))]
    assert server_errors(get(boss, url, {name: BIG}) for url, name in product(urls, names)) == []


@pytest.mark.parametrize("model", [Board, Submission, Impersonation, Group], ids=lambda m: m.__name__)
def test_no_selection_and_no_action_crashes_a_list(model: type[Model], boss: Client) -> None:
    url = reverse(name_of(model, "changelist"))
    actions = ["delete_selected", "publish", "mark_handled", "export_csv", "end_now", "nope", "\x00", ""]
    names = ("index", "select_across", "action", "post", "_save", "form-TOTAL_FORMS", "form-0-id")
    bodies = [
        *(
            {"action": action, "_selected_action": value, "index": "0"}
            for action, value in product(actions, ("abc", BIG))
        ),
        *(
            {"action": "delete_selected", "_selected_action": "1", name: value}
            for name, value in product(names, ("", "abc", BIG, "a\x00b"))
        ),
    ]
    assert server_errors((str(body), boss.post(url, body)) for body in bodies) == []


FORMS: dict[str, dict[str, Any]] = {
    "Board": {"title": "A title", "themes": [], "auction_system": "other"},
    "Theme": {"type": "convention", "identifier": "x", "owner": "system"},
    "AuctionSystem": {"identifier": "x", "sort_order": "1"},
    "Account": {"role": "member", "auction_system": "other", "country": "NL"},
    "Group": {"name": "x", "permissions": []},
}


@pytest.mark.parametrize("model", [Board, Theme, AuctionSystem, Account, Group], ids=lambda m: m.__name__)
def test_no_value_of_a_form_crashes_it_and_no_nul_is_stored(model: type[Model], boss: Client) -> None:
    rows = model._default_manager.exclude(pk__in=["system", "the-admin"] if model is Account else [])
    url = reverse(name_of(model, "change"), args=[rows.order_by("pk")[0].pk])
    fields = [field.name for field in (*model._meta.fields, *model._meta.many_to_many) if field.editable]
    names = (*fields, "labels-language", "labels-text", "labels-remove", "_saveasnew", "_popup")
    labels = {"labels": '{"en": "x"}', "labels-language": ["en"], "labels-text": ["x"]}
    bodies = (
        {**FORMS[model.__name__], **labels, name: value} for name, value in product(names, (BIG, "abc", "a\x00b"))
    )
    assert server_errors((str(body), boss.post(url, body)) for body in bodies) == []
    assert "\\x00" not in str(list(model._default_manager.values()))


def test_the_list_that_is_edited_in_place_survives_any_form(boss: Client) -> None:
    url = reverse("admin:accounts_auctionsystem_changelist")
    good = {
        "form-TOTAL_FORMS": "2", "form-INITIAL_FORMS": "2", "form-0-id": "other", "form-0-sort_order": "5",
        "form-1-id": AuctionSystem.objects.exclude(pk="other")[0].pk, "form-1-sort_order": "6", "_save": "Save",
    }  # fmt: skip
    names = (*good, "form-MIN_NUM_FORMS", "form-MAX_NUM_FORMS", "form-2-id")
    bodies = ({**good, name: value} for name, value in product(names, (BIG, TOO_LATE)))
    assert server_errors((str(body), boss.post(url, body)) for body in bodies) == []


@pytest.mark.parametrize("path", ["", "login/", "password_change/", "jsi18n/", "autocomplete/", "boards/", "nope/"])
def test_no_parameter_of_another_page_crashes_it(path: str, boss: Client) -> None:
    names = ["next", "term", "app_label", "model_name", "field_name", "page", "username", "password"]
    good = {"app_label": "boards", "model_name": "board", "field_name": "themes", "term": "a"}
    queries = [{**good, name: value} for name, value in product(names, (BIG, "abc", "a\x00b", "("))]
    assert server_errors(get(boss, f"/admin/{path}", query) for query in queries) == []
    assert server_errors((str(body), boss.post(f"/admin/{path}", body)) for body in queries) == []


def test_shortcuts_to_public_pages_lead_nowhere(boss: Client) -> None:
    for value in VALUES:
        text = quote(value, safe="")
        for path in (f"/admin/r/{text}/{text}/", f"/admin/r/1/{text}/", "/admin/r/"):
            assert boss.get(path).status_code in (400, 404, 414), path


# --- What is refused, and how --------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [Board, Theme, Submission], ids=lambda m: m.__name__)
def test_a_malformed_selection_is_refused_and_deletes_nothing(model: type[Model], boss: Client) -> None:
    body = {"action": "delete_selected", "_selected_action": ["abc"], "post": "yes"}
    assert boss.post(reverse(name_of(model, "changelist")), body).status_code == 400
    assert model._default_manager.exists()


def test_a_board_with_a_malformed_theme_is_refused_and_stays_as_it_was(boss: Client) -> None:
    board = Board.objects.get()
    url = reverse("admin:boards_board_change", args=[board.pk])
    themes = set(board.themes.values_list("pk", flat=True))
    response = boss.post(url, {**FORMS["Board"], "title": "New", "themes": ["abc"]})
    assert response.status_code == 400
    board.refresh_from_db()
    assert board.title != "New"
    assert set(board.themes.values_list("pk", flat=True)) == themes


@pytest.mark.parametrize(
    "query",
    [
        {"title__regex": "("},
        {"owner__password__startswith": "p"},
        {"auction__0__call": "1C"},
        {"id__exact": [str(number) for number in range(100)]},
    ],
    ids=str,
)
def test_a_filter_that_no_page_links_to_is_refused(query: dict[str, Any], boss: Client) -> None:
    _, response = get(boss, reverse("admin:boards_board_changelist"), query)
    assert response.status_code == 400


@pytest.mark.parametrize("query", [{"id__exact": "abc"}, {"title__isempty": "1"}], ids=str)
def test_a_filter_with_a_malformed_value_is_refused_and_logged(
    query: dict[str, str], boss: Client, caplog: pytest.LogCaptureFixture
) -> None:
    _, response = get(boss, reverse("admin:boards_board_changelist"), query)
    assert response.status_code == 400
    (record,) = [record for record in caplog.records if record.name == "config.admin.site"]
    assert record.exc_info


def test_a_page_past_the_end_of_a_list_leads_back_to_it(boss: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    factories.board()
    monkeypatch.setattr(BoardAdmin, "list_per_page", 1)
    response = boss.get(reverse("admin:boards_board_changelist"), {"p": "999"})
    assert response["Location"] == "/admin/boards/board/?e=1"


def unpublish_and_fail(error: Exception) -> Any:
    """Return an admin action that stores a change, then raises the error."""

    @admin.action(permissions=["change"])
    def unpublish(self: BoardAdmin, request: Any, boards: Any) -> None:
        for board in boards:
            board.unpublish()
        raise error

    return unpublish


def unpublish_the_board(client: Client) -> Any:
    return run_action(client, "unpublish", Board.objects.get())


def test_a_bug_that_looks_like_a_malformed_value_is_a_400_whose_traceback_is_in_the_log(
    boss: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(BoardAdmin, "unpublish", unpublish_and_fail(ValueError("a bug")))
    response = unpublish_the_board(boss)
    assert response.status_code == 400
    page = response.content.decode()
    assert "has a value that is not valid here" in page
    assert response["X-Request-Id"] in page
    assert "a bug" not in page
    (record,) = [record for record in caplog.records if record.name == "config.admin.site"]
    assert record.levelno == logging.ERROR
    assert "in unpublish" in caplog.text and "ValueError: a bug" in caplog.text
    assert Board.objects.get().published_at is not None


def test_another_exception_is_a_500_and_stores_nothing(boss: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BoardAdmin, "unpublish", unpublish_and_fail(KeyError("a bug")))
    assert unpublish_the_board(boss).status_code == 500
    assert Board.objects.get().published_at is not None


@pytest.mark.parametrize(("error", "status"), [(OverflowError("a bug"), 400), (TypeError("a bug"), 500)])
def test_an_exception_in_a_template_is_answered_like_one_in_the_view(
    error: Exception, status: int, boss: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: BoardAdmin, board: Board) -> str:
        raise error

    monkeypatch.setattr(BoardAdmin, "bidding", fail)
    url = reverse("admin:boards_board_change", args=[Board.objects.get().pk])
    assert boss.get(url).status_code == status
