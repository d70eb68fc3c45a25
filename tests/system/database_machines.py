"""The files of deploy/fail-over/ for three machines that are addresses of one: 127.x.y.1 to 127.x.y.3."""

import random
import re
from pathlib import Path

from tests.system.deployment import ROOT
from tests.system.postgresql_servers import binaries

KIT = ROOT / "deploy" / "fail-over"
PASSWORD = "password-of-a-test"


class Network:
    """A network of loopback addresses, drawn so that two runs at once do not meet."""

    def __init__(self) -> None:
        self.prefix = f"127.{random.randint(1, 254)}.{random.randint(0, 254)}."

    def machine(self, number: int) -> str:
        return f"{self.prefix}{number}"

    def of_machine(self, file: str, number: int, folder: Path) -> str:
        """Return a file of the kit for a machine. Fail where something to replace is not there."""
        replacements = {
            "patroni.yml": {
                "/var/lib/postgresql/15/boards": f"{folder}/data",
                "/usr/lib/postgresql/15/bin": str(binaries()),
                "/var/run/postgresql": str(folder),
                # Connections within a machine come from 127.0.0.1.
                r"10\.0\.0\.0/24": "127.0.0.0/8",
                r"[A-Z]+_PASSWORD": PASSWORD,
            },
            "etcd.env": {"/var/lib/etcd/boards": f"{folder}/etcd"},
        }
        named = {"MACHINE": f"db{number}", "ADDRESS": self.machine(number)}
        return replaced(file, replacements[file] | named | {r"10\.0\.0\.": self.prefix})

    def haproxy(self, port: int) -> str:
        """Return haproxy's configuration, which listens at a port of 127.0.0.1."""
        return replaced("haproxy.cfg", {"127.0.0.1:5000": f"127.0.0.1:{port}", r"10\.0\.0\.": self.prefix})


def replaced(file: str, replacements: dict[str, str]) -> str:
    text = (KIT / file).read_text(encoding="utf-8")
    for pattern, replacement in replacements.items():
        text, count = re.subn(pattern, replacement, text)
        assert count, pattern
    return text


def variables(text: str) -> dict[str, str]:
    """Return the variables of an environment file."""
    return dict(re.findall(r"^([A-Z0-9_]+)=(.*)$", text, re.MULTILINE))
