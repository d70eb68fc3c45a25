"""Records what the worker sends to an endpoint, one message for each type of event."""

import json
from collections.abc import Mapping
from typing import Any
from uuid import UUID

import pytest

from boards.bulk import unpublish_boards
from boards.collections.services import take_back
from config.api.examples import RECORDED_BASE_URL
from deals.events.feed import read_events
from deals.models import FeedEvent, WebhookEndpoint
from deals.webhooks import delivering
from tests.conformance.examples.table import vote_up
from tests.conformance.examples.world import NOW, PredictableIds, World, undone

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def record_webhooks(world: World, ids: PredictableIds) -> dict[str, Any]:
    """Have all types of events happen. Return an example of each message, as an operation of the document has it."""
    endpoint = WebhookEndpoint(url=f"{RECORDED_BASE_URL}/hooks", secret=SECRET)
    sent: dict[str, Any] = {}

    def receive(url: str, body: bytes, headers: Mapping[str, str]) -> int:
        message = json.loads(body)
        example = {"summary": "A message", "value": message}
        sent[f"POST {message['type']}"] = {
            "parameters": {name.lower(): headers[name] for name in headers if name.startswith("webhook-")},
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
            delivering.post_event(endpoint, event)
    return dict(sorted(sent.items()))
