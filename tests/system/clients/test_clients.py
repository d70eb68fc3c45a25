"""The service of the stories: gunicorn with the demonstration boards, an identity provider, callers of each kind."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

from deals.bridge.formats.pbn.writer import HEADER, write_pbn
from tests import factories
from tests import identity_provider as idp
from tests.system import deployment

SUPPORT = "support"
PREPARE = """
import django
from django.core.management import call_command
django.setup()
call_command("migrate", verbosity=0)
call_command("load_reference_data", verbosity=0)
call_command("load_demonstration", verbosity=0)
call_command("create_staff", id="support", role="support", generated=True)
"""


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
            "SUPPORT_TOKEN": idp.encode(idp.claims(sub=SUPPORT)),
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
        subprocess.run(
            [sys.executable, "-c", PREPARE], cwd=deployment.ROOT, env=environment, check=True, stdout=subprocess.DEVNULL
        )
        with deployment.gunicorn(environment) as port:
            service = Service(
                url=f"http://127.0.0.1:{port}",
                api_key=environment["API_KEY"],
                document=folder / "openapi.json",
                file=folder / "boards.pbn",
            )
            with urlopen(f"{service.url}/api/openapi.json") as answer:
                service.document.write_bytes(answer.read())
            record = factories.record(calls="1NT Pass Pass Pass", tricks=7)
            service.file.write_text(HEADER + write_pbn(record), encoding="utf-8", newline="")
            yield service
