"""The OpenAPI document names every webhook, and what is sent is as it says."""

import pytest
from jsonschema_rs import Draft202012Validator

from config.values.strict_json import dump_json, parse_json
from deals.models import FeedEvent
from deals.webhooks.serializers import WebhookSerializer
from tests import factories
from tests.conformance.document import document
from voting.models import Vote
from voting.services import cast_vote

pytestmark = pytest.mark.django_db


def test_the_document_has_a_webhook_for_each_type_of_event() -> None:
    assert document()["webhooks"].keys() == set(FeedEvent.Type.values)


def test_what_is_sent_is_valid() -> None:
    board, draft = factories.board(), factories.board(published=False)
    cast_vote(account=factories.account(), board_id=board.pk, value=Vote.Value.UP)
    FeedEvent.objects.create(type=FeedEvent.Type.DEAL_ANALYSED, deal_id=draft.deal_id)
    described = document()
    events = list(FeedEvent.objects.all())
    assert {event.type for event in events} == {"board.published", "board.votes_changed", "deal.analysed"}
    for event in events:
        operation = described["webhooks"][event.type]["post"]
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        validator = Draft202012Validator({**schema, "components": described["components"]})
        validator.validate(parse_json(dump_json(WebhookSerializer(event).data)))
        assert not validator.is_valid({"type": "nonsense"})
