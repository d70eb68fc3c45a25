"""Generated clients have every operation of the document, pass a strict type check, and can use the whole service."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import requests

from bridge.formats.pbn.writer import HEADER, write_pbn
from tests import factories
from tests import identity_provider as idp
from tests.system import deployment
from tests.system.clients.generators import GENERATORS, Generator, Workshop
from tests.system.guides.service import FILL


@dataclass(frozen=True)
class Service:
    url: str
    api_key: str
    document: Path
    file: Path

    def story_environment(self, member: str) -> Mapping[str, str]:
        """Return what a story reads from its environment. Each story has a member of its own."""
        return {
            "BASE_URL": self.url,
            "API_KEY": self.api_key,
            "MEMBER": member,
            "MEMBER_TOKEN": idp.encode(idp.claims(sub=member)),
            "SUPPORT_TOKEN": idp.encode(idp.claims(sub="support")),
            "PBN_FILE": str(self.file),
            "NO_PROXY": "127.0.0.1",
        }


@contextmanager
def running(folder: Path) -> Iterator[Service]:
    """Run a service with its database in the folder. Its OpenAPI document and a file to import are stored there too."""
    with idp.running() as provider:
        database = f"sqlite:///{folder / 'db.sqlite3'}"
        # The limits are those of a service whose operator sets none.
        environment = deployment.of(database, f"{provider.url}/jwks", READ_RATE="1200/m", WRITE_RATE="600/m")
        deployment.python(environment, "-c", FILL)
        document, file = folder / "openapi.json", folder / "boards.pbn"
        record = factories.record(calls="1NT Pass Pass Pass", tricks=7)
        file.write_text(HEADER + write_pbn(record), encoding="utf-8", newline="")
        with deployment.gunicorn(environment) as port:
            url = f"http://127.0.0.1:{port}"
            document.write_bytes(requests.get(f"{url}/api/openapi.json", timeout=60).content)
            yield Service(url, environment["API_KEY"], document, file)


STEPS = [
    *("pages", "cursors", "own votes", "vote", "collected boards", "collect", "me", "edit"),
    *("import a file", "import a form", "publish", "pbn", "svg", "impersonate", "stop", "form", "errors"),
]


@pytest.fixture(scope="session")
def running_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("service")) as service:
        yield service


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
    text = running_service.document.read_text(encoding="utf-8")
    document, broken = json.loads(text), json.loads(text)
    broken["paths"]["/api/boards/{id}.pbn"]["get"]["parameters"] = []
    path = tmp_path / "openapi.json"
    path.write_text(json.dumps(broken), encoding="utf-8")
    workshop = Workshop(GENERATORS[0], tmp_path / "workshop")
    assert workshop.generate(path) != []
    assert workshop.find_dropped(document) == {"getBoardAsPbn"}
