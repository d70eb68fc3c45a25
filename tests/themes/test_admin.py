"""The admin's pages of themes: what they refuse, and what they say before a theme is deleted."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from rest_framework.test import APIClient

from accounts.models import Account
from tests import factories
from tests.config.admin.conftest import staff_client
from themes.models import Theme

pytestmark = pytest.mark.django_db

LIST, ADD = "/admin/themes/theme/", "/admin/themes/theme/add/"


@pytest.fixture
def boss() -> Client:
    return staff_client("admin")


def page_of(theme: Theme, page: str = "change") -> str:
    return reverse(f"admin:themes_theme_{page}", args=[theme.pk])


def save(client: Client, url: str, **values: Any) -> Any:
    """Send the form of a theme. What is not named is as a new theme or one of the factory has it."""
    label = {"labels-language": "en", "labels-text": "A name"}
    new = {"identifier": "a_name", "owner": "system", "description-language": "", "description-text": ""}
    return client.post(url, {**new, **label, **values})


def test_the_admin_refuses_labels_that_the_api_could_not_serve(boss: Client, subtests: pytest.Subtests) -> None:
    theme = factories.theme(labels={"en": ["not a text, so edited as JSON"]})
    for labels in [
        "[1]", '"x"', "5", '{"en": 1e300}', r'{"en": "\ud800"}', r'{"en": "\u0000"}', "{" * 3,
        '{"en": NaN}', "{}",
    ]:  # fmt: skip
        with subtests.test(labels):
            response = save(boss, page_of(theme), type=theme.type, labels=labels)
            assert response.status_code == 200, "the form again, with its errors"
            assert Theme.objects.get().labels == theme.labels


def test_an_auction_system_accepts_only_texts_as_labels() -> None:
    system = factories.auction_system()
    system.labels = json.loads('{"en": 5}')
    with pytest.raises(ValidationError, match="Each label must be a text"):
        system.full_clean()


# --- The type


def test_a_theme_is_made_with_a_type_that_is_offered_by_its_name_or_a_new_one(boss: Client) -> None:
    for theme_type in ("system_bidding", "convention", "convention"):
        factories.theme(type=theme_type)
    choices = boss.get(ADD).context["adminform"].form.fields["type"].choices
    names = [("convention", "Convention"), ("system_bidding", "System bidding")]
    assert choices == [("", "–"), *names]
    for number, values in enumerate(({"type": "convention"}, {"new_type": "lesson"})):
        assert save(boss, ADD, identifier=f"new_{number}", **values).status_code == 302
        assert Theme.objects.get(identifier=f"new_{number}").type in values.values()


def test_a_type_that_may_be_mistyped_is_refused_with_a_reason(boss: Client, subtests: pytest.Subtests) -> None:
    factories.theme(type="defence")
    theme = factories.theme("finesse", type="declarer_play")
    for reason, values in (
        ("Choose a type, or write a new one", {"type": ""}),
        ("Choose a type from the list or write a new one, not both.", {"type": "defence", "new_type": "lesson"}),
        ("The type Declarer play exists already.", {"new_type": "Declarer-Play"}),
        ("Select a valid choice.", {"type": "lesson"}), ("Enter a valid “slug”", {"new_type": "two words"}),
        ("at most 64 characters", {"new_type": "x" * 65}),
    ):  # fmt: skip
        for page in (ADD, page_of(theme)):
            with subtests.test(f"{page} {reason}"):
                response = save(boss, page, **values)
                assert response.status_code == 200 and reason in response.content.decode()
                assert set(Theme.objects.values_list("type", flat=True)) == {"defence", "declarer_play"}


def test_a_theme_gets_another_type_and_its_boards_are_found_by_it(boss: Client, anonymous: APIClient) -> None:
    theme = factories.theme("stayman", type="convention")
    factories.board(themes=(theme,))
    for values in ({"type": "convention", "new_type": "lesson"}, {"type": "other"}):
        factories.theme(type="other")
        assert save(boss, page_of(theme), **values).status_code == 302
        theme.refresh_from_db()
        assert theme.type in values.values()
        assert anonymous.get(f"/api/boards?themeType={theme.type}").json()["pagination"]["totalCount"] == 1


def test_an_identifier_that_the_new_type_has_is_refused(boss: Client) -> None:
    factories.theme("stayman", type="lesson")
    theme = factories.theme("stayman", type="convention")
    response = save(boss, page_of(theme), identifier="stayman", type="lesson")
    assert "Another theme of this type has this identifier." in response.content.decode()
    theme.refresh_from_db()
    assert theme.type == "convention"


def test_support_deletes_no_theme_and_sees_it_without_a_form_where_it_may_only_look(reference_data: None) -> None:
    client, theme = staff_client("support"), Theme.objects.get(identifier="stayman")
    for send in (client.get, client.post):
        assert send(page_of(theme, "delete"), {"post": "yes"}).status_code == 403
    rights = Group.objects.get(name=Account.Role.SUPPORT).permissions
    rights.remove(rights.get(codename="change_theme"))
    page = client.get(page_of(theme)).content.decode()
    assert "After a no-trump opening" in page and "new_type" not in page
    assert save(client, page_of(theme), new_type="lesson").status_code == 403
    theme.refresh_from_db()
    assert theme.type == "convention"


# --- The description


def test_the_description_is_a_text_in_each_language(boss: Client) -> None:
    theme = factories.theme("a_name", labels={"en": "A name"})
    texts = {"description-language": ["EN-gb", "nl", ""], "description-text": ["One.\r\n\r\nTwo.", " Een. ", ""]}
    assert save(boss, page_of(theme), type=theme.type, **texts).status_code == 302
    theme.refresh_from_db()
    assert theme.description == {"en-GB": "One.\n\nTwo.", "nl": " Een. "}
    page = boss.get(page_of(theme)).content.decode()
    assert page.count('name="description-language"') == page.count("<textarea") == 3
    assert ">\nOne.\n\nTwo.</textarea>" in page


def test_a_description_that_is_not_valid_is_shown_again_and_not_stored(boss: Client, subtests: pytest.Subtests) -> None:
    theme = factories.theme("a_name", description={"en": "Stored."})
    for language, text, reason in (
        ("xx", "A text.", "“xx” is not a language tag."), ("", "A text.", "A row has a text but no language."),
        ("en", " ", "The row for the language “en” has no text."),
        ("en", "x" * 2001, "A description has at most 2000 characters."),
    ):  # fmt: skip
        with subtests.test(reason):
            texts = {"description-language": language, "description-text": text}
            shown = save(boss, page_of(theme), type=theme.type, **texts).content.decode()
            assert reason in shown and text in shown
            assert Theme.objects.get().description == {"en": "Stored."}


# --- Deleting


def test_before_a_theme_is_deleted_its_boards_are_counted_and_not_listed(boss: Client) -> None:
    theme = factories.theme("stayman", labels={"en": "Stayman <b>"})
    boards = [factories.board(title="A title", published=number > 0, themes=(theme,)) for number in range(3)]
    page = boss.get(page_of(theme, "delete")).content.decode()
    assert "Stayman &lt;b&gt; (convention/stayman) has 3 boards. They stay and lose the theme." in page
    assert "A title" not in page and "relationship" not in page
    assert boss.post(page_of(theme, "delete"), {"post": "yes"}).status_code == 302
    assert not Theme.objects.exists()
    for board in boards:
        board.refresh_from_db()
        assert not board.themes.exists()


def test_several_themes_are_deleted_after_one_question(boss: Client, anonymous: APIClient) -> None:
    busy, empty = (factories.theme(name, labels={"en": name.title()}) for name in ("busy", "empty"))
    factories.board(themes=(busy,))
    action = {"action": "delete_selected", "_selected_action": [str(busy.pk), str(empty.pk)]}
    page = boss.post(LIST, action).content.decode()
    said = (
        "Busy (convention/busy) has 1 board. It stays and loses the theme.",
        "Empty (convention/empty) has no boards.",
    )
    assert all(words in page for words in (*said, "Delete 2 themes"))
    assert boss.post(LIST, {**action, "post": "yes"}).status_code == 302
    assert not Theme.objects.exists()
    assert anonymous.get("/api/boards").json()["boards"][0]["themes"] == []


def test_the_question_takes_as_many_queries_for_many_boards_as_for_few(boss: Client) -> None:
    theme, counts = factories.theme(), []
    for _ in range(2):
        for _ in range(2):
            factories.board(themes=(theme,))
        with CaptureQueriesContext(connection) as queries:
            assert boss.get(page_of(theme, "delete")).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_a_theme_of_too_many_boards_is_left_to_a_command(boss: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("themes.admin.MAX_BOARDS_DELETED", 1)
    large, small = factories.theme(), factories.theme()
    for _ in range(2):
        factories.board(themes=(large,))
    factories.board(themes=(small,))
    reason = f"has 2 boards: too many for a page. Run manage.py delete_theme {large.pk}"
    selected = {"action": "delete_selected", "_selected_action": [str(large.pk), str(small.pk)]}
    for url, sent in ((page_of(large, "delete"), {}), (LIST, selected)):
        response = boss.post(url, {**sent, "post": "yes"})
        assert (response.status_code, reason in response.content.decode()) == (200, True)
    assert Theme.objects.count() == 2
    assert boss.post(page_of(small, "delete"), {"post": "yes"}).status_code == 302
    assert list(Theme.objects.all()) == [large]
