"""Each kind of change that breaks programs is found, and each kind that does not is let pass."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.conformance.committed import stated_breaks
from tests.conformance.compatibility import Break, find_breaks

TEXT = {"type": "string", "maxLength": 10}
OLD: dict[str, Any] = {
    "paths": {
        "/cards": {
            "get": {
                "operationId": "getCards",
                "security": [{"key": []}, {}],
                "parameters": [
                    {"in": "query", "name": "suit", "schema": {"type": "string", "enum": ["S", "H"]}},
                    {"$ref": "#/components/parameters/If-Match"},
                ],
                "responses": {
                    "200": {
                        "headers": {"ETag": {"$ref": "#/components/headers/ETag"}},
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Card"}}},
                    },
                    "404": {"content": {"application/json": {"schema": {"type": "object"}}}},
                },
            },
            "post": {
                "operationId": "postCards",
                "requestBody": {
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/CardRequest"}}}
                },
                "responses": {"204": {}},
            },
        }
    },
    "webhooks": {
        "card.played": {
            "post": {
                "requestBody": {
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Card"}}}
                }
            }
        }
    },
    "components": {
        "headers": {"ETag": {"required": True, "schema": {"type": "string"}}},
        "parameters": {"If-Match": {"in": "header", "name": "If-Match", "schema": {"type": "string"}}},
        "schemas": {
            "Card": {
                "type": "object",
                "required": ["rank", "owner"],
                "properties": {
                    "rank": {"type": "integer", "minimum": 2, "maximum": 14},
                    "owner": {"type": ["string", "null"]},
                    "note": {**TEXT},
                    "trick": {"anyOf": [{"$ref": "#/components/schemas/Trick"}, {"type": "null"}]},
                },
            },
            "CardRequest": {
                "type": "object",
                "required": ["rank"],
                "properties": {
                    "rank": {"type": "integer", "minimum": 2, "maximum": 14},
                    "note": {**TEXT},
                    "email": {
                        "anyOf": [{"type": "string", "format": "email"}, {"type": "string", "maxLength": 0}]
                    },
                    "tags": {"type": "array", "maxItems": 5, "items": {"type": "string"}},
                },
                "additionalProperties": False,
            },
            "Trick": {
                "type": "object",
                "required": ["winner"],
                "properties": {"winner": {"enum": ["N", "E"]}},
            },
        },
    },
}

Change = Callable[[dict[str, Any]], Any]


def get(document: dict[str, Any]) -> Any:
    return document["paths"]["/cards"]["get"]


def post(document: dict[str, Any]) -> Any:
    return document["paths"]["/cards"]["post"]


def schema(name: str) -> Callable[[dict[str, Any]], Any]:
    return lambda document: document["components"]["schemas"][name]


def properties(name: str) -> Callable[[dict[str, Any]], Any]:
    return lambda document: document["components"]["schemas"][name]["properties"]


card, request_card = properties("Card"), properties("CardRequest")


def breaks_after(change: Change) -> list[Break]:
    new = copy.deepcopy(OLD)
    change(new)
    return find_breaks(OLD, new)


BREAKING: dict[str, tuple[str, Change]] = {
    "a path is gone": ("GET /cards", lambda d: d["paths"].clear()),
    "an operation is gone": ("POST /cards", lambda d: d["paths"]["/cards"].pop("post")),
    "an operation has another id": ("GET /cards", lambda d: get(d).update(operationId="listCards")),
    "credentials are asked for": ("GET /cards", lambda d: get(d)["security"].pop()),
    "a parameter is gone": ("GET /cards", lambda d: get(d)["parameters"].pop()),
    "a parameter takes fewer values": (
        "GET /cards",
        lambda d: get(d)["parameters"][0]["schema"]["enum"].pop(),
    ),
    "a parameter is required": ("GET /cards", lambda d: get(d)["parameters"][0].update(required=True)),
    "a new parameter is required": (
        "POST /cards",
        lambda d: post(d).update(
            parameters=[{"in": "query", "name": "x", "required": True, "schema": {"type": "string"}}]
        ),
    ),
    "a parameter is written otherwise": (
        "GET /cards",
        lambda d: get(d)["parameters"][0].update(explode=True),
    ),
    "an answer is gone": ("GET /cards", lambda d: get(d)["responses"].pop("404")),
    "an answer has another type": (
        "GET /cards",
        lambda d: get(d)["responses"]["200"].update(content={"text/plain": {"schema": {"type": "string"}}}),
    ),
    "a header is gone": ("GET /cards", lambda d: get(d)["responses"]["200"]["headers"].clear()),
    "a header may be absent": (
        "GET /cards",
        lambda d: d["components"]["headers"]["ETag"].update(required=False),
    ),
    "a body is required": ("POST /cards", lambda d: post(d)["requestBody"].update(required=True)),
    "a body is no longer taken": ("POST /cards", lambda d: post(d).pop("requestBody")),
    "a webhook is gone": ("card.played", lambda d: d["webhooks"].clear()),
    "a property of an answer is gone": ("Card", lambda d: card(d).pop("rank")),
    "an optional property of an answer is gone": ("Card", lambda d: card(d).pop("note")),
    "a property of an answer may be absent": ("Card", lambda d: schema("Card")(d)["required"].pop()),
    "a property of an answer has another type": ("Card", lambda d: card(d).update(rank={"type": "string"})),
    "a property of an answer may be null": (
        "Card",
        lambda d: card(d)["rank"].update(type=["integer", "null"]),
    ),
    "a property of an answer is larger": ("Card", lambda d: card(d)["rank"].update(maximum=15)),
    "a property of an answer has no bound": ("Card", lambda d: card(d)["rank"].pop("minimum")),
    "an answer has another choice": ("Trick", lambda d: properties("Trick")(d)["winner"]["enum"].append("S")),
    "an answer has any value": ("Trick", lambda d: properties("Trick")(d)["winner"].pop("enum")),
    "a property of a request is gone": ("CardRequest", lambda d: request_card(d).pop("note")),
    "a property of a request is required": (
        "CardRequest",
        lambda d: schema("CardRequest")(d)["required"].append("note"),
    ),
    "a new property of a request is required": (
        "CardRequest",
        lambda d: (schema("CardRequest")(d)["required"].append("x"), request_card(d).update(x=TEXT)),
    ),
    "a property of a request is shorter": (
        "CardRequest",
        lambda d: request_card(d)["note"].update(maxLength=9),
    ),
    "a property of a request has a pattern": (
        "CardRequest",
        lambda d: request_card(d)["note"].update(pattern="^x"),
    ),
    "a property of a request has a condition": (
        "CardRequest",
        lambda d: request_card(d)["note"].update({"if": {"minLength": 1}, "then": {"format": "uri"}}),
    ),
    "a property of a request may not be blank": (
        "CardRequest",
        lambda d: request_card(d)["email"]["anyOf"].pop(),
    ),
    "items of a request have another type": (
        "CardRequest",
        lambda d: request_card(d)["tags"].update(items={"type": "integer"}),
    ),
}
HARMLESS: dict[str, Change] = {
    "nothing": lambda d: None,
    "a new path": lambda d: d["paths"].update({"/tricks": {"get": {}}}),
    "a new operation": lambda d: d["paths"]["/cards"].update(put={}),
    "a new answer": lambda d: get(d)["responses"].update({"410": {}}),
    "a new optional parameter": lambda d: get(d)["parameters"].append(
        {"in": "query", "name": "x", "schema": {"type": "string"}}
    ),
    "fewer credentials": lambda d: get(d)["security"].append({"token": []}),
    "another choice of a parameter": lambda d: get(d)["parameters"][0]["schema"]["enum"].append("D"),
    "a new property of an answer": lambda d: card(d).update(suit=TEXT),
    "an answer with fewer choices": lambda d: properties("Trick")(d)["winner"]["enum"].pop(),
    "an answer that is never null": lambda d: card(d)["owner"].update(type="string"),
    "an answer with a narrower bound": lambda d: card(d)["rank"].update(maximum=13),
    "a new optional property of a request": lambda d: request_card(d).update(suit=TEXT),
    "a longer property of a request": lambda d: request_card(d)["note"].update(maxLength=11),
    "a property of a request without bound": lambda d: request_card(d)["note"].pop("maxLength"),
    "a property of a request that may be null": lambda d: request_card(d)["note"].update(
        type=["string", "null"]
    ),
    "a request that asks for less": lambda d: schema("CardRequest")(d)["required"].pop(),
    "another description": lambda d: card(d)["rank"].update(description="The rank."),
}


@pytest.mark.parametrize("what", BREAKING)
def test_it_finds_a_change_that_breaks_programs(what: str) -> None:
    where, change = BREAKING[what]
    assert where in {each.where for each in breaks_after(change)}


@pytest.mark.parametrize("what", HARMLESS)
def test_it_lets_a_harmless_change_pass(what: str) -> None:
    assert breaks_after(HARMLESS[what]) == []


def test_it_says_what_has_changed() -> None:
    def change(document: dict[str, Any]) -> None:
        card(document)["rank"].update(maximum=15)
        card(document)["owner"].update(type=["string", "integer"])
        request_card(document)["note"].update(pattern="^x")

    assert [str(each) for each in breaks_after(change)] == [
        "`Card`: in an answer: rank need no longer have the maximum 14",
        "`Card`: in an answer: owner can now be {'type': 'integer'}",
        "`CardRequest`: in a request: note must now have the pattern ^x",
    ]


def test_a_shared_schema_is_named_once() -> None:
    found = breaks_after(lambda d: card(d).pop("rank"))
    assert found == [Break("Card", "in an answer: rank is gone")]


def test_only_the_heading_of_the_newest_version_states_breaks() -> None:
    changelog = """# Changelog

## 2.0.0

### Added

- `GET /tricks`

### Breaking

- `GET /cards` has no suit. `Card` neither.

### Changed

- `POST /cards`

## 1.0.0

### Breaking

- `PUT /cards`
"""
    assert stated_breaks(changelog) == {"GET /cards", "Card"}
    assert stated_breaks(changelog.replace("### Breaking", "### Broken")) == set()
