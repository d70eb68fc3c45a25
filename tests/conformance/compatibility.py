"""Whether programs that were written by an older OpenAPI document still work by a newer one.

What a request may have must not become less, and what an answer may have must not become more. Answers are open: a new
property breaks nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.conformance.schema_changes import Direction, Follow, Schema, SchemaComparison, resolve

PLACES: dict[Direction, str] = {"answer": "in an answer", "request": "in a request"}


@dataclass(frozen=True)
class Break:
    """A change that older programs do not survive. `where` names the operation, the webhook or the schema."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"`{self.where}`: {self.what}"


def find_breaks(old: Schema, new: Schema) -> list[Break]:
    """Return the incompatible changes between two documents, each schema that they share only once."""
    return list(dict.fromkeys(Comparison(old, new).breaks()))


@dataclass
class Comparison:
    old: Schema
    new: Schema
    compared: set[tuple[Follow, Direction]] = field(default_factory=set)

    def breaks(self) -> Iterator[Break]:
        for path, item in self.old["paths"].items():
            for method, operation in item.items():
                name = f"{method.upper()} {path}"
                if (now := self.new["paths"].get(path, {}).get(method)) is None:
                    yield Break(name, "it is gone")
                else:
                    yield from self.compare_operations(name, operation, now)
        for name, item in self.old.get("webhooks", {}).items():
            now = self.new.get("webhooks", {}).get(name)
            if now is None:
                yield Break(name, "it is gone")
            else:
                yield from self.compare_content(
                    name, "body", item["post"]["requestBody"], now["post"]["requestBody"]
                )

    def compare_operations(self, name: str, old: Schema, new: Schema) -> Iterator[Break]:
        if old["operationId"] != new["operationId"]:
            yield Break(name, f"operationId {old['operationId']} is now {new['operationId']}")
        for choice in old.get("security", []):
            if choice not in new.get("security", []):
                yield Break(
                    name, f"the credentials {' and '.join(choice) or 'of nobody'} are no longer enough"
                )
        yield from self.compare_parameters(name, old, new)
        yield from self.compare_bodies(name, old.get("requestBody"), new.get("requestBody"))
        for status, answer in old["responses"].items():
            if (now := new["responses"].get(status)) is None:
                yield Break(name, f"the answer {status} is gone")
                continue
            yield from self.compare_content(name, f"the answer {status}", answer, now)
            yield from self.compare_headers(name, status, answer, now)

    def compare_parameters(self, name: str, old: Schema, new: Schema) -> Iterator[Break]:
        before, now = parameters_of(old, self.old), parameters_of(new, self.new)
        for place, parameter in before.items():
            if place not in now:
                yield Break(name, f"the {' parameter '.join(place)} is gone")
                continue
            what = f"the {' parameter '.join(place)}"
            for key in ("style", "explode"):
                if parameter.get(key) != now[place].get(key):
                    yield Break(name, f"{what} has another {key}")
            yield from self.compare_schemas(name, what, parameter["schema"], now[place]["schema"], "request")
        for place, parameter in now.items():
            if parameter.get("required") and not before.get(place, {}).get("required"):
                yield Break(name, f"the {' parameter '.join(place)} is required now")

    def compare_bodies(self, name: str, old: Schema | None, new: Schema | None) -> Iterator[Break]:
        if new and new.get("required") and not (old and old.get("required")):
            yield Break(name, "a body is required now")
        for media_type, media in (old or {}).get("content", {}).items():
            now = (new or {}).get("content", {}).get(media_type)
            if now is None:
                yield Break(name, f"a body of {media_type} is no longer taken")
            else:
                yield from self.compare_schemas(name, "the body", media["schema"], now["schema"], "request")

    def compare_content(self, name: str, what: str, old: Schema, new: Schema) -> Iterator[Break]:
        """Compare what the service sends: an answer, or the body of a webhook."""
        for media_type, media in old.get("content", {}).items():
            now = new.get("content", {}).get(media_type)
            if now is None:
                yield Break(name, f"{what} is no longer {media_type}")
            else:
                yield from self.compare_schemas(name, what, media["schema"], now["schema"], "answer")

    def compare_headers(self, name: str, status: str, old: Schema, new: Schema) -> Iterator[Break]:
        for header, described in old.get("headers", {}).items():
            what = f"the header {header} of the answer {status}"
            if header not in new.get("headers", {}):
                yield Break(name, f"{what} is gone")
                continue
            before, now = resolve(described, self.old), resolve(new["headers"][header], self.new)
            if before.get("required") and not now.get("required"):
                yield Break(name, f"{what} may be absent now")
            yield from self.compare_schemas(name, what, before["schema"], now["schema"], "answer")

    def compare_schemas(
        self, where: str, what: str, old: Schema, new: Schema, direction: Direction
    ) -> Iterator[Break]:
        """Compare two schemas, and each component below them once, under the component's own name."""
        comparison = SchemaComparison(self.old, self.new, direction)
        pending = [(where, what, old, new)]
        while pending:
            where, what, old, new = pending.pop()
            for change in comparison.compare(old, new):
                if isinstance(change, str):
                    yield Break(where, f"{what}: {change}")
                elif (change, direction) not in self.compared:
                    self.compared.add((change, direction))
                    sides = (
                        document["components"]["schemas"][change.name] for document in (self.old, self.new)
                    )
                    pending.append((change.name, PLACES[direction], *sides))


def parameters_of(operation: Schema, document: Schema) -> dict[tuple[str, str], Schema]:
    """Return the parameters by place and name."""
    parameters = [resolve(parameter, document) for parameter in operation.get("parameters", ())]
    return {(parameter["in"], parameter["name"]): parameter for parameter in parameters}
