"""What the OpenAPI document says of every operation."""

import json
import re
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from jsonschema_rs import Draft202012Validator

from boards.searching.filters import FILTERS
from config.api.schema_components import operations
from config.values.strict_json import dump_json
from tests.conformance.document import dereference, document

PATHS = document()["paths"]
OPERATIONS = [(path, method) for path, methods in PATHS.items() for method in methods]


VERBS = (
    *("add", "create", "delete", "export", "get", "import", "list", "publish", "receive", "remove", "request"),
    *("send", "set", "start", "stop", "summarize", "update"),
)


def test_every_operation_is_named_as_people_would_name_a_function() -> None:
    """Check that a view without `operation_id` is found: the library would name its operation boards_retrieve."""
    names = [operation["operationId"] for _, operation in operations(document())]
    assert len({name.lower() for name in names}) == len(names)
    assert [name for name in names if not re.fullmatch(rf"({'|'.join(VERBS)})([A-Z][a-z]+)+", name)] == []


def test_every_operation_names_its_errors_by_reference() -> None:
    for path, method in OPERATIONS:
        responses = PATHS[path][method]["responses"]
        assert responses.keys() >= {"400", "414", "500", "503"}, (path, method)
        refused = [each for status, each in responses.items() if int(status) >= HTTPStatus.BAD_REQUEST]
        assert all(each.keys() == {"$ref"} for each in refused), (path, method)
        schemas = [dereference(each)["content"]["application/json"]["schema"] for each in refused]
        assert all(schema == {"$ref": "#/components/schemas/Error"} for schema in schemas), (path, method)


def test_only_an_operation_with_a_body_names_the_refusals_of_bodies() -> None:
    for path, method in OPERATIONS:
        operation = PATHS[path][method]
        named = {"411", "413", "415"} & operation["responses"].keys()
        assert named == ({"411", "413", "415"} if "requestBody" in operation else set()), (path, method)


def test_the_document_is_small_enough_to_be_read_by_tools() -> None:
    """An assistant or a generator takes the whole of it. Errors and parameters that operations share are the bulk."""
    assert len(dump_json(document())) <= 280_000


def test_operations_that_have_a_limit_say_so_and_no_others() -> None:
    """Check that all but those of the deals have one (READ_RATE, WRITE_RATE)."""
    limited = {(path, method) for path, method in OPERATIONS if "429" in PATHS[path][method]["responses"]}
    assert limited == {each for each in OPERATIONS if not each[0].startswith("/api/deals")}


EXPORTS = ("/api/boards.pbn", "/api/boards.lin")


def test_operations_that_compare_if_match_say_so_and_no_others() -> None:
    """A vote and what a POST makes have no ETag, so that a condition is refused there: each change may be a 412."""
    named = json.dumps({"$ref": "#/components/parameters/If-Match"})
    operations = {(path, method): PATHS[path][method] for path, method in OPERATIONS}
    comparing = {name for name, operation in operations.items() if named in json.dumps(operation["parameters"])}
    refusing = {name for name, operation in operations.items() if "412" in operation["responses"]}
    assert refusing == comparing | {(path, method) for path, method in OPERATIONS if method != "get"}
    assert comparing == {
        (path, method)
        for path, method in OPERATIONS
        if method in ("patch", "delete")
        or (path, method) == ("/api/collections/{id}/boards/{boardId}", "put")
        or (method == "get" and path not in EXPORTS)
    }


def test_the_document_describes_the_tags_of_its_operations_and_no_others() -> None:
    described = document()
    used = {tag for path, method in OPERATIONS for tag in PATHS[path][method]["tags"]}
    assert {tag["name"] for tag in described["tags"]} == used | {"webhooks"}


def test_the_export_takes_filters_and_no_order() -> None:
    parameters, others = (PATHS[path]["get"]["parameters"] for path in EXPORTS)
    assert parameters == others
    names = {parameter["name"] for parameter in map(dereference, parameters) if parameter["in"] == "query"}
    assert names == {*FILTERS, "q", "ids", "collection"}


def request_schemas() -> dict[str, dict[str, Any]]:
    """Return the bodies of all operations by path and method, with those that stand inside them. Files are none."""
    components = document()["components"]["schemas"]
    found: dict[str, dict[str, Any]] = {}

    def follow(schema: Any, name: str) -> None:
        if isinstance(schema, list):
            for item in schema:
                follow(item, name)
        elif isinstance(schema, dict):
            if (component := schema.get("$ref", "").rpartition("/")[2]) and component not in found:
                found[component] = components[component]
                follow(components[component], component)
            for value in schema.values():
                follow(value, name)

    for path, method in OPERATIONS:
        content = PATHS[path][method].get("requestBody", {}).get("content", {})
        for media_type in ("application/json", "multipart/form-data"):
            follow(content.get(media_type, {}), f"{method} {path}")
    return {name: schema for name, schema in found.items() if schema.get("type") == "object"}


def test_every_json_body_says_that_it_takes_no_other_keys_and_no_answer_does() -> None:
    """Check that answers stay open: fields are added, and no client should refuse an answer for an unknown one."""
    components = document()["components"]["schemas"]
    closed = {name for name, schema in components.items() if schema.get("additionalProperties") is False}
    assert closed == request_schemas().keys() and len(closed) >= 10


def test_it_is_valid_openapi() -> None:
    from openapi_spec_validator import validate  # a second to import, for one test

    validate(document())


def test_the_description_of_an_operation_is_for_readers_and_not_for_programmers() -> None:
    said = {(path, method): PATHS[path][method]["description"] for path, method in OPERATIONS}
    assert [name for name, text in said.items() if re.search(r"→|GET /|`\w+\(\)`", text)] == []


def properties_below(node: Any, place: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every property of a schema in the document, with its place. Examples have no schemas of it."""
    if isinstance(node, list):
        for item in node:
            yield from properties_below(item, place)
    if not isinstance(node, dict):
        return
    for key, value in node.items():
        if key == "properties":
            yield from ((f"{place}.{name}", described) for name, described in value.items())
        if key not in ("example", "examples"):
            yield from properties_below(value, f"{place}/{key}")


def test_every_property_and_parameter_has_a_description() -> None:
    named = list(properties_below(document(), ""))
    for path, method in OPERATIONS:
        parameters = map(dereference, PATHS[path][method]["parameters"])
        named += [(f"{method} {path} {parameter['name']}", parameter) for parameter in parameters]
    assert len(named) > 300
    assert [name for name, value in named if not value.get("description")] == []


def test_every_component_that_operations_share_is_in_use() -> None:
    written = json.dumps(document())
    components = document()["components"]
    for section in ("examples", "headers", "parameters", "responses"):
        for name in components[section]:
            assert f'"#/components/{section}/{name}"' in written


def test_generated_clients_find_nothing_to_trip_over() -> None:
    """Hold what tests/system/clients has found: each of these is true otherwise too, but stops a generated client."""
    described = document()
    parameters = map(dereference, PATHS["/api/boards"]["get"]["parameters"])
    defaults = {each["name"] for each in parameters if "default" in each["schema"]}
    assert "page" not in defaults, "a client sends it beside `after`, and both together are refused"
    assert "format" not in described["components"]["parameters"]["X-Impersonation-Id"]["schema"]
    assert all(hook["post"]["operationId"] for hook in described["webhooks"].values())

    def choices(node: Any) -> Iterator[Any]:
        for value in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
            yield from choices(value)
        if isinstance(node, dict):
            yield from (node[key] for key in ("anyOf", "oneOf") if key in node)

    texts = [choice for choice in choices(described) if all(one.get("type") == "string" for one in choice)]
    assert texts == [], "some generators make a class of a choice between two texts"
    files = [path for path in PATHS if path.endswith((".pbn", ".lin", ".svg"))]
    for path in files:
        (answer,) = PATHS[path]["get"]["responses"]["200"]["content"].values()
        assert answer["schema"] == {"type": "string", "format": "binary"}


def test_a_choice_says_whether_it_may_be_blank_or_null() -> None:
    contract = document()["components"]["schemas"]["Contract"]["properties"]
    assert set(contract["doubled"]["enum"]) == {"", "X", "XX"}
    assert all({"type": "null"} in contract[name]["anyOf"] for name in ("declarer", "denomination"))


def test_a_new_deal_is_given_as_cards_or_as_hands() -> None:
    schemas = document()["components"]["schemas"]
    body = PATHS["/api/deals"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    choices = [each["$ref"].rpartition("/")[2] for each in schemas[body["$ref"].rpartition("/")[2]]["oneOf"]]
    assert [schemas[name]["required"] for name in choices] == [["cards"], ["hands"]]
    assert [sorted(schemas[name]["properties"]) for name in choices] == [["cards", "source"], ["hands", "source"]]


def test_ids_of_boards_are_uuids() -> None:
    (parameter,) = [p for p in PATHS["/api/voting"]["get"]["parameters"] if p.get("name") == "boardIds"]
    one, other = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", "6F9619FF-8B86-4D01-B42D-00CF4FC964FF"
    pattern = parameter["schema"]["pattern"]
    assert all(re.search(pattern, text) for text in ("", one, f"{one},{other}", f" {one}, {other},"))
    assert not any(re.search(pattern, text) for text in ("5", f"{one}{other}", one[:-1], f"{one} {other}"))


def test_an_answer_has_all_its_fields() -> None:
    schemas = document()["components"]["schemas"]
    answered = {name: schemas[name] for name in ("Hand", "Source", "Board")}
    assert '"default"' not in json.dumps(answered)
    assert '"readOnly"' not in json.dumps(schemas)
    missing = {name: schema["properties"].keys() - schema["required"] for name, schema in answered.items()}
    assert missing == {"Hand": set(), "Source": set(), "Board": {"ownVote"}}


def test_a_country_in_a_request_is_two_capital_letters() -> None:
    schemas = document()["components"]["schemas"]
    accepted = {"PatchedAccountRequest": {"NL", ""}, "OrganisationFormRequest": {"NL"}, "Account": {"NL", "", "nl"}}
    for name, codes in accepted.items():
        country = Draft202012Validator(schemas[name]["properties"]["country"])
        assert {code for code in ("NL", "nl", "NLD", "") if country.is_valid(code)} == codes


def test_every_patch_needs_its_body() -> None:
    patches = [PATHS[path][method]["requestBody"]["required"] for path, method in OPERATIONS if method == "patch"]
    assert all(patches) and len(patches) >= 4


def test_flags_of_the_import_are_booleans_with_a_default() -> None:
    parameters = {each.get("name"): each for each in PATHS["/api/deals/import"]["post"]["parameters"]}
    flags = [parameters[name]["schema"] for name in ("publish", "atomic")]
    assert flags == [{"type": "boolean", "default": False}] * 2


def test_the_refusal_of_the_deals_is_about_the_key() -> None:
    responses = [PATHS[p][m]["responses"]["401"] for p, m in OPERATIONS if p.startswith("/api/deals")]
    assert len(responses) >= 10
    assert all(each == {"$ref": "#/components/responses/InvalidApiKey"} for each in responses)
    description = document()["components"]["responses"]["InvalidApiKey"]["description"]
    assert "`invalid_api_key`" in description and "token" not in description
