"""`dev.py sbom`: what the service is made of, under which licences, and which known faults that has.

Everything is written to var/sbom/: the SBOM (CycloneDX), the licences, and the archive of the checked-out commit.
"""

import hashlib
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tools.environment import LOCKS, PYTHON, ROOT, VAR, Command, call, ensure_environment, install, say

FOLDER = VAR / "sbom"
EXAMINED = LOCKS / "examined.sha256"
"""The hash of the lock files that this command has passed. `dev.py check` refuses others."""

PYPROJECT = ROOT / "pyproject.toml"
SERVICES = ("pypi", "osv")
CLASSIFIER = "License :: "
VALIDATE = """
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
sys.exit(str(JsonStrictValidator(SchemaVersion.V1_6).validate_str(sys.stdin.read()) or "") or 0)
"""
AS_COMMITTED = ["-c", "tar.umask=0002", "-c", "core.autocrlf=false", "-c", "core.eol=lf"]
"""What else git would take from the settings of the person who makes the archive."""

Json = dict[str, Any]


def sbom(arguments: Sequence[str]) -> int:
    """Write the SBOM and run tests/supply. Return 1 for a licence that is not allowed, a known fault and a failed test.

    With --audited, return 1 also when no database of faults answers for each package. Run this when requirements/ has
    changed: what has passed is noted there, and `dev.py check` looks for the note.
    """
    ensure_environment("test")
    failed = call([PYTHON, "-m", "pytest", "-q", "-n", "2", "tests/supply"], check=False).returncode
    if failed or examine("--audited" in arguments):
        return 1
    EXAMINED.write_text(f"{hash_of_locks()}\n", encoding="utf-8")
    return 0


def find_unexamined() -> str:
    """Say so when the lock files are others than those that `dev.py sbom` has passed."""
    examined = EXAMINED.read_text(encoding="utf-8").strip() if EXAMINED.exists() else ""
    return "" if examined == hash_of_locks() else "requirements/ has changed. Run python3 dev.py sbom."


def hash_of_locks() -> str:
    locks = sorted(LOCKS.glob("*.txt"))
    return hashlib.sha256(b"".join(lock.read_bytes() for lock in locks)).hexdigest()


def examine(must_be_audited: bool) -> int:
    """Write the SBOM. Return 1 for a licence that is not allowed, a known fault and, if it must, a missing audit."""
    tools, service = make_environment("supply"), make_environment("run")
    bom = make_sbom(tools, service)
    archive = archive_commit(ROOT, FOLDER)
    bom["metadata"]["component"]["hashes"] = [{"alg": "SHA-256", "content": hash_of(archive)}]
    text = json.dumps(bom, indent=1, sort_keys=True) + "\n"
    call([tools, "-c", VALIDATE], input=text)
    (FOLDER / "sbom.cdx.json").write_text(text, encoding="utf-8")
    licences, refused = judge_licences(bom, tomllib.loads(PYPROJECT.read_text(encoding="utf-8")))
    (FOLDER / "licences.txt").write_text("\n".join(licences) + "\n", encoding="utf-8")
    faults, unknown = audit(tools, LOCKS / "run.txt")
    say(f"{len(bom['components'])} packages in {FOLDER / 'sbom.cdx.json'}, {FOLDER / 'licences.txt'}")
    say(f"{hash_of(archive)}  {archive}")
    for line in [*refused, *faults]:
        say(f"FAILED {line}")
    say(unknown or "Each package was looked up for known faults.")
    return 1 if refused or faults or (unknown and must_be_audited) else 0


def make_environment(lock: str) -> Path:
    """Install a lock file, and nothing else, into a new environment. Return its Python."""
    folder = FOLDER / lock
    call([sys.executable, "-m", "venv", "--clear", "--without-pip", str(folder)])
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    install(LOCKS / f"{lock}.txt", python)
    return python


def make_sbom(tools: Path, service: Path) -> Json:
    """Return the packages of an environment with licences and dependencies, and with the hashes of requirements/."""
    installed = run_cyclonedx(tools, "environment", service)
    locked = run_cyclonedx(tools, "requirements", LOCKS / "run.txt")
    add_hashes(installed, locked)
    return installed


def run_cyclonedx(tools: Path, kind: str, source: Path) -> Json:
    command: Command = [tools, "-W", "ignore", "-m", "cyclonedx_py", kind, source, "--pyproject", PYPROJECT]
    # 1.6 is what most readers of SBOMs understand today.
    done = call([*command, "--output-reproducible", "--sv", "1.6"], stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def add_hashes(installed: Json, locked: Json) -> None:
    """Give each installed package the hashes that its archives may have. Exit for one that is not locked."""
    distributions = {each["purl"]: each["externalReferences"] for each in locked["components"]}
    for component in installed["components"]:
        if component["purl"] not in distributions:
            sys.exit(f"{component['purl']} is installed and is not in requirements/run.txt.")
        component.setdefault("externalReferences", []).extend(distributions[component["purl"]])


def judge_licences(bom: Json, settings: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return a line for each package with its licence, and one for each whose licence is not allowed.

    Who states an SPDX id or expression means that; a classifier beside it is often less exact ("BSD").
    """
    rules = settings["tool"]["licences"]
    lines, refused = [], []
    for component in bom["components"]:
        name = f"{component['name']}=={component['version']}"
        stated = stated_licences(component.get("licenses", []))
        if name in rules["stated"]:
            stated = [rules["stated"][name]]
        lines.append(f"{name}: {', '.join(stated) or 'none stated'}")
        if not stated or not set(stated) <= set(rules["allowed"]):
            refused.append(f"{lines[-1]}. Read it; then add it to [tool.licences] in pyproject.toml, or go without.")
    return lines, refused


def stated_licences(entries: Sequence[Json]) -> list[str]:
    names = [entry.get("expression") or entry["license"].get("id") or entry["license"]["name"] for entry in entries]
    return [name for name in names if not name.startswith(CLASSIFIER)] or names


def audit(tools: Path, lock: Path) -> tuple[list[str], str]:
    """Return a line for each known fault of a locked package, and a sentence when some could not be looked up.

    pip-audit calls a package without an answer "skipped" and succeeds. The second database is asked only then.
    """
    faults: set[str] = set()
    answered: set[str] = set()
    silent: set[str] = set()
    for service in SERVICES:
        command: Command = [tools, "-m", "pip_audit", "-r", lock, "--no-deps", "--disable-pip", "-f", "json"]
        options = ["--vulnerability-service", service, "--progress-spinner", "off", "--timeout", "10"]
        done = call([*command, *options], check=False, capture_output=True)
        packages = json.loads(done.stdout)["dependencies"] if done.stdout.startswith("{") else []
        silent |= {each["name"] for each in packages if "skip_reason" in each}
        answered |= {each["name"] for each in packages if "vulns" in each}
        faults |= {describe(each, fault) for each in packages for fault in each.get("vulns", [])}
        if answered and not silent - answered:
            return sorted(faults), ""
    which = ", ".join(sorted(silent - answered)) if answered else "any package"
    return sorted(faults), f"NOT AUDITED: no database of known faults ({', '.join(SERVICES)}) answered for {which}."


def describe(package: Json, fault: Json) -> str:
    mended = ", ".join(fault["fix_versions"]) or "no release"
    return f"{package['name']} {package['version']}: {fault['id']}, mended in {mended}"


def archive_commit(checkout: Path, folder: Path) -> Path:
    """Write the checked-out commit as a tar file, the same bytes on each machine (decision 0034)."""
    version = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]["version"]
    archive = folder / f"bridge-boards-{version}.tar"
    command: Command = ["git", "-C", checkout, *AS_COMMITTED, "archive", "--format=tar", "-o", archive]
    call([*command, f"--prefix=bridge-boards-{version}/", "HEAD"])
    return archive


def hash_of(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
