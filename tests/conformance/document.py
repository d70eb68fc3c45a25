"""The document as a holder needs it: operations by path, and compiled validators of every schema in it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from config.api.openapi import openapi_document

Direction = Literal["sent", "answered"]
Pointer = tuple[str, ...]
"""Where something stands in the document, as the keys that lead to it."""

FORMATS = Draft202012Validator.FORMAT_CHECKER
assert {"date-time", "email", "uri", "uuid"} <= FORMATS.checkers.keys(), "install jsonschema[format-nongpl]"


@dataclass(frozen=True)
class PathItem:
    template: str
    pattern: re.Pattern[str]
    methods: frozenset[str]


@cache
def path_items() -> tuple[PathItem, ...]:
    """Return the paths of the document, those with the most literal characters first: they are more specific."""
    items = [
        PathItem(template, as_pattern(template), frozenset(item))
        for template, item in openapi_document()["paths"].items()
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
    node: Any = openapi_document()
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


@cache
def registry() -> Registry:
    documents = {"urn:sent": openapi_document(), "urn:answered": closed(openapi_document())}
    resources = [(urn, DRAFT202012.create_resource(contents)) for urn, contents in documents.items()]
    return Registry().with_resources(resources)


@cache
def validator(pointer: Pointer, direction: Direction) -> Draft202012Validator:
    """Return the compiled validator of the schema at a pointer."""
    escaped = "/".join(key.replace("~", "~0").replace("/", "~1").replace("%", "%25") for key in pointer)
    escaped = escaped.replace("{", "%7B").replace("}", "%7D")
    return Draft202012Validator(
        {"$ref": f"urn:{direction}#/{escaped}"}, registry=registry(), format_checker=FORMATS
    )


def faults(pointer: Pointer, value: Any, direction: Direction) -> Iterator[str]:
    """Yield what the schema at the pointer finds wrong with a value."""
    for error in validator(pointer, direction).iter_errors(value):
        where = ".".join(str(key) for key in error.absolute_path)
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
