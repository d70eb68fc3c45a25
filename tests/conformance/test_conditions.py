"""No operation of the document that changes something ignores a condition, whatever it changes (RFC 9110 §13.1)."""

from typing import Any

import pytest

from tests.answers import assert_error
from tests.conformance.examples.recording import Recorder
from tests.conformance.examples.refusals import ANOTHER_ETAG, with_header
from tests.conformance.examples.table import all_operations
from tests.conformance.examples.world import fixed_world


@pytest.mark.django_db
def test_no_change_is_made_whose_condition_is_false_or_not_compared(settings: Any, subtests: pytest.Subtests) -> None:
    with fixed_world(settings) as (world, ids):
        recorder, table = Recorder(world, ids), all_operations(world)
        changes = {name: operation.accepted[0] for name, operation in table.items() if not name.startswith("GET ")}
        assert len(changes) > 20
        for name, call in changes.items():
            with subtests.test(name):
                assert recorder.send(name, call).status_code < 300
                for header, value in (("If-Match", ANOTHER_ETAG), ("If-None-Match", "*"), ("If-None-Match", '"x"')):
                    response = recorder.send(name, with_header(header, value)(call, world))
                    assert_error(response, 412, "precondition_failed")
