"""Plays the table of requests on the fixed world, has webhooks sent, and gives back what examples.json has."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any
from uuid import UUID

import pytest
from django.http import HttpResponse
from django.test.client import Client

from boards.collections.services import take_back
from boards.services.bulk import unpublish_boards
from config.api.negotiation import NdjsonRenderer
from config.api.schema_components import RECORDED_BASE_URL, operations
from deals.events.feed import read_events
from deals.models import FeedEvent, WebhookEndpoint
from deals.webhooks import delivering
from tests.conformance.document import dereference, document, read_text
from tests.conformance.examples.calls import JSON, Call, Operation
from tests.conformance.examples.refusals import CHANGES, bring_about
from tests.conformance.examples.table import all_operations, vote_up
from tests.conformance.examples.world import NOW, PredictableIds, World, fixed_world, undone
from tests.factories import NOBODYS_ID


def record(settings: Any) -> dict[str, Any]:
    """Return the examples of every operation of the document, of each error, and of the headers of answers."""
    with fixed_world(settings) as (world, ids):
        recorder = Recorder(world, ids)
        table = all_operations(world)
        described = dict(operations({"paths": document()["paths"]}))
        assert table.keys() == described.keys(), "mend tests/conformance/examples/table.py"
        recorded = {name: recorder.record(name, table[name], described[name]) for name in described}
        recorded |= record_webhooks(world, ids)
    return {
        "headers": dict(sorted(recorder.headers.items())),
        "errors": dict(sorted(recorder.errors.items())),
        "operations": recorded,
    }


SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def record_webhooks(world: World, ids: PredictableIds) -> dict[str, Any]:
    """Have all types of events happen. Return an example of each message, as an operation of the document has it."""
    endpoint = WebhookEndpoint(url=f"{RECORDED_BASE_URL}/hooks", secret=SECRET)
    sent: dict[str, Any] = {}

    def receive(url: str, body: bytes, headers: Mapping[str, str]) -> int:
        message = json.loads(body)
        example = {"summary": "A message", "value": message}
        sent[f"POST {message['type']}"] = {
            "request": {headers["Content-Type"]: {"a_message": example}},
            "answers": {},
        }
        return 204

    with undone(ids), pytest.MonkeyPatch.context() as patch:
        patch.setattr(delivering, "post", receive)
        vote_up(patch)
        FeedEvent.objects.update(created_at=NOW)  # PostgreSQL tells the moment of a vote by its own clock
        page = read_events(after=None, limit=100)
        unpublish_boards([UUID(world.board)])
        take_back(UUID(world.collection))
        for event in [*page.events, *read_events(after=page.position, limit=100).events]:
            delivering.post_message(endpoint, event.cursor, delivering.body_of(event))
    return dict(sorted(sent.items()))


def error_codes(operation: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the status and the code of each error that an operation documents."""
    for status, response in operation["responses"].items():
        if int(status) >= HTTPStatus.BAD_REQUEST:
            yield from ((status, code) for code in dereference(response)["content"][JSON]["examples"])


@dataclass
class Recorder:
    """Sends requests and remembers the first answer of each error, and the first value of each described header."""

    world: World
    ids: PredictableIds
    headers: dict[str, Any] = field(default_factory=dict)
    errors: dict[str, Any] = field(default_factory=dict)

    def record(self, name: str, operation: Operation, described: Mapping[str, Any]) -> dict[str, Any]:
        """Return the examples of one operation: bodies and answers. Provoke each error that it documents."""
        examples: dict[str, Any] = {"request": {}, "answers": {}}
        for call in operation.accepted:
            response = self.send(name, call)
            assert response.status_code < HTTPStatus.BAD_REQUEST, (name, call.summary, response.content)
            keep_request(examples, call)
            keep_answer(examples, call, response)
        for status, code in error_codes(described):
            response = self.send(name, refuse(code, described, operation, self.world), code)
            body = json.loads(response.content)
            assert (response.status_code, body.get("code")) == (int(status), code), (name, code, body)
            self.errors.setdefault(code, {"value": body})
        return examples

    def send(self, name: str, call: Call, code: str = "") -> HttpResponse:
        """Send a request, and take back what it has stored."""
        method, _, template = name.partition(" ")
        client = Client(raise_request_exception=False)
        with undone(self.ids), pytest.MonkeyPatch.context() as patch:
            times = bring_about(code, patch)
            call.prepare(patch)
            for _ in range(times):
                response = call.send(method, template, client)
        for header in document()["components"]["headers"]:
            if header in response:
                pointer = ("components", "headers", header, "schema")
                self.headers.setdefault(header, read_text(pointer, response[header]))
        return response


def keep_request(examples: dict[str, Any], call: Call) -> None:
    if call.body is not None:
        example = {"summary": call.summary, "value": call.body}
        examples["request"].setdefault(call.media_type, {})[call.name] = example


def refuse(code: str, described: Mapping[str, Any], operation: Operation, world: World) -> Call:
    """Return the first accepted request, changed so that the service refuses it with a code."""
    call = operation.accepted[0]
    if code in operation.refused:
        return replace(call, **operation.refused[code])
    if code in CHANGES:
        call = CHANGES[code](call, world)
    if code == "not_authenticated" and {} in described["security"]:
        call = replace(call, headers={**call.headers, "X-Impersonation-Id": NOBODYS_ID})
    return call


def keep_answer(examples: dict[str, Any], call: Call, response: HttpResponse) -> None:
    """Keep the first answer of each status and type."""
    media_type = response.get("Content-Type", "").partition(";")[0]
    text = response.getvalue().decode()
    if not text:
        return
    if media_type == NdjsonRenderer.media_type:
        text = text.splitlines()[0]
    value = json.loads(text) if media_type.endswith("json") else text
    content = examples["answers"].setdefault(str(response.status_code), {})
    content.setdefault(media_type, {call.name: {"summary": call.summary, "value": value}})
