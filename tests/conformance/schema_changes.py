"""What has changed between two JSON Schemas so that a value which was fine is no longer fine.

Only the keywords are compared that the OpenAPI document has. Where it is unclear whether one schema is within another,
it counts as a change: a change that is none can be stated in CHANGELOG.md, and one that is missed breaks programs.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Schema = Mapping[str, Any]
Direction = Literal["request", "answer"]

MAXIMA = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
MINIMA = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
NOTATIONS = ("pattern", "format", "if", "then")
PREFIX = "#/components/"
VALUE = "the value"


@dataclass(frozen=True)
class Follow:
    """Both schemas refer to the component with this name. It is compared apart, once."""

    name: str


Change = str | Follow


def resolve(schema: Schema, document: Schema) -> Schema:
    """Return what a reference names, with what stands beside the reference."""
    if "$ref" not in schema:
        return schema
    section, _, name = schema["$ref"].removeprefix(PREFIX).partition("/")
    others = {key: value for key, value in schema.items() if key != "$ref"}
    return {**document["components"][section][name], **others}


def alternatives(schema: Schema) -> list[Schema]:
    """Return the schemas of which a value must match one: a list of types is taken apart, as are anyOf and oneOf."""
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            return [each for choice in schema[keyword] for each in alternatives(choice)]
    kinds = schema.get("type")
    if not isinstance(kinds, list):
        return [schema]
    apart: list[Schema] = []
    for kind in kinds:
        one = {**schema, "type": kind}
        if "enum" in schema:
            one["enum"] = [value for value in schema["enum"] if (value is None) == (kind == "null")]
        apart.append({"type": "null"} if kind == "null" else one)
    return apart


@dataclass(frozen=True)
class SchemaComparison:
    """A request may not be accepted less, an answer may not be more.

    So in a request what is valid by the old schema must be valid by the new one, and in an answer the other way round.
    Below, `narrow` is the schema whose values must all be valid by the one that is called `wide`.
    """

    old: Schema
    new: Schema
    direction: Direction

    def compare(self, old: Schema, new: Schema) -> Iterator[Change]:
        narrow, wide = (old, new) if self.direction == "request" else (new, old)
        yield from self.compare_sides(narrow, wide, "")

    @property
    def documents(self) -> tuple[Schema, Schema]:
        """Return the documents of the narrow and of the wide side."""
        return (self.old, self.new) if self.direction == "request" else (self.new, self.old)

    def compare_sides(self, narrow: Schema, wide: Schema, at: str) -> Iterator[Change]:
        """Yield why not every value of `narrow` is one of `wide`. `at` is the place of the value."""
        for one in alternatives(narrow):
            tried = [list(self.compare_one(one, other, at)) for other in alternatives(wide)]
            fitting = [found for found in tried if not any(isinstance(each, str) for each in found)]
            if fitting:
                yield from fitting[0]
            elif len(tried) == 1:
                yield from tried[0]
            else:
                can_be = "can no longer be" if self.direction == "request" else "can now be"
                yield f"{at or VALUE} {can_be} {describe(one)}"

    def compare_one(self, narrow: Schema, wide: Schema, at: str) -> Iterator[Change]:
        if "$ref" in narrow and narrow["$ref"] == wide.get("$ref"):
            yield Follow(narrow["$ref"].rpartition("/")[2])
            return
        narrow_document, wide_document = self.documents
        if "$ref" in narrow or "$ref" in wide:
            yield from self.compare_sides(resolve(narrow, narrow_document), resolve(wide, wide_document), at)
            return
        for rule in stricter_rules(narrow, wide):
            yield (
                f"{at or VALUE} must now have {rule}"
                if self.direction == "request"
                else (f"{at or VALUE} need no longer have {rule}")
            )
        yield from self.compare_objects(narrow, wide, at)
        if "items" in narrow and "items" in wide:
            yield from self.compare_sides(narrow["items"], wide["items"], f"{at}[]")

    def compare_objects(self, narrow: Schema, wide: Schema, at: str) -> Iterator[Change]:
        before, now = (narrow, wide) if self.direction == "request" else (wide, narrow)
        changed = "is required now" if self.direction == "request" else "may be absent now"
        for name in before.get("properties", {}):
            if name not in now.get("properties", {}):
                yield f"{join(at, name)} is gone"
        for name in wide.get("required", ()):
            # In an answer, one that is gone was named above.
            if name not in narrow.get("required", ()) and name in now.get("properties", {}):
                yield f"{join(at, name)} {changed}"
        for name, described in narrow.get("properties", {}).items():
            if name in wide.get("properties", {}):
                yield from self.compare_sides(described, wide["properties"][name], join(at, name))
        yield from self.compare_other_keys(narrow, wide, at)

    def compare_other_keys(self, narrow: Schema, wide: Schema, at: str) -> Iterator[Change]:
        narrow_others, wide_others = (side.get("additionalProperties", True) for side in (narrow, wide))
        if wide_others is False and narrow_others is not False:
            yield f"{at or VALUE} takes no other keys now"
        elif isinstance(wide_others, Mapping) and isinstance(narrow_others, Mapping):
            yield from self.compare_sides(narrow_others, wide_others, join(at, "*"))


def join(at: str, name: str) -> str:
    return f"{at}.{name}" if at else name


def describe(schema: Schema) -> str:
    kept = {key: schema[key] for key in ("$ref", "type", "enum", "const", *NOTATIONS) if key in schema}
    return str(kept or "anything")


def stricter_rules(narrow: Schema, wide: Schema) -> Iterator[str]:
    """Yield the rules of `wide` about a value by itself that `narrow` does not have, or has less strict."""
    kinds = (wide.get("type"), "integer" if wide.get("type") == "number" else wide.get("type"))
    if "type" in wide and narrow.get("type") not in kinds:
        yield f"the type {wide['type']}"
        return
    choices, allowed = choices_of(narrow), choices_of(wide)
    if allowed is not None and (choices is None or any(each not in allowed for each in choices)):
        yield f"one of the values {', '.join(map(str, allowed))}"
    if choices is None:
        yield from (f"the {keyword} {wide[keyword]}" for keyword in stricter_keywords(narrow, wide))


def stricter_keywords(narrow: Schema, wide: Schema) -> Iterator[str]:
    for keyword in NOTATIONS:
        if keyword in wide and narrow.get(keyword) != wide[keyword]:
            yield keyword
    for keyword in MAXIMA:
        if keyword in wide and narrow.get(keyword, float("inf")) > wide[keyword]:
            yield keyword
    for keyword in MINIMA:
        if keyword in wide and narrow.get(keyword, float("-inf")) < wide[keyword]:
            yield keyword


def choices_of(schema: Schema) -> list[Any] | None:
    return [schema["const"]] if "const" in schema else schema.get("enum")
