"""The OpenAPI document that is committed is today's, and its examples of everything are what the service answers."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings

from config.api.openapi import openapi_document
from config.api.schema_components import EXAMPLES, FILE, RECORDED_BASE_URL, operations
from tests.conformance.document import COMMITTED, Pointer, document, faults, look_up, resolve
from tests.conformance.examples.recording import record

MEND = "Run python3 dev.py openapi, and look at what has changed in config/api/examples.json."


MAX_WIDTH = 400
"""An example of an error is shorter. A longer one has a line for each property, such as the hands of a board."""


def write_compactly(value: Any, indent: str = "") -> str:
    """Return JSON whose objects and lists stand on one line where they fit, else with one member a line."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or len(line) <= MAX_WIDTH:
        return line
    inner = indent + " "
    if isinstance(value, dict):
        first, last = "{", "}"
        members = [
            f"{json.dumps(key, ensure_ascii=False)}: {write_compactly(member, inner)}" for key, member in value.items()
        ]
    else:
        first, last = "[", "]"
        members = [write_compactly(member, inner) for member in value]
    return "\n".join([first, ",\n".join(inner + member for member in members), indent + last])


@pytest.mark.django_db
def test_the_service_answers_as_the_examples_say(settings: Any, request: pytest.FixtureRequest) -> None:
    recorded = json.loads(json.dumps(record(settings)))
    if request.config.getoption("--record-examples"):
        FILE.write_text(write_compactly(recorded) + "\n", encoding="utf-8")
    committed = json.loads(FILE.read_text(encoding="utf-8"))
    for name, examples in recorded["operations"].items():
        assert examples == committed["operations"].get(name), f"{name} has other examples now. {MEND}"
    assert recorded == committed, MEND


def test_the_examples_are_written_as_they_are_recorded() -> None:
    text = FILE.read_text(encoding="utf-8")
    assert text == write_compactly(json.loads(text)) + "\n", MEND


def test_each_body_and_each_answer_and_each_error_has_an_example(subtests: pytest.Subtests) -> None:
    for name, operation in operations(document()):
        with subtests.test(name):
            assert_has_examples(operation)


def assert_has_examples(operation: Any) -> None:
    assert operation["summary"] and operation["description"]
    for described in (operation.get("requestBody", {}), *operation["responses"].values()):
        for media_type, media in described.get("content", {}).items():
            assert media.get("examples"), f"no example of {media_type}. {MEND}"


def test_each_error_has_an_example_of_each_code() -> None:
    described = document()["components"]
    codes = [
        (name, code)
        for name, response in described["responses"].items()
        for code in re.findall(r"(?m)^`(\w+)`: ", response["description"])
    ]
    assert len(codes) > 25
    for name, code in codes:
        example = described["responses"][name]["content"]["application/json"]["examples"][code]
        assert example == {"$ref": f"{EXAMPLES}{code}"}, name
        assert described["examples"][code]["value"]["code"] == code, MEND


def every_example() -> Iterator[tuple[Pointer, Any, Pointer]]:
    """Yield the place of each example of a body or a header, its value, and the place of its schema."""
    for media in find_all(document(), ()):
        node = look_up(media)
        schema = (*media, "schema")
        if "example" in node:
            yield media, node["example"], schema
        for name in node.get("examples", {}):
            yield (*media, name), look_up(resolve((*media, "examples", name)))["value"], schema


def find_all(node: Any, pointer: Pointer) -> Iterator[Pointer]:
    """Yield the places that have a schema and an example of it."""
    if isinstance(node, dict):
        if "schema" in node and ("example" in node or "examples" in node):
            yield pointer
            return
        for key, value in node.items():
            yield from find_all(value, (*pointer, key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from find_all(value, (*pointer, str(index)))


def test_each_example_is_valid_by_its_schema() -> None:
    examples = list(every_example())
    assert len(examples) > 100
    found = [
        f"{'/'.join(place)}: {fault}"
        for place, value, schema in examples
        for fault in faults(schema, value, "sent" if "requestBody" in place else "answered")
    ]
    assert found == []


def test_each_header_has_an_example() -> None:
    assert [name for name, one in document()["components"]["headers"].items() if "example" not in one] == []


def test_no_parameter_has_an_example() -> None:
    """Swagger UI sends an example that it finds: "Execute" would ask for an impersonation, a condition or a filter."""
    parameters = [*document()["components"]["parameters"].values()]
    parameters += [parameter for _, operation in operations(document()) for parameter in operation["parameters"]]
    assert len(parameters) > 100
    assert [one for one in parameters if {"example", "examples"} & {*one, *one.get("schema", ())}] == []


def test_the_committed_document_is_todays() -> None:
    text = json.dumps(openapi_document()).replace(settings.PUBLIC_BASE_URL, RECORDED_BASE_URL)
    committed = json.loads(COMMITTED.read_text(encoding="utf-8"))
    assert json.loads(text) == committed, "Run python3 dev.py openapi."
