"""The committed document as a holder needs it: operations by path, and compiled validators of every schema in it.

A test holds that it is today's, so that no process of the tests need make it.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from django.conf import settings
from jsonschema_rs import Draft202012Validator, Registry

from config.api.schema_components import RECORDED_BASE_URL

Direction = Literal["sent", "answered", "chosen"]
"""Chosen is an answer whose fields the request has chosen: the component that `x-fields-of` names requires nothing."""

Pointer = tuple[str, ...]
"""Where something stands in the document, as the keys that lead to it."""

COMMITTED = settings.BASE_DIR / "docs" / "reference" / "openapi.json"
"""Today's document. `python3 dev.py openapi` writes it."""


@dataclass(frozen=True)
class PathItem:
    template: str
    pattern: re.Pattern[str]
    methods: frozenset[str]


@cache
def document() -> dict[str, Any]:
    """Return the committed document, with the address of the service under test."""
    text = COMMITTED.read_text(encoding="utf-8").replace(RECORDED_BASE_URL, settings.PUBLIC_BASE_URL)
    committed: dict[str, Any] = json.loads(text)
    return committed


@cache
def path_items() -> tuple[PathItem, ...]:
    """Return the paths of the document, those with the most literal characters first: they are more specific."""
    items = [
        PathItem(template, as_pattern(template), frozenset(item)) for template, item in document()["paths"].items()
    ]
    return tuple(sorted(items, key=lambda item: -len(re.sub(r"\{\w+\}", "", item.template))))


def as_pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", template)
    named = [f"(?P<{part}>[^/]+)" if index % 2 else re.escape(part) for index, part in enumerate(parts)]
    return re.compile("".join(named))


def find_path(path: str) -> tuple[PathItem, dict[str, str]] | None:
    """Return the item of a path and the values of its parameters. One slash at the end is ignored, as it is served."""
    plain = path[:-1] if path.endswith("/") and len(path) > 1 else path
    for item in path_items():
        if match := item.pattern.fullmatch(plain):
            return item, match.groupdict()
    return None


def look_up(pointer: Pointer) -> Any:
    """Return what stands at a pointer, or None."""
    node: Any = document()
    for key in pointer:
        if isinstance(node, list):
            node = node[int(key)]
            continue
        node = node.get(key) if isinstance(node, Mapping) else None
    return node


def resolve(pointer: Pointer) -> Pointer:
    """Return the pointer to the component that a reference names, or the pointer itself where there is none."""
    node = look_up(pointer)
    if isinstance(node, Mapping) and "$ref" in node:
        return tuple(node["$ref"].removeprefix("#/").split("/"))
    return pointer


def dereference(node: Mapping[str, Any]) -> Any:
    """Return the component that a reference names, or the node itself where it is none."""
    return look_up(tuple(node["$ref"].removeprefix("#/").split("/"))) if "$ref" in node else node


def closed(node: Any) -> Any:
    """Return a copy whose objects take no other keys. Answers stay open for clients; a test must see every new key."""
    if isinstance(node, list):
        return [closed(item) for item in node]
    if not isinstance(node, Mapping):
        return node
    copy = {key: closed(value) for key, value in node.items()}
    if copy.get("type") == "object" and "properties" in copy:
        copy.setdefault("additionalProperties", False)
    return copy


def without_required(node: Any, component: str) -> Any:
    """Return a copy of the document in which an object of this component may lack any field."""
    schemas = node["components"]["schemas"]
    relaxed = {**schemas, component: {**schemas[component], "required": []}}
    return {**node, "components": {**node["components"], "schemas": relaxed}}


@cache
def registry() -> Registry:
    answered = closed(document())
    chosen = without_required(answered, "Board")
    return Registry([("urn:sent", document()), ("urn:answered", answered), ("urn:chosen", chosen)])


@cache
def validator(pointer: Pointer, direction: Direction) -> Draft202012Validator:
    """Return the compiled validator of the schema at a pointer."""
    escaped = "/".join(key.replace("~", "~0").replace("/", "~1").replace("%", "%25") for key in pointer)
    escaped = escaped.replace("{", "%7B").replace("}", "%7D")
    schema = {"$ref": f"urn:{direction}#/{escaped}"}
    return Draft202012Validator(schema, registry=registry(), validate_formats=True)


def faults(pointer: Pointer, value: Any, direction: Direction) -> Iterator[str]:
    """Yield what the schema at the pointer finds wrong with a value."""
    for error in validator(pointer, direction).iter_errors(value):
        where = ".".join(map(str, error.instance_path))
        yield f"{where + ': ' if where else ''}{error.message[:500]}"


def read_text(pointer: Pointer, text: str) -> Any:
    """Return the value that a text of an address, a header or a form stands for, by the type in the schema."""
    schema = look_up(resolve(pointer)) or {}
    kinds = schema.get("type", ())
    if "integer" in kinds and re.fullmatch(r"-?[0-9]+", text):
        return int(text)
    if "boolean" in kinds and text.lower() in ("true", "false"):
        return text.lower() == "true"
    return text
