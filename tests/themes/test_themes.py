"""GET /api/themes, GET and PATCH /api/themes/{id}."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.models import Account
from tests import factories
from tests.answers import assert_error, field_errors
from tests.undone import undone
from themes.models import Theme

pytestmark = pytest.mark.django_db

UNTOUCHED = ("type", "identifier", "labels", "description", "owner_id", "updated_at")


@pytest.fixture
def theme(db: None) -> Theme:
    return factories.theme("stayman", owner=factories.account("owner"))


@pytest.fixture
def owner(theme: Theme, client_of: Callable[[Account], APIClient]) -> APIClient:
    return client_of(theme.owner)


@pytest.fixture
def url(theme: Theme) -> str:
    return f"/api/themes/{theme.pk}"


def stored(url: str) -> dict[str, Any]:
    return Theme.objects.values(*UNTOUCHED).get(pk=url.rpartition("/")[2])


def nested(levels: int) -> Any:
    value: Any = "the innermost"
    for _ in range(levels):
        value = [value]
    return value


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
    response = anonymous.get(url)
    assert (response.status_code, response.json()) == (
        200,
        {
            "id": str(theme.pk),
            "type": "convention",
            "userId": "owner",
            "labels": {"en": "stayman"},
            "description": {},
            "identifier": "stayman",
            "createdAt": f"{theme.created_at:%Y-%m-%dT%H:%M:%S.%f}Z",
            "updatedAt": f"{theme.updated_at:%Y-%m-%dT%H:%M:%S.%f}Z",
        },
    )
    assert response["Cache-Control"] == "public, max-age=0, must-revalidate"


def test_no_cache_may_keep_the_answer_to_a_caller_with_a_token(member: APIClient, url: str) -> None:
    assert member.get(url)["Cache-Control"] == "private, no-store"


def test_an_unknown_theme_is_not_found(theme: Theme, admin: APIClient) -> None:
    for unknown in (factories.NOBODYS_ID, "stayman", "5", "%00", "%ff", "é"):
        assert_error(admin.get(f"/api/themes/{unknown}"), 404, "not_found")
        assert_error(admin.patch(f"/api/themes/{unknown}", {"identifier": "taken"}), 404, "not_found")
    assert not Theme.objects.filter(identifier="taken").exists()


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


def test_the_number_of_queries_does_not_grow_with_the_themes(anonymous: APIClient) -> None:
    counts = []
    for _ in range(2):
        for _ in range(5):
            factories.theme(owner=factories.account())
        with CaptureQueriesContext(connection) as queries:
            identifiers(anonymous)
        counts.append(len(queries))
    assert counts == [3, 3]  # the revision, then all themes and all auction systems


# --- Who may change a theme


def test_the_owner_and_staff_change_a_theme(owner: APIClient, support: APIClient, admin: APIClient, url: str) -> None:
    for client, name in ((owner, "Puppet Stayman"), (support, "Support's"), (admin, "Admin's")):
        before = client.get(url).json()
        body = {"type": "system_bidding", "identifier": "puppet_stayman", "labels": {"en": name}}
        after = client.patch(url, body)
        assert after.status_code == 200, name
        assert after.json() == {**before, **body, "updatedAt": after.json()["updatedAt"]}
        assert after.json()["updatedAt"] > before["updatedAt"]
        assert client.get(url).json() == after.json()


def test_nobody_but_the_owner_and_staff_changes_a_theme(anonymous: APIClient, member: APIClient, url: str) -> None:
    before = stored(url)
    assert_error(anonymous.patch(url, {"labels": {"en": "mine"}}), 401, "not_authenticated")
    assert_error(member.patch(url, {"labels": {"en": "mine"}}), 403, "permission_denied")
    assert stored(url) == before


def test_a_former_owner_cannot_change_the_theme(owner: APIClient, support: APIClient, url: str) -> None:
    factories.account("heir")
    assert support.patch(url, {"userId": "heir"}).json()["userId"] == "heir"
    assert owner.patch(url, {"labels": {}}).status_code == 403


def test_only_staff_change_themes_of_the_system_account(member: APIClient, support: APIClient) -> None:
    url = f"/api/themes/{factories.theme('blackwood').pk}"
    assert member.patch(url, {"labels": {"en": "B"}}).status_code == 403
    assert support.patch(url, {"labels": {"en": "B"}}).json()["userId"] == "system"


# --- The fields


def test_the_owner_cannot_hand_the_theme_to_another_account(owner: APIClient, url: str) -> None:
    factories.account("heir")
    refuse(owner, url, {"userId": "heir"}, {"userId": ["read_only"]})
    refuse(owner, url, {"userId": "owner", "labels": {}}, {"userId": ["read_only"]})


WRONG: dict[str, list[tuple[Any, str]]] = {
    "id": [(factories.NOBODYS_ID, "read_only")],
    "createdAt": [("x", "read_only")],
    "updatedAt": [(None, "read_only")],
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
        ({"": "x"}, "empty_key"), ({" ": "x"}, "empty_key"), ({"en": "x", "\t\n": "x"}, "empty_key"),
        ({"k" * 65: "x"}, "long_key"), ({str(number): number for number in range(101)}, "too_many"),
        ({"en": "x" * 16_400}, "too_large"), (None, "null"),
        *((labels, "not_an_object") for labels in ([], ["en"], "Stayman", "", 5, True, '{"en": "Stayman"}')),
    ],
}  # fmt: skip


def test_the_answer_names_a_wrong_value_an_owner_that_does_not_exist_and_labels_that_are_none(
    owner: APIClient, support: APIClient, url: str, subtests: pytest.Subtests
) -> None:
    for field, values in WRONG.items():
        for value, code in values:
            with subtests.test(f"{field} {str(value)[:40]}"), undone():
                refuse(support if field == "userId" else owner, url, {field: value}, {field: [code]})


def test_the_answer_names_every_unknown_field(owner: APIClient, url: str) -> None:
    for body in ({"owner": "admin", "owner_id": "admin"}, {"colour": "red", "identifier": "x"}):
        refuse(owner, url, body, {field: ["unknown_field"] for field in body if field != "identifier"})


def test_a_body_that_is_no_object_is_refused(owner: APIClient, url: str) -> None:
    before = stored(url)
    bodies: list[Any] = ["", "text", [], [{}], 5, True, None]
    for body in bodies:
        response = owner.generic("PATCH", url, json.dumps(body), content_type="application/json")
        assert field_errors(response).keys() == {"nonFieldErrors"}, body
        assert stored(url) == before


def test_an_identifier_that_another_theme_of_the_type_has_is_refused(owner: APIClient, url: str) -> None:
    factories.theme("blackwood")
    factories.theme("signals", type="defence")
    refuse(owner, url, {"identifier": "blackwood"}, {"identifier": ["identifier_taken"]})
    factories.theme("stayman", type="defence")
    refuse(owner, url, {"type": "defence"}, {"identifier": ["identifier_taken"]})
    assert owner.patch(url, {"identifier": "signals"}).status_code == 200
    assert owner.patch(url, {"identifier": "signals", "type": "convention"}).status_code == 200


# --- Labels


def test_labels_with_any_json_values_come_back_as_they_were_sent(
    owner: APIClient, url: str, subtests: pytest.Subtests
) -> None:
    for labels in [
        {}, {"en": ""}, {"en": None, "fr": True, "de": False}, {"en": ["a", {"b": [1, 2.5, None]}]},
        {"en": {"": "an inner key may be empty"}}, {"x y": "any key", "é": "ő", "🂡": "🂱", "en\n": "\t"},
        {"en": [0, -1, 2**53 - 1, -(2**53) + 1]}, {"en": [0.1, 1.5e-7, 123456.789, 1e15, 5e-324]},
        {"en": "x" * 16_000}, {"k" * 64: "long"}, {str(number): number for number in range(100)},
        {"en": nested(30)},
    ]:  # fmt: skip
        with subtests.test(repr(labels)), undone():
            patched = owner.patch(url, {"labels": labels})
            assert patched.status_code == 200, patched.content
            read = owner.get(url)
            assert patched.json()["labels"] == read.json()["labels"] == labels
            assert patched["ETag"] == read["ETag"]


def test_patch_and_get_write_a_number_the_same_way(owner: APIClient, url: str, subtests: pytest.Subtests) -> None:
    for number in ["1.0", "1e5", "-0.0", "1E-2", "0.10", "-0", "1e-400"]:
        with subtests.test(repr(number)), undone():
            patched = owner.patch(url, f'{{"labels": {{"zz": {number}, "a": 1}}}}', content_type="application/json")
            read = owner.get(url)
            assert (patched.content, patched["ETag"]) == (read.content, read["ETag"])
            assert read.json()["labels"] == {"zz": float(number), "a": 1}


def test_labels_that_cannot_be_stored_are_refused(owner: APIClient, url: str, subtests: pytest.Subtests) -> None:
    before = stored(url)
    for labels in [
        json.dumps({"en": nested(31)}), "[" * 2000 + "]" * 2000, '{"en": "\\u0000"}', '{"\\u0000": "x"}',
        '{"en": "\\ud800"}', '{"en": ["\\udc00\\ud800"]}', '{"en": 1, "en": 2}', '{"en": NaN}',
        '{"en": -Infinity}', '{"en": 9007199254740992}', '{"en": 1e400}', '{"en": 1e16}', "{",
    ]:  # fmt: skip
        with subtests.test(repr(labels)), undone():
            response = owner.patch(url, f'{{"labels": {labels}}}', content_type="application/json")
            assert_error(response, 400, "bad_request")
            assert stored(url) == before


def test_labels_are_replaced_as_a_whole(owner: APIClient, url: str) -> None:
    owner.patch(url, {"labels": {"en": "Stayman", "fr": "Stayman"}})
    assert owner.patch(url, {"labels": {"nl": "Stayman"}}).json()["labels"] == {"nl": "Stayman"}
    assert owner.patch(url, {"identifier": "puppet"}).json()["labels"] == {"nl": "Stayman"}


# --- Validators


def test_an_etag_is_that_of_the_callers_representation(owner: APIClient, anonymous: APIClient, url: str) -> None:
    etag = owner.patch(url, {"labels": {"zz": 1, "a": 2.0, "bbb": {"y": 1, "x": 2}}})["ETag"]
    assert etag == anonymous.get(url)["ETag"]
    assert anonymous.get(url, headers={"if-none-match": etag}).status_code == 304
    assert owner.patch(url, {"labels": {}}, headers={"if-match": etag}).status_code == 200
    assert anonymous.get(url, headers={"if-none-match": etag}).status_code == 200


def test_if_match_accepts_the_current_etag_and_no_weak_one(
    owner: APIClient, url: str, subtests: pytest.Subtests
) -> None:
    for form in ["{}", "W/{}", '"another", {}', "*"]:
        with subtests.test(repr(form)), undone():
            header = form.format(owner.get(url)["ETag"])
            weak = header.startswith("W/")
            before = stored(url)
            response = owner.patch(url, {"labels": {}}, headers={"if-match": header})
            assert response.status_code == (412 if weak else 200)
            assert (stored(url) == before) is weak


def test_a_patch_from_a_stale_reading_is_refused_and_writes_nothing(
    owner: APIClient, support: APIClient, url: str
) -> None:
    read = owner.get(url)["ETag"]
    support.patch(url, {"labels": {"en": "support's"}})
    response = owner.patch(url, {"labels": {"en": "owner's"}}, headers={"if-match": read})
    assert_error(response, 412, "precondition_failed")
    assert stored(url)["labels"] == {"en": "support's"}
