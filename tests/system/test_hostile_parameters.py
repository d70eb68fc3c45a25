"""Whatever stands in an address or a form of the admin, no answer is a 5xx. On SQLite and PostgreSQL alike.

config.admin treats all pages alike, so a page, a field and a value of each kind stand for the others. The single
parameters of all pages are in test_query_parameters.
"""

import logging
from collections.abc import Iterator
from itertools import product
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.contrib import admin
from django.contrib.admin.templatetags.admin_urls import admin_urlname
from django.contrib.auth.models import Group
from django.core.exceptions import FieldDoesNotExist, FieldError, ValidationError
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
    "id__exact", "id__gte", "pk", "password__startswith", "owner__password__regex",
]  # fmt: skip
DJANGOS_PARAMETERS = ["all", "_to_field", "e", "_popup", "_facets", "_changelist_filters", "nope", "__", "ot"]
BOARDS = "/admin/boards/board/"


def url_of(model: type[Model], page: str, *key: object) -> str:
    return reverse(admin_urlname(model._meta, page), args=key)


@pytest.fixture
def boss(db: None) -> Client:
    one_of_everything()
    return staff_client("admin")


def check_reads(client: Client, url: str, queries: Iterator[dict[str, Any]]) -> None:
    for query in queries:
        address = f"{url}?{urlencode(query, doseq=True)}"
        assert client.get(address).status_code < 500, address[:200]


def check_forms(client: Client, url: str, bodies: Iterator[dict[str, Any]]) -> None:
    for body in bodies:
        assert client.post(url, body).status_code < 500, str(body)[:200]


# --- Odd values, everywhere ----------------------------------------------------------------------------------


def test_no_parameter_of_a_list_crashes_it(boss: Client) -> None:
    queries: list[dict[str, Any]] = [
        *({name: value} for name, value in product(("q", "p", "o", "id"), VALUES)),
        *({name: BIG} for name in (*DJANGOS_PARAMETERS, "")),
        *({f"title__{lookup}": "99999"} for lookup in (*LOOKUPS, "")),
        {"created_at__year": "9999", "created_at__month": "12", "created_at__day": "31"},
        {"o": "1." * 2000},
        {"id__exact": [str(number) for number in range(900)]},
        {"_popup": "1", "_to_field": "id", "e": "1", "p": "0"},
    ]
    check_reads(boss, BOARDS, iter(queries))


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
    for model, field in kinds:
        filters = product((f"{field}__exact", f"{field}__gte"), (BIG, TOO_LATE))
        check_reads(boss, url_of(model, "changelist"), ({name: value} for name, value in filters))


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_no_id_crashes_a_page_of_any_model(model: type[Model], boss: Client) -> None:
    base = url_of(model, "changelist")
    pages = ("change/", "delete/", "history/", "erase/", "export/", "handled/", "reopen/")
    for value, page in product(VALUES if model in (Account, Board) else ["abc", BIG], pages):
        path = f"{base}{quote(value, safe='')}/{page}"
        check_reads(boss, path, iter([{}]))
        check_forms(boss, path, iter([{"post": "yes"}]))
    check_reads(boss, base, ({"id": value} for value in (BIG, TOO_LATE)))


@pytest.mark.parametrize("model", [Board, Theme, AuctionSystem, Group], ids=lambda m: m.__name__)
def test_no_parameter_of_a_rows_pages_crashes_them(model: type[Model], boss: Client) -> None:
    """Check the page for a new row with its fields' names too: parameters of those names fill its form."""
    fields = [field.name for field in model._meta.get_fields()]
    urls = [url_of(model, "add")]
    if model is Board:
        urls, fields = [url_of(Board, page, Board.objects.get().pk) for page in ("change", "history")], []
    for url in urls:
        check_reads(boss, url, ({name: BIG} for name in (*DJANGOS_PARAMETERS, *fields)))


@pytest.mark.parametrize("model", [Board, Submission, Impersonation, Group], ids=lambda m: m.__name__)
def test_no_selection_and_no_action_crashes_a_list(model: type[Model], boss: Client) -> None:
    actions = ["delete_selected", "publish", "mark_handled", "export_csv", "end_now", "nope", "\x00", ""]
    names = ("index", "select_across", "action", "post", "_save", "form-TOTAL_FORMS", "form-0-id")
    one = {"action": "delete_selected", "_selected_action": "1"}
    bodies = [
        *({"action": action, "_selected_action": value, "index": "0"} for action in actions for value in ("abc", BIG)),
        *({**one, name: value} for name, value in product(names, ("", "abc", BIG, "a\x00b"))),
    ]
    check_forms(boss, url_of(model, "changelist"), iter(bodies))


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
    fields = [field.name for field in (*model._meta.fields, *model._meta.many_to_many) if field.editable]
    names = (*fields, *(f"initial-{name}" for name in fields), "labels-language", "labels-text", "labels-remove")
    names = (*names, "_saveasnew", "_popup")
    labels = {"labels": '{"en": "x"}', "labels-language": ["en"], "labels-text": ["x"]}
    odd = product(names, (BIG, "abc", "a\x00b"))
    bodies = ({**FORMS[model.__name__], **labels, name: value} for name, value in odd)
    check_forms(boss, url_of(model, "change", rows.order_by("pk")[0].pk), bodies)
    assert "\\x00" not in str(list(model._default_manager.values()))


def test_neither_the_list_that_is_edited_in_place_nor_the_form_of_another_page_crashes(boss: Client) -> None:
    good = {
        "form-TOTAL_FORMS": "2", "form-INITIAL_FORMS": "2", "form-0-id": "other", "form-0-sort_order": "5",
        "form-1-id": AuctionSystem.objects.exclude(pk="other")[0].pk, "form-1-sort_order": "6", "_save": "Save",
    }  # fmt: skip
    names = (*good, "form-MIN_NUM_FORMS", "form-MAX_NUM_FORMS", "form-2-id")
    check_forms(
        boss,
        url_of(AuctionSystem, "changelist"),
        ({**good, name: value} for name, value in product(names, (BIG, TOO_LATE))),
    )
    names = ("next", "term", "app_label", "model_name", "field_name", "page", "username", "password")
    good = {"app_label": "boards", "model_name": "board", "field_name": "themes", "term": "a"}
    for path in ("", "login/", "password_change/", "jsi18n/", "autocomplete/", "boards/", "nope/"):
        odd = [{**good, name: value} for name, value in product(names, (BIG, "abc", "a\x00b", "("))]
        check_forms(boss, f"/admin/{path}", iter(odd))
    check_forms(boss, f"{BOARDS}upload/", ({name: value} for name, value in product(("owner", "file"), VALUES)))


def test_shortcuts_to_public_pages_lead_nowhere(boss: Client) -> None:
    for value in VALUES:
        text = quote(value, safe="")
        for path in (f"/admin/r/{text}/{text}/", f"/admin/r/1/{text}/", "/admin/r/"):
            assert boss.get(path).status_code in (400, 404, 414), path


# --- What is refused, and how --------------------------------------------------------------------------------


def test_a_malformed_selection_or_theme_is_refused_and_changes_nothing(boss: Client) -> None:
    for model in (Board, Theme, Submission):
        body = {"action": "delete_selected", "_selected_action": ["abc"], "post": "yes"}
        assert boss.post(url_of(model, "changelist"), body).status_code == 400
        assert model._default_manager.exists()
    before = Board.objects.values("title", "themes").get()
    body = {**FORMS["Board"], "title": "New", "themes": ["abc"]}
    assert boss.post(url_of(Board, "change", Board.objects.get().pk), body).status_code == 400
    assert Board.objects.values("title", "themes").get() == before


def records_of(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    return [record for record in caplog.records if record.name == "config.admin.site"]


def test_a_filter_that_no_page_links_to_is_refused_and_a_malformed_value_is_logged_too(
    boss: Client, caplog: pytest.LogCaptureFixture
) -> None:
    not_linked = ({"title__regex": "("}, {"owner__password__startswith": "p"}, {"auction__0__call": "1C"})
    many: dict[str, Any] = {"id__exact": [str(number) for number in range(100)]}
    for query in (*not_linked, many):
        assert boss.get(BOARDS, query).status_code == 400, query
    for query in ({"id__exact": "abc"}, {"title__isempty": "1"}):
        caplog.clear()
        assert boss.get(BOARDS, query).status_code == 400, query
        (record,) = records_of(caplog)
        assert record.exc_info


def test_a_page_past_the_end_of_a_list_leads_back_to_it(boss: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    factories.board()
    monkeypatch.setattr(BoardAdmin, "list_per_page", 1)
    assert boss.get(BOARDS, {"p": "999"})["Location"] == f"{BOARDS}?e=1"


def unpublish_with(error: Exception, client: Client, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let the admin's action raise this after it has stored its change. Return the answer; nothing may stay stored."""

    @admin.action(permissions=["change"])
    def unpublish(self: BoardAdmin, request: Any, boards: Any) -> None:
        for board in boards:
            board.unpublish()
        raise error

    monkeypatch.setattr(BoardAdmin, "unpublish", unpublish)
    answer = run_action(client, "unpublish", Board.objects.get())
    assert Board.objects.get().published_at is not None
    return answer


OF_ODD_VALUES = (FieldDoesNotExist, FieldError, OverflowError, ValidationError, ValueError)
"""What odd values of parameters raise in Django too."""


def test_a_bug_is_a_500_whose_traceback_is_in_the_log_though_an_odd_value_would_raise_the_same(
    boss: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for error in (*OF_ODD_VALUES, KeyError):
        caplog.clear()
        answer = unpublish_with(error("a bug"), boss, monkeypatch)
        assert answer.status_code == 500 and b"a bug" not in answer.content, error
        assert "in unpublish" in caplog.text and "a bug" in caplog.text, error
    page = url_of(Board, "change", Board.objects.get().pk)
    for of_page in (FieldError, OverflowError, ValidationError, TypeError):

        def fail(self: BoardAdmin, *args: Any, error: type[Exception] = of_page) -> str:
            raise error("a bug")

        with monkeypatch.context() as patched:
            patched.setattr(BoardAdmin, "bidding", fail)
            assert boss.get(page).status_code == 500, f"{of_page} in a template"
        with monkeypatch.context() as patched:
            patched.setattr(BoardAdmin, "get_ordering", fail)
            assert boss.get(BOARDS).status_code == 500, f"{of_page} in a list"
