"""The webhooks in the OpenAPI document: one for each type of event."""

from typing import Any

from drf_spectacular.utils import OpenApiWebhook

from deals.models import FeedEvent

SUMMARIES = {
    FeedEvent.Type.DEAL_IMPORTED: "A deal was stored for the first time.",
    FeedEvent.Type.DEAL_ANALYSED: "The double dummy and the par of a deal were stored.",
    FeedEvent.Type.BOARD_PUBLISHED: "A board can be read by everybody from now on.",
    FeedEvent.Type.BOARD_CHANGED: "A published board has changed.",
    FeedEvent.Type.BOARD_UNPUBLISHED: "A board was unpublished or deleted.",
    FeedEvent.Type.BOARD_VOTES_CHANGED: "The totals of a board's votes have changed.",
    FeedEvent.Type.COLLECTION_PUBLISHED: "A member's collection of boards was made public.",
    FeedEvent.Type.COLLECTION_UNPUBLISHED: "A collection is no longer public, or was deleted.",
}
HEADERS = {
    "webhook-id": "The id of the event. It is the same when the event is sent again.",
    "webhook-timestamp": "When the request was made, in seconds since 1970. Refuse one that is minutes old.",
    "webhook-signature": "Signatures by Standard Webhooks, separated by spaces: v1,… One of them must match.",
}


def describe(event_type: FeedEvent.Type) -> dict[str, Any]:
    """Return the operation that an endpoint offers. Its body is that of deals.webhooks.delivering."""
    body = {
        "type": "object",
        "required": ["type", "timestamp", "id", "data"],
        "properties": {
            "type": {"const": event_type.value, "description": "What happened."},
            "timestamp": {"type": "string", "format": "date-time", "description": "When it happened."},
            "id": {"type": "string", "description": "The id of the event in the feed."},
            "data": {"$ref": "#/components/schemas/EventData", "description": "What the event is about."},
        },
    }
    return {
        "operationId": "receive" + event_type.name.title().replace("_", ""),
        "summary": SUMMARIES[event_type],
        "description": "The service posts this to each endpoint that its admins have added for such events, in the"
        " order of the feed. Check the signature before you trust the body.",
        "security": [],
        "tags": ["webhooks"],
        "parameters": [
            {"in": "header", "name": name, "required": True, "schema": {"type": "string"}, "description": description}
            for name, description in HEADERS.items()
        ],
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        "responses": {
            "2XX": {"description": "The event is accepted. The next one may follow."},
            "410": {"description": "The endpoint is gone and gets no more events."},
            "default": {"description": "The event is sent again later, and the next ones wait for it."},
        },
    }


WEBHOOKS = [OpenApiWebhook(event_type.value, {"post": describe(event_type)}) for event_type in FeedEvent.Type]
