"""Requests that schemathesis makes from the document, valid ones and invalid ones, with all its checks.

`pytest tests/system/test_generated_requests.py --generated-cases 100` makes more of them.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.conf import settings
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, assume, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import response_schema_conformance

from accounts.models import Account
from boards.collections.services import CollectionEntry, Texts, create_collection
from boards.models import Board
from config import paths
from config.api.openapi import openapi_document
from config.edge.limits import exports
from tests import factories
from tests.conformance.plugin import HELD
from tests.conftest import token_of

# A valid request may be refused for what no schema can say: the rules of bridge, ids that do not exist, an If-Match.
REFUSALS = ["400", "401", "403", "404", "409", "412"]
CONFIG = SchemathesisConfig.from_dict(
    {
        "checks": {"positive_data_acceptance": {"expected-statuses": ["2xx", "304", *REFUSALS]}},
        # Unknown query parameters are ignored on purpose: they are not a contradiction.
        "generation": {"allow-extra-parameters": False},
    }
)


def load_schema(mode: GenerationMode) -> Any:
    """Return the document as schemathesis reads it, served in this process.

    Invalid requests are made without regard to credentials: a header that it leaves out is sent all the same.
    """
    document = json.loads(json.dumps(openapi_document()))
    if mode is GenerationMode.NEGATIVE:
        for item in document["paths"].values():
            for operation in item.values():
                operation.pop("security", None)
    schema = schemathesis.openapi.from_dict(document, config=CONFIG)
    schema.app = get_wsgi_application()
    schema.config.update(base_url="http://testserver")
    return schema


@pytest.fixture
def stored_ids(reference_data: None) -> dict[str, str]:
    """Store the demonstration, and return an id that exists for each parameter of a path."""
    call_command("load_demonstration", verbosity=0)
    board = Board.objects.published().first()
    assert board is not None
    admin = factories.account("admin", role="admin")
    collection, _ = create_collection(owner=admin, texts=Texts("A lesson"), places=[CollectionEntry(board.pk)])
    ids = {"themes": board.themes.first().pk, "accounts": board.owner_id, "collections": collection.pk}
    ids |= dict.fromkeys(("boards", "boardId"), board.pk) | dict.fromkeys(("deals", "dealId"), board.deal_id)
    ids["slug"] = board.event_slug
    return {name: str(key) for name, key in ids.items()}


@pytest.fixture
def _kept_connection(db: None) -> Iterator[None]:
    """Keep the connection of the test's transaction, as Django's own client does: the application would close it."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.usefixtures("_kept_connection")
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_the_service_keeps_to_its_document(
    mode: GenerationMode, stored_ids: dict[str, str], request: pytest.FixtureRequest
) -> None:
    token = token_of(Account.objects.get(pk="admin"))
    cases = request.config.getoption("--generated-cases")
    failures = []
    for operation in (result.ok() for result in load_schema(mode).get_all_operations()):
        try:
            send_generated(operation, mode, cases, stored_ids, token)
        except (AssertionError, FailureGroup) as failure:
            failures.append(f"{operation.label}: {failure}")
    assert not failures, "\n\n".join(failures)


def send_generated(operation: Any, mode: GenerationMode, cases: int, stored_ids: dict[str, str], token: str) -> None:
    """Send requests of one operation. Half of the valid ones name things that exist."""
    is_for_services = paths.is_under(operation.path, paths.DEALS)
    headers = {"X-API-Key": settings.API_KEY} if is_for_services else {"Authorization": f"Bearer {token}"}
    collection = operation.path.rpartition("/{id}")[0].rpartition("/")[2]

    @hypothesis_settings(
        max_examples=cases,
        database=None,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode), exists=st.booleans())
    def send(case: Any, exists: bool) -> None:
        # Werkzeug leaves out the line break after an empty field of a form, so that no server can read the field.
        is_form = case.media_type == "multipart/form-data" and isinstance(case.body, dict)
        assume(not (is_form and "" in case.body.values()))
        if exists and mode is GenerationMode.POSITIVE:
            for name in case.path_parameters or {}:
                case.path_parameters[name] = stored_ids[collection if name == "id" else name]
        HELD["generated requests"] += 1
        exports.permits.running.clear()  # Werkzeug's client closes no stream before it is garbage.
        # No schema can say that `fields` leaves out what is required else (tests.conformance holds these answers).
        excluded = [response_schema_conformance] if "fields" in (case.query or {}) else []
        case.call_and_validate(headers=headers, excluded_checks=excluded)

    send()
