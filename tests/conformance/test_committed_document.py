"""The OpenAPI document that is committed is today's."""

import json

from django.conf import settings

from config.api.examples import RECORDED_BASE_URL
from config.api.openapi import openapi_document
from tests.conformance.document import COMMITTED


def test_the_committed_document_is_todays() -> None:
    text = json.dumps(openapi_document()).replace(settings.PUBLIC_BASE_URL, RECORDED_BASE_URL)
    committed = json.loads(COMMITTED.read_text(encoding="utf-8"))
    assert json.loads(text) == committed, "Run python3 dev.py openapi."
