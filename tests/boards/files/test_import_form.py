"""The import of a file that comes in a form: the form may have the parameters of the query."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from boards.models import Board
from deals.bridge.formats.lin.writer import write_lin
from deals.models import Deal
from tests import factories
from tests.answers import assert_error, field_errors
from tests.boards.admin.pages import pbn
from tests.boards.files.test_import import PATH, UNKNOWN_HAND, played

pytestmark = pytest.mark.django_db


def upload(more: bytes = b"") -> SimpleUploadedFile:
    return SimpleUploadedFile("boards.pbn", pbn(played()) + more)


def send(client: APIClient, form: dict[str, Any], query: str = "") -> Any:
    return client.post(f"{PATH}?{query}", form, format="multipart")


def test_a_form_with_a_file_of_any_format_may_have_the_parameters(service: APIClient) -> None:
    theme, owner = factories.theme("stayman"), factories.account("ada")
    lin = SimpleUploadedFile("board.lin", write_lin(played()).encode(), "application/x-lin")
    form = {"file": lin, "publish": "true", "theme": "stayman", "userId": "ada", "atomic": "false"}
    response = send(service, form)
    assert response.status_code == 200, response.json()
    board = Board.objects.published().get()
    assert (board.owner, list(board.themes.all())) == (owner, [theme])


def test_a_form_may_ask_for_all_or_nothing(service: APIClient) -> None:
    response = send(service, {"file": upload(UNKNOWN_HAND.encode()), "atomic": "true"})
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


WRONG = {"note": "hello", "publish": "yes", "userId": "nobody"}
CODES_OF_WRONG = {"note": ["unknown_field"], "publish": ["invalid_choice"], "userId": ["does_not_exist"]}
REFUSED: tuple[tuple[dict[str, Any], str, dict[str, list[str]]], ...] = (
    ({"userId": "ada"}, "userId=system", {"userId": ["contradiction"]}),
    *(({"publish": ["true", "true"]}, "", {"publish": ["repeated"]}), ({"theme": ""}, "", {"theme": ["blank"]})),
    *(({"publish": value}, "", {"publish": ["invalid_choice"]}) for value in ("yes", "")),
    *(({name: "true"}, "", {name: ["unknown_field"]}) for name in ("note", "force")),
    (WRONG, "atomic=1&theme=nothing", CODES_OF_WRONG | {"atomic": ["invalid_choice"], "theme": ["does_not_exist"]}),
)


def test_all_that_is_wrong_with_a_form_and_its_query_is_named_at_once(service: APIClient) -> None:
    for form, query, errors in REFUSED:
        assert field_errors(send(service, {"file": upload(), **form}, query)) == errors
        assert field_errors(send(service, form, query)) == {**errors, "file": ["required"]}
    assert not Deal.objects.exists()


def test_a_form_has_one_file_in_its_field_file(service: APIClient) -> None:
    required, unknown = {"file": ["required"]}, ["unknown_field"]
    forms: tuple[tuple[dict[str, Any], dict[str, list[str]]], ...] = (
        *((form, required) for form in ({}, {"file": "a text"}, {"file": [upload(), upload()]})),
        *(({"file": [upload(), "a text"]}, required), ({"upload": upload()}, {"upload": unknown, **required})),
        *(({"file": upload(), name: upload()}, {name: unknown}) for name in ("two", "publish")),
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
