"""The description of a theme: GET and PATCH /api/themes/{id}."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from accounts.personal_data.export import export
from config.values.descriptions import MAX_LENGTH
from tests import factories
from tests.answers import assert_error, field_errors
from tests.undone import undone
from themes.models import LabelRevision, Theme

pytestmark = pytest.mark.django_db

STORED = {"en": "Finds a fit.\n\nBoth paragraphs.", "pt-BR": "Acha um fit."}


@pytest.fixture
def theme(db: None) -> Theme:
    return factories.theme("stayman", owner=factories.account("owner"), description=STORED)


@pytest.fixture
def owner(theme: Theme, client_of: Callable[[Account], APIClient]) -> APIClient:
    return client_of(theme.owner)


@pytest.fixture
def url(theme: Theme) -> str:
    return f"/api/themes/{theme.pk}"


def test_everybody_reads_it_in_the_list_and_alone(anonymous: APIClient, url: str) -> None:
    assert anonymous.get(url).json()["description"] == STORED
    assert anonymous.get("/api/themes").json()[0]["description"] == STORED


def test_boards_show_their_themes_without_it(anonymous: APIClient, theme: Theme) -> None:
    board = factories.board(themes=(theme,))
    for path in ("/api/boards", f"/api/boards/{board.pk}"):
        assert "Finds a fit" not in anonymous.get(path).content.decode()


def test_it_is_replaced_as_a_whole(owner: APIClient, url: str, subtests: pytest.Subtests) -> None:
    for description in [
        {}, {"zh-Hant-TW": "斯台曼"}, {"de-1996": "x", "es-419": "x"}, {"en": "<b>&\"'\t\r\n"},
        {"en": "x" * MAX_LENGTH},
    ]:  # fmt: skip
        with subtests.test(repr(description)), undone():
            revision = LabelRevision.objects.get().token
            patched = owner.patch(url, {"description": description})
            assert (patched.status_code, patched.json()["description"]) == (200, description)
            assert owner.get(url)["ETag"] == patched["ETag"]
            assert LabelRevision.objects.get().token != revision
            assert owner.get("/api/themes").json() == [patched.json()]


NO_DESCRIPTIONS: dict[str, tuple[Any, ...]] = {
    "null": (None,),
    "not_an_object": ([], "A text."),
    "not_a_text": ({"en": ""}, {"en": " \n"}, {"en": None}, {"en": {"short": "x"}}),
    "max_length": ({"en": "x" * (MAX_LENGTH + 1)},),
    "unknown_language": tuple({tag: "x"} for tag in ("", "EN", "en-gb", "en_GB", "xx", "english", " en")),
    "too_large": (dict.fromkeys(["en", "fr", "de", "nl", "es", "it", "pl", "sv", "da"], "x" * MAX_LENGTH),),
}


def test_what_is_no_description_is_refused_and_a_text_that_no_store_keeps(owner: APIClient, url: str) -> None:
    for code, descriptions in NO_DESCRIPTIONS.items():
        for description in descriptions:
            answer = owner.patch(url, {"description": description})
            assert field_errors(answer) == {"description": [code]}, description
            assert Theme.objects.get().description == STORED
    for text in ('"\\u0000"', '"\\ud800"'):
        sent = f'{{"description": {{"en": {text}}}}}'
        assert_error(owner.patch(url, sent, content_type="application/json"), 400, "bad_request")
        assert Theme.objects.get().description == STORED, text


def test_a_member_changes_no_other_ones_description(member: APIClient, url: str) -> None:
    assert_error(member.patch(url, {"description": {}}), 403, "permission_denied")
    assert Theme.objects.get().description == STORED


def test_a_person_gets_it_among_their_data(theme: Theme) -> None:
    (exported,) = json.loads(b"".join(export(theme.owner)))["themes"]
    assert exported["description"] == STORED
