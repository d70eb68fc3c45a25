"""The import of a file that comes in a form: the form may have the parameters of the query."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from boards.models import Board
from deals.bridge.formats.pbn.writer import HEADER, write_pbn
from deals.models import Deal
from tests import factories
from tests.answers import assert_error, field_errors

pytestmark = pytest.mark.django_db

PATH = "/api/deals/import"
INVALID_RECORD = b'[Deal "N:AKQJ.T98.765.432 - - -"]\r\n\r\n'


def upload(more: bytes = b"") -> SimpleUploadedFile:
    record = factories.record(calls="1NT Pass Pass Pass", tricks=7)
    return SimpleUploadedFile("boards.pbn", (HEADER + write_pbn(record)).encode() + more)


def send(client: APIClient, form: dict[str, Any], query: str = "") -> Any:
    return client.post(f"{PATH}?{query}", form, format="multipart")


def test_a_form_may_have_the_parameters(service: APIClient) -> None:
    theme, owner = factories.theme("stayman"), factories.account("ada")
    form = {"file": upload(), "publish": "true", "theme": "stayman", "userId": "ada", "atomic": "false"}
    response = send(service, form)
    assert response.status_code == 200, response.json()
    board = Board.objects.get()
    assert (board.published_at is None, board.owner, list(board.themes.all())) == (False, owner, [theme])


def test_a_form_may_ask_for_all_or_nothing(service: APIClient) -> None:
    response = send(service, {"file": upload(INVALID_RECORD), "atomic": "true"})
    assert len(assert_error(response, 400, "validation_error")["meta"]["failed"]) == 1
    assert not Deal.objects.exists()


def test_parameters_may_stand_in_the_query_the_form_or_with_one_value_in_both(service: APIClient) -> None:
    factories.account("ada")
    response = send(service, {"file": upload(), "userId": "ada", "publish": "true"}, "publish=true&atomic=true")
    assert response.status_code == 200, response.json()
    assert Board.objects.published().get().owner_id == "ada"


FLAGS = (
    *(("True", "", True), ("True", "publish=false&atomic=false", True), ("False", "publish=true", True)),
    *(("TRUE", "publish=true", True), ("False", "publish=false", False)),
)


def test_a_flag_is_true_where_the_query_or_the_form_says_so(service: APIClient) -> None:
    """Send what generated clients send: Python's spelling, and the default in the place that nobody wrote to."""
    for in_form, query, is_published in FLAGS:
        response = send(service, {"file": upload(), "publish": in_form}, query)
        board = Board.objects.get(pk=response.json()["boardIds"][0])
        assert (board.published_at is not None) == is_published, (in_form, query)


REFUSED: list[tuple[dict[str, Any], str, dict[str, list[str]]]] = [
    ({"userId": "ada"}, "userId=system", {"userId": ["contradiction"]}),
    ({"publish": ["true", "true"]}, "", {"publish": ["repeated"]}),
    ({"publish": "yes"}, "", {"publish": ["invalid_choice"]}),
    ({"publish": ""}, "", {"publish": ["invalid_choice"]}),
    ({"theme": "nothing"}, "", {"theme": ["does_not_exist"]}),
    ({"theme": ""}, "", {"theme": ["blank"]}),
    ({"note": "hello"}, "", {"note": ["unknown_field"]}),
    ({"force": "true"}, "", {"force": ["unknown_field"]}),
    (
        {"note": "hello", "publish": "yes", "userId": "nobody"},
        "atomic=1&theme=nothing",
        {
            "note": ["unknown_field"],
            "publish": ["invalid_choice"],
            "userId": ["does_not_exist"],
            "atomic": ["invalid_choice"],
            "theme": ["does_not_exist"],
        },
    ),
]


def test_all_that_is_wrong_with_a_form_and_its_query_is_named_at_once(service: APIClient) -> None:
    for form, query, errors in REFUSED:
        assert field_errors(send(service, {"file": upload(), **form}, query)) == errors
        assert field_errors(send(service, form, query)) == {**errors, "file": ["required"]}
    assert not Deal.objects.exists()


def test_a_form_has_one_file_in_its_field_file(service: APIClient) -> None:
    forms: tuple[tuple[dict[str, Any], dict[str, list[str]]], ...] = (
        ({}, {"file": ["required"]}),
        ({"file": "a text"}, {"file": ["required"]}),
        ({"file": [upload(), upload()]}, {"file": ["required"]}),
        ({"file": [upload(), "a text"]}, {"file": ["required"]}),
        ({"upload": upload()}, {"upload": ["unknown_field"], "file": ["required"]}),
        ({"file": upload(), "two": upload()}, {"two": ["unknown_field"]}),
        ({"file": upload(), "publish": upload()}, {"publish": ["unknown_field"]}),
    )
    for form, errors in forms:
        assert field_errors(send(service, form)) == errors, form
    assert not Deal.objects.exists()


def test_the_document_names_the_fields_of_the_form(anonymous: APIClient) -> None:
    document = anonymous.get("/api/openapi.json").json()
    body = document["paths"][PATH]["post"]["requestBody"]["content"]["multipart/form-data"]["schema"]
    schema = document["components"]["schemas"][body["$ref"].rpartition("/")[2]]
    assert schema["properties"].keys() == {"file", "publish", "atomic", "strict", "theme", "userId"}
    assert (schema["required"], schema["additionalProperties"]) == (["file"], False)
