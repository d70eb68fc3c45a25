"""GET /api/themes, GET and PATCH /api/themes/{id}. Its ETags are those of tests/config/api/test_conditional.py."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from accounts.personal_data.export import export
from config.values.descriptions import MAX_LENGTH
from tests import factories
from tests.answers import field_errors
from tests.undone import undone
from themes.models import LabelRevision, Theme

pytestmark = pytest.mark.django_db

STORED = {"en": "Finds a fit.\n\nBoth paragraphs.", "pt-BR": "Acha um fit."}
UNTOUCHED = ("type", "identifier", "labels", "description", "owner_id", "updated_at")


@pytest.fixture
def theme(db: None) -> Theme:
    return factories.theme("stayman", owner=factories.account("owner"), description=STORED)


@pytest.fixture
def owner(theme: Theme, client_of: Callable[[Account], APIClient]) -> APIClient:
    return client_of(theme.owner)


@pytest.fixture
def url(theme: Theme) -> str:
    return f"/api/themes/{theme.pk}"


def stored(url: str) -> dict[str, Any]:
    return Theme.objects.values(*UNTOUCHED).get(pk=url.rpartition("/")[2])


def refuse(client: APIClient, url: str, body: Any, expected: dict[str, list[str]]) -> None:
    before = stored(url)
    assert field_errors(client.patch(url, body)) == expected
    assert stored(url) == before


def identifiers(client: APIClient, query: str = "") -> list[str]:
    response = client.get(f"/api/themes{query}")
    assert response.status_code == 200
    return [theme["identifier"] for theme in response.json()]


# --- Reading


def test_a_theme_shows_its_fields_to_everybody(anonymous: APIClient, theme: Theme, url: str) -> None:
    assert anonymous.get(url).json() == {
        "id": str(theme.pk), "type": "convention", "userId": "owner", "labels": {"en": "stayman"},
        "description": STORED, "identifier": "stayman",
        "createdAt": f"{theme.created_at:%Y-%m-%dT%H:%M:%S.%f}Z",
        "updatedAt": f"{theme.updated_at:%Y-%m-%dT%H:%M:%S.%f}Z",
    }  # fmt: skip


def test_boards_show_their_themes_without_the_description(anonymous: APIClient, theme: Theme) -> None:
    board = factories.board(themes=(theme,))
    for path in ("/api/boards", f"/api/boards/{board.pk}"):
        assert "Finds a fit" not in anonymous.get(path).content.decode()


def test_the_list_is_a_bare_array_ordered_by_type_and_identifier(anonymous: APIClient) -> None:
    assert anonymous.get("/api/themes").json() == []
    for kind, identifier in (("defence", "signals"), ("convention", "stayman"), ("convention", "blackwood")):
        factories.theme(identifier, type=kind)
    assert identifiers(anonymous) == ["blackwood", "stayman", "signals"]
    listed = anonymous.get("/api/themes").json()
    assert listed[0] == anonymous.get(f"/api/themes/{listed[0]['id']}").json()


def test_the_list_is_filtered_by_types(anonymous: APIClient) -> None:
    for kind, identifier in (("convention", "stayman"), ("defence", "signals"), ("system_bidding", "acol")):
        factories.theme(identifier, type=kind)
    everything = ["stayman", "signals", "acol"]
    expected: dict[str, list[str]] = {
        "convention": ["stayman"], "system_bidding,convention": ["stayman", "acol"],
        "convention,convention": ["stayman"], "%20convention%20,,%20": ["stayman"], "martian": [],
        "martian,convention": ["stayman"], "CONVENTION": [], "": everything, ",%20,": everything, "x" * 64: [],
    }  # fmt: skip
    assert {types: identifiers(anonymous, f"?types={types}") for types in expected} == expected


def test_malformed_types_and_a_repeated_parameter_are_refused(anonymous: APIClient) -> None:
    for types in ("a b", "a;b", "é", "%00", "%ff", "a/b", "'", "convention,a.b", "x" * 65, "[]"):
        assert field_errors(anonymous.get(f"/api/themes?types={types}")).keys() == {"types"}, types
    assert field_errors(anonymous.get("/api/themes?types=a&types=b")) == {"types": ["repeated"]}


# --- Who may change a theme


def test_the_owner_and_staff_change_a_theme(owner: APIClient, support: APIClient, admin: APIClient, url: str) -> None:
    for client, body in (
        (owner, {"type": "system_bidding", "identifier": "puppet_stayman"}),
        (support, {"labels": {"nl": "Support's"}}), (admin, {"description": {"en": "Admin's"}}),
    ):  # fmt: skip
        before = client.get(url).json()
        after = client.patch(url, body).json()
        assert after == {**before, **body, "updatedAt": after["updatedAt"]}
        assert after["updatedAt"] > before["updatedAt"]
        assert client.get(url).json() == after


def test_whoever_does_not_own_a_theme_now_cannot_change_it(owner: APIClient, support: APIClient, url: str) -> None:
    factories.account("heir")
    assert support.patch(url, {"userId": "heir"}).json()["userId"] == "heir"
    for theme in (url, f"/api/themes/{factories.theme('blackwood').pk}"):
        assert owner.patch(theme, {"labels": {}}).status_code == 403


# --- The fields


def test_the_owner_cannot_hand_the_theme_to_another_account(owner: APIClient, url: str) -> None:
    factories.account("heir")
    refuse(owner, url, {"userId": "heir"}, {"userId": ["read_only"]})
    refuse(owner, url, {"userId": "owner", "labels": {}}, {"userId": ["read_only"]})


WRONG: dict[str, list[tuple[Any, str]]] = {
    "id": [(factories.NOBODYS_ID, "read_only")],
    "createdAt": [("x", "read_only")],
    "updatedAt": [(None, "read_only")],
    "owner_id": [("admin", "unknown_field")],
    "identifier": [
        ("", "blank"), ("two words", "invalid"), ("é", "invalid"), ("x" * 65, "max_length"), (5, "invalid"),
        (None, "null"),
    ],
    "type": [("", "blank"), ("a/b", "invalid"), (["convention"], "invalid"), (True, "invalid")],
    "userId": [
        ("nobody", "does_not_exist"), ("", "blank"), (None, "null"), (5, "invalid"), ([], "invalid"),
        ("x" * 256, "max_length"),
    ],
    "labels": [
        ({str(number): number for number in range(101)}, "too_many"), ({"en": "x" * 16_400}, "too_large"),
        ({"k" * 16_400: "x"}, "too_large"), (None, "null"),
        *((labels, "not_an_object") for labels in ([], ["en"], "Stayman", "", 5, True, '{"en": "Stayman"}')),
    ],
    "description": [
        (None, "null"), ([], "not_an_object"), ("A text.", "not_an_object"),
        *(({"en": text}, "not_a_text") for text in ("", " \n", None, {"short": "x"})),
        ({"en": "x" * (MAX_LENGTH + 1)}, "max_length"),
        *(({tag: "x"}, "unknown_language") for tag in ("", "EN", "en-gb", "en_GB", "xx", "english", " en")),
        ({"en" + "-abcde" * 1_300: "x"}, "unknown_language"),
        (dict.fromkeys(("en", "fr", "de", "nl", "es", "it", "pl", "sv", "da"), "x" * MAX_LENGTH), "too_large"),
    ],
}  # fmt: skip


def test_a_wrong_value_is_named(owner: APIClient, support: APIClient, url: str, subtests: pytest.Subtests) -> None:
    for field, values in WRONG.items():
        for value, code in values:
            with subtests.test(f"{field} {str(value)[:40]}"), undone():
                refuse(support if field == "userId" else owner, url, {field: value}, {field: [code]})


def test_an_identifier_that_another_theme_of_the_type_has_is_refused(owner: APIClient, url: str) -> None:
    factories.theme("blackwood")
    factories.theme("signals", type="defence")
    refuse(owner, url, {"identifier": "blackwood"}, {"identifier": ["identifier_taken"]})
    factories.theme("stayman", type="defence")
    refuse(owner, url, {"type": "defence"}, {"identifier": ["identifier_taken"]})
    assert owner.patch(url, {"identifier": "signals"}).status_code == 200
    assert owner.patch(url, {"identifier": "signals", "type": "convention"}).status_code == 200


# --- Labels


def test_labels_and_descriptions_come_back_as_sent(owner: APIClient, url: str, subtests: pytest.Subtests) -> None:
    labels: list[dict[str, Any]] = [
        {}, {"en": ""}, {"en": None, "fr": True, "de": False}, {"en": ["a", {"b": [1, 2.5, None]}]},
        {"en": {"": "an inner key may be empty"}}, {"x y": "any key", "é": "ő", "🂡": "🂱", "en\n": "\t"},
        {"en": [0, -1, 2**53 - 1, -(2**53) + 1]}, {"en": [0.1, 1.5e-7, 123456.789, 1e15, 5e-324]},
        {"zz": [1.0, 1e5, -0.0], "a": 1},
        {"": "x"}, {" ": "x", "\t\n": "x", "en": "x"}, {"k" * 16_000: "long"}, {"en" + "-abcde" * 1_300: "tag"},
        {"en": "x" * 16_000}, {str(number): number for number in range(100)},
        {"en": json.loads("[" * 30 + "]" * 30)},
    ]  # fmt: skip
    descriptions = [
        {}, {"zh-Hant-TW": "斯台曼"}, {"de-1996": "x", "es-419": "x"}, {"en": "<b>&\"'\t\r\n"},
        {"en": "x" * MAX_LENGTH},
    ]  # fmt: skip
    for field, value in [*(("labels", each) for each in labels), *(("description", each) for each in descriptions)]:
        with subtests.test(f"{field} {value!r:.60}"), undone():
            revision = LabelRevision.objects.get().token
            patched = owner.patch(url, {field: value})
            assert (patched.status_code, patched.json()[field]) == (200, value)
            read = owner.get(url)
            assert (read.json(), read["ETag"]) == (patched.json(), patched["ETag"])
            assert LabelRevision.objects.get().token != revision
            assert owner.get("/api/themes").json() == [patched.json()]


def test_a_person_gets_the_description_among_their_data(theme: Theme) -> None:
    (exported,) = json.loads(b"".join(export(theme.owner)))["themes"]
    assert exported["description"] == STORED
