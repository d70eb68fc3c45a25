"""Examples for the OpenAPI document: requests and answers of a running service, as examples.json has them.

`python3 dev.py openapi` records them with tests/conformance/examples. A test fails when the service answers otherwise.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings

FILE = Path(__file__).with_name("examples.json")
RECORDED_BASE_URL = "https://boards.example"
"""The address of the service in the file. The document has that of this service in its place."""

EXAMPLES = "#/components/examples/"


def read_examples() -> dict[str, Any]:
    """Return the recorded examples with this service's address."""
    text = FILE.read_text(encoding="utf-8").replace(RECORDED_BASE_URL, settings.PUBLIC_BASE_URL)
    examples: dict[str, Any] = json.loads(text)
    return examples


def add_examples(document: dict[str, Any]) -> None:
    """Put the recorded examples into the document. An operation without any stays as it is: a test will tell."""
    recorded = read_examples()
    components = document["components"]
    components["examples"] = recorded["shared"]
    components["headers"] = with_example(components["headers"], recorded["headers"])
    components["parameters"] = with_example(components["parameters"], recorded["requestHeaders"])
    for name, operation in operations(document):
        if examples := recorded["operations"].get(name):
            add_to_operation(operation, examples, recorded["headers"])


def operations(document: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each operation with its name: "GET /api/boards", or for a webhook "POST board.published"."""
    for section in ("paths", "webhooks"):
        for path, item in document.get(section, {}).items():
            for method, operation in item.items():
                yield f"{method.upper()} {path}", operation


def add_to_operation(operation: dict[str, Any], examples: Mapping[str, Any], headers: Mapping[str, Any]) -> None:
    for parameter in operation["parameters"]:
        if parameter.get("name") in examples["parameters"]:
            parameter["example"] = examples["parameters"][parameter["name"]]
    add_to_content(operation.get("requestBody", {}), examples["request"])
    for status, response in operation["responses"].items():
        add_to_content(response, examples["answers"].get(status, {}))
        inline = {name: header for name, header in response.get("headers", {}).items() if "$ref" not in header}
        response.setdefault("headers", {}).update(with_example(inline, headers))


def add_to_content(described: dict[str, Any], examples: Mapping[str, Any]) -> None:
    for media_type, media in described.get("content", {}).items():
        if media_type in examples:
            media["examples"] = examples[media_type]


def with_example(described: Mapping[str, Any], examples: Mapping[str, Any]) -> dict[str, Any]:
    """Return copies of headers or parameters by name, with the recorded value of each."""
    return {name: {**one, "example": examples[name]} if name in examples else one for name, one in described.items()}
