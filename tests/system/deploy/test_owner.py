"""The owner of the database's tables signs in to migrate and to back up, and no other process can."""

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.system.deployment import ROOT

DEPLOY = ROOT / "deploy"
EXAMPLES = {
    ".env": ".env.example",
    ".env.owner": ".env.owner.example",
    "/etc/bridge-boards/env": ".env.example",
    "/etc/bridge-boards/env.owner": ".env.owner.example",
}
"""The examples of the files that an operator writes."""
OWNER_S = re.compile(r"POSTGRES_PASSWORD|//boards:")
"""The password of `boards`, by its name or as what stands for it, and an address with that user."""


def example(name: str) -> dict[str, str]:
    """Return what an operator's file can set, with what the example has commented out."""
    path = DEPLOY / EXAMPLES[name]
    return dict(re.findall(r"^#? ?([A-Z_]+)=(.*)$", path.read_text(encoding="utf-8"), re.MULTILINE))


def of_container(service: dict[str, Any]) -> dict[str, str]:
    """Return the environment of a container. Compose fills in ${NAME} from .env, and the last of its files wins."""
    files = service.get("env_file", [])
    variables: dict[str, str] = {}
    for name in [files] if isinstance(files, str) else files:
        variables |= example(name)
    for name, value in service.get("environment", {}).items():
        variables[name] = re.sub(r"\$\{(\w+)[^}]*\}", lambda match: example(".env")[match[1]], value)
    return variables


def of_unit(unit: Path) -> dict[str, str]:
    """Return the environment of a unit of systemd, where the last file wins too."""
    text = unit.read_text(encoding="utf-8")
    variables: dict[str, str] = {}
    for name in re.findall(r"^EnvironmentFile=(\S+)$", text, re.MULTILINE):
        variables |= example(name)
    for line in re.findall(r"^Environment=(.+)$", text, re.MULTILINE):
        variables |= dict(pair.split("=", 1) for pair in line.split())
    return variables


@pytest.fixture
def environments() -> dict[str, dict[str, str]]:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"]
    containers = {f"container {name}": of_container(service) for name, service in services.items()}
    return containers | {unit.name: of_unit(unit) for unit in sorted((DEPLOY / "systemd").glob("*.service"))}


def test_the_owner_s_password_reaches_the_database_migrations_and_the_backup_alone(
    environments: dict[str, dict[str, str]],
) -> None:
    owners = {
        each: sorted(name for name, value in variables.items() if OWNER_S.search(f"{name}={value}"))
        for each, variables in environments.items()
    }
    password, address = "POSTGRES_PASSWORD", "DATABASE_URL"
    assert {each: names for each, names in owners.items() if names} == {
        "container postgresql": [address, password],
        "container migrate": [address, password],
        "container backup": [address, password],
        "bridge-boards-migrate.service": [address, password],
        "bridge-boards-backup.service": [address, password],
    }


def test_all_else_connects_as_the_role_that_owns_nothing(environments: dict[str, dict[str, str]]) -> None:
    containers = {"container web", "container worker", "container prune"}
    for each in {*containers, "bridge-boards.service", "bridge-boards-worker.service", "bridge-boards-prune.service"}:
        assert environments[each]["DATABASE_URL"].startswith("postgres://boards_service:"), each
        assert environments[each]["DATABASE_POOLED"] == "true", each
    for each in ("container migrate", "bridge-boards-migrate.service"):
        assert environments[each]["DATABASE_URL"].startswith("postgres://boards:"), each
        assert environments[each]["DATABASE_POOLED"] == "false", each
        assert set(environments[each]) >= set(environments["container web"]), "the other settings are the service's"


def test_the_service_s_user_sees_no_process_of_the_owner_s() -> None:
    """Linux shows the environment of a process to its user, and its command line to all without ProtectProc."""
    users = defaultdict(set)
    for unit in (DEPLOY / "systemd").glob("*.service"):
        text = unit.read_text(encoding="utf-8")
        assert "\nProtectProc=invisible\n" in text, unit.name
        (user,) = re.findall(r"^User=(\S+)$", text, re.MULTILINE)
        users[user].add(unit.stem.removeprefix("bridge-boards").removeprefix("-") or "web")
    assert users == {"bridge-boards": {"web", "worker", "prune"}, "bridge-boards-owner": {"migrate", "backup"}}
