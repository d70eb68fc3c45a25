"""Generated clients have every operation of the document, pass a strict type check, and can use the whole service."""

import json
from pathlib import Path

import pytest

from tests.system.clients.generators import GENERATORS, Generator, Workshop
from tests.system.clients.service import Service

STEPS = [
    "pages",
    "cursors",
    "own votes",
    "vote",
    "collect",
    "me",
    "edit",
    "import a file",
    "import a form",
    "publish",
    "pbn",
    "svg",
    "impersonate",
    "stop",
    "form",
    "errors",
]


@pytest.mark.parametrize("generator", GENERATORS, ids=lambda generator: generator.name)
def test_a_generated_client_tells_the_whole_story(
    generator: Generator, running_service: Service, tmp_path: Path
) -> None:
    document = json.loads(running_service.document.read_text(encoding="utf-8"))
    workshop = Workshop(generator, tmp_path)
    assert workshop.generate(running_service.document) == []
    assert workshop.find_dropped(document) == set()
    workshop.check_types()
    assert workshop.tell_story(running_service.story_environment(generator.name)) == STEPS


def test_a_dropped_operation_and_a_warning_are_seen(running_service: Service, tmp_path: Path) -> None:
    """Give a generator a document that it cannot follow. Else the test above might pass whatever is generated."""
    document = json.loads(running_service.document.read_text(encoding="utf-8"))
    broken = json.loads(json.dumps(document))
    broken["paths"]["/api/boards/{id}.pbn"]["get"]["parameters"] = []
    path = tmp_path / "openapi.json"
    path.write_text(json.dumps(broken), encoding="utf-8")
    workshop = Workshop(GENERATORS[0], tmp_path / "workshop")
    assert workshop.generate(path) != []
    assert workshop.find_dropped(document) == {"getBoardsByIdPbn"}
