"""Labels are edited as a table of language and text, or as JSON where a table would lose something."""

import json
from typing import Any

import pytest
from django.contrib.admin.utils import quote
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from accounts.models import AuctionSystem
from config.admin.label_table import EMPTY_ROWS
from config.values.labels import MAX_LABELS
from tests import factories
from themes.models import Theme

pytestmark = pytest.mark.django_db


LABELS = {"en": "Stayman", "pt-BR": "Stayman 2♣"}
NO_DESCRIPTION = {"description-language": "", "description-text": ""}


def url_of(row: Model) -> str:
    name = f"admin:{row._meta.app_label}_{row._meta.model_name}_change"
    return reverse(name, args=[quote(row.pk)])


def save(client: Client, row: Any, languages: list[str], texts: list[str], *removed: int) -> Any:
    sent = {"labels-language": languages, "labels-text": texts, "labels-remove": list(removed)}
    if isinstance(row, Theme):
        sent |= {"type": row.type, "identifier": row.identifier, "owner": row.owner_id, **NO_DESCRIPTION}
    else:
        sent |= {"identifier": row.identifier, "sort_order": row.sort_order}
    response = client.post(url_of(row), sent)
    row.refresh_from_db()
    return response


@pytest.fixture
def theme(db: None) -> Theme:
    return factories.theme(labels=LABELS)


def test_the_page_has_a_row_a_language_and_sent_back_changes_nothing(theme: Theme, boss: Client) -> None:
    system = factories.auction_system()
    AuctionSystem.objects.filter(pk=system.pk).update(labels=LABELS)
    blank = [""] * EMPTY_ROWS
    for row in (theme, system):
        page = boss.get(url_of(row)).content.decode()
        assert page.count('name="labels-language"') == page.count('name="labels-text"') == 2 + EMPTY_ROWS
        assert 'value="pt-BR"' in page and 'value="Stayman 2♣"' in page
        assert ('name="labels"' in page, page.count('name="labels-remove"')) == (False, 2)
        assert save(boss, row, [*LABELS, *blank], [*LABELS.values(), *blank]).status_code == 302
        assert row.labels == LABELS
        assert "two rows for the language" in save(boss, row, ["en"] * 2, ["a", "b"]).content.decode()


def test_rows_are_added_changed_and_removed_and_the_last_label_stays(theme: Theme, boss: Client) -> None:
    response = save(boss, theme, ["en", "pt-BR", " fr ", ""], ["Stayman!", "gone", " Stayman ", ""], 1)
    assert (response.status_code, theme.labels) == (302, {"en": "Stayman!", "fr": " Stayman "})
    assert save(boss, theme, ["en", " "], ["Stayman", ""]).status_code == 302, "both inputs emptied"
    assert theme.labels == {"en": "Stayman"}
    response = save(boss, theme, ["", " "], ["", ""])
    assert (response.status_code, theme.labels) == (200, {"en": "Stayman"})
    assert "Give a label in at least one language." in response.content.decode()


def test_languages_are_stored_as_bcp_47_writes_them(theme: Theme, boss: Client) -> None:
    assert save(boss, theme, ["EN", "pt_br", "zh-hant-tw"], ["A", "B", "C"]).status_code == 302
    assert theme.labels == {"en": "A", "pt-BR": "B", "zh-Hant-TW": "C"}


def test_labels_that_a_program_stored_do_not_stop_another_change(boss: Client, anonymous: APIClient) -> None:
    for labels in ({}, {"x y": "odd"}, {"en": ""}):
        theme = factories.theme(labels=labels)
        sent = {"type": theme.type, "identifier": f"{theme.identifier}_2", "owner": theme.owner_id}
        rows = {"labels-language": list(labels), "labels-text": list(labels.values())} if labels else {}
        empty = {"labels-language": "", "labels-text": ""}
        assert boss.post(url_of(theme), {**sent, **(rows or empty), **NO_DESCRIPTION}).status_code == 302
        read = anonymous.get(f"/api/themes/{theme.pk}").json()
        assert (read["identifier"], read["labels"]) == (sent["identifier"], labels)


NOT_VALID: list[tuple[list[str], list[str], str]] = [
    (["en", " en "], ["a", "b"], "two rows for the language"),
    (["en", "EN"], ["a", "b"], "two rows for the language “en”"),
    (["en", ""], ["a", "lost?"], "A row has a text but no language."),
    (["english"], ["a"], "“english” is not a language tag."),
    (["xx"], ["a"], "“xx” is not a language tag."),
    (["x" * 65], ["a"], "is not a language tag."),
    (["en", "nl"], ["a", " "], "The row for the language “nl” has no text."),
    ([f"x-{n}" for n in range(MAX_LABELS + 1)], ["a"] * (MAX_LABELS + 1), "Give at most 100 labels"),
    (["en"], ["a", "of no language"], "A row has a text but no language."),
]


def test_labels_that_are_not_valid_are_shown_again_and_not_stored(theme: Theme, boss: Client) -> None:
    for languages, texts, reason in NOT_VALID:
        response = save(boss, theme, languages, texts)
        assert (response.status_code, theme.labels) == (200, LABELS), languages
        page = response.content.decode()
        assert reason in page and f'value="{texts[-1]}"' in page, languages


def test_a_form_without_the_table_removes_no_label(theme: Theme, boss: Client) -> None:
    for sent in ({}, {"labels": '{"en": "x"}'}, {"labels-text": "x"}):
        names = {"type": theme.type, "identifier": theme.identifier, "owner": "system", **NO_DESCRIPTION}
        assert boss.post(url_of(theme), {**names, **sent}).status_code == 200, sent
        theme.refresh_from_db()
        assert theme.labels == LABELS, sent


ODD: list[dict[str, Any]] = [
    *({"en": {"short": "A", "long": "B"}}, {"en": "A", "order": 5}, {"en": None}, {" en": "A"}, {"": "A"}),
    *({"en": text} for text in ("two\nlines", "a\ttab", "line\u2028separator")),
]


def test_labels_a_table_would_lose_are_json_and_come_back_as_they_were(boss: Client) -> None:
    for labels in ODD:
        theme = factories.theme(labels=labels)
        page = boss.get(url_of(theme)).content.decode()
        assert 'name="labels"' in page and "labels-language" not in page, labels
        names = {"type": theme.type, "identifier": theme.identifier, "owner": theme.owner_id}
        sent = {**names, **NO_DESCRIPTION, "labels": json.dumps(labels)}
        assert boss.post(url_of(theme), sent).status_code == 302
        theme.refresh_from_db()
        assert theme.labels == labels
    assert save(boss, theme, ["en"], ["A"]).status_code == 200, "rows, for labels that have become JSON meanwhile"
    assert theme.labels == ODD[-1]


def test_auction_systems_come_in_their_order(boss: Client) -> None:
    for name, order in (("b", 2), ("c", 1), ("a", 2)):
        factories.auction_system(name, sort_order=order)
    listed = boss.get(reverse("admin:accounts_auctionsystem_changelist")).context["cl"].result_list
    assert [system.pk for system in listed] == ["c", "a", "b", "other"]
