"""Steps after drf-spectacular, which has no settings for what they mend. See docs/decisions/0019."""

import re
from collections.abc import Iterator
from typing import Any

from config.api.examples import add_examples
from config.api.schema_components import REQUEST_HEADERS, components

BLANK = {"$ref": "#/components/schemas/BlankEnum"}
NULL = {"$ref": "#/components/schemas/NullEnum"}
REFERENCE = "#/components/schemas/"


def finish_document(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Write choices so that JSON Schema and generators agree on them. Add the headers, and recorded examples."""
    schemas = result["components"]["schemas"]
    result = mend(result, schemas)
    used = set(references(result))
    result["components"]["schemas"] = {
        name: schema
        for name, schema in result["components"]["schemas"].items()
        if f"{REFERENCE}{name}" in used or "enum" not in schema
    }
    result["components"]["schemas"].pop("NullEnum", None)
    result["components"] |= components()
    add_examples(result)
    return result


def references(node: Any) -> Iterator[str]:
    """Yield what the references in a part of the document name."""
    if isinstance(node, dict) and isinstance(node.get("$ref"), str):
        yield node["$ref"]
    if isinstance(node, dict | list):
        for value in node.values() if isinstance(node, dict) else node:
            yield from references(value)


def mend(node: Any, schemas: dict[str, Any]) -> Any:
    """Return a copy of a part of the document with each schema mended."""
    if isinstance(node, list):
        return [mend(item, schemas) for item in node]
    if not isinstance(node, dict):
        return node
    if node.get("in") == "header" and node.get("name") in REQUEST_HEADERS:
        return {"$ref": f"#/components/parameters/{node['name']}"}
    copy = {key: mend(value, schemas) for key, value in node.items()}
    return drop_empty_labels(name_plainly(allow_nothing(copy, schemas)))


def allow_nothing(schema: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    """Write a choice that may be "" as one list, and one that may be null as anyOf.

    The library writes oneOf with a type for nothing but "", which generators make a class of (tfranzel/drf-spectacular,
    issue 235). A oneOf that offers two objects stays.
    """
    choices = schema.get("oneOf")
    if not isinstance(choices, list) or all("$ref" in each and each not in (BLANK, NULL) for each in choices):
        return schema
    others = {key: value for key, value in schema.items() if key != "oneOf"}
    if BLANK in choices:
        named = schemas[choices[0]["$ref"].removeprefix(REFERENCE)]
        kinds, nothing = (["string", "null"], ["", None]) if NULL in choices else ("string", [""])
        return {"type": kinds, "enum": [*named["enum"], *nothing], **others}
    return {"anyOf": [{"type": "null"} if choice == NULL else choice for choice in choices], **others}


def name_plainly(schema: dict[str, Any]) -> dict[str, Any]:
    """Write {"allOf": [reference], …} as {reference, …}, which OpenAPI 3.1 allows."""
    match schema.get("allOf"):
        case [{"$ref": reference}]:
            return {"$ref": reference, **{key: value for key, value in schema.items() if key != "allOf"}}
    return schema


def drop_empty_labels(schema: dict[str, Any]) -> dict[str, Any]:
    """Take lines such as "* `in_use` - In Use" out of a description: their label says no more than the value.

    Others stay: GET /api/forms answers with them, and a program shows them as the choices of a form.
    """
    description = schema.get("description")
    if not isinstance(description, str) or "* `" not in description:
        return schema

    def keep(line: re.Match[str]) -> str:
        return "" if re.sub(r"[._]", " ", line[1]) == line[2].lower() or line[1] == line[2] else line[0]

    text = re.sub(r"(?m)^\* `(.*)` - (.*)$\n?", keep, description).strip()
    others = {key: value for key, value in schema.items() if key != "description"}
    return {**others, "description": text} if text else others
