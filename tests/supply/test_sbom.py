"""`dev.py sbom`: what is listed, which licences pass, which faults are found, and that an archive has one hash."""

import json
import os
import re
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.installed import python_packages, require
from tools import sbom
from tools.environment import LOCKS, ROOT, install
from tools.sbom import VALIDATE, add_hashes, archive_commit, audit, hash_of, judge_licences, make_sbom

RULES = {"tool": {"licences": {"allowed": ["MIT", "MIT OR GPL-2.0-only"], "stated": {"old==1": "MIT"}}}}
CLASSIFIER = "License :: OSI Approved :: GNU General Public License v3 (GPLv3)"


def packages(lock: str) -> Path:
    return require(lambda: python_packages(LOCKS / f"{lock}.txt")) / "bin" / "python"


def component(name: str, *licences: dict[str, str]) -> dict[str, Any]:
    entries = [each if "expression" in each else {"license": each} for each in licences]
    return {"name": name, "version": "1", "purl": f"pkg:pypi/{name}@1", "licenses": entries}


def test_each_locked_package_that_is_installed_is_listed_with_hashes_and_an_allowed_licence() -> None:
    tools, service = packages("supply"), packages("run")
    bom = make_sbom(tools, service)
    lock = (LOCKS / "run.txt").read_text(encoding="utf-8")
    for each in bom["components"]:
        hashes = [hash_ for reference in each["externalReferences"] for hash_ in reference.get("hashes", [])]
        assert hashes and all(f"--hash=sha256:{hash_['content']}" in lock for hash_ in hashes)
    listed = {each["name"].lower() for each in bom["components"]}
    assert {"django", "gunicorn", "psycopg", "cryptography", "sqlparse"} <= listed
    (root,) = [each for each in bom["dependencies"] if each["ref"] == "root-component"]
    assert any(ref.startswith("Django==") for ref in root["dependsOn"])
    assert subprocess.run([tools, "-c", VALIDATE], input=json.dumps(bom), text=True, check=False).returncode == 0
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert judge_licences(bom, settings)[1] == []
    assert make_sbom(tools, service) == bom


def test_an_archive_with_another_hash_is_not_installed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    packages("run")  # PyPI can be reached, or has been before
    text = (LOCKS / "run.txt").read_text(encoding="utf-8")
    (locked,) = re.findall(r"^mdurl==.*(?:\n    .*)*", text, re.MULTILINE)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    forged = re.sub(r"sha256:\w+", f"sha256:{'0' * 64}", locked)
    lock, python = tmp_path / "forged.txt", tmp_path / "venv" / "bin" / "python"
    lock.write_text(f"{forged}\n", encoding="utf-8")
    with pytest.raises(subprocess.CalledProcessError):
        install(lock, python)
    assert "hash mismatch" in capfd.readouterr().err.lower()
    lock.write_text(f"{locked}\n", encoding="utf-8")
    install(lock, python)


def test_an_invalid_sbom_is_noticed() -> None:
    bom = {"bomFormat": "CycloneDX", "specVersion": "1.6", "components": [{"name": "no type"}]}
    done = subprocess.run(
        [packages("supply"), "-c", VALIDATE], input=json.dumps(bom), text=True, check=False, capture_output=True
    )
    assert done.returncode and "type" in done.stderr


def test_a_package_that_is_not_locked_is_refused() -> None:
    with pytest.raises(SystemExit, match="pkg:pypi/stray@1 is installed and is not in"):
        add_hashes({"components": [component("stray")]}, {"components": []})


@pytest.mark.parametrize(
    "licences",
    [
        [{"id": "MIT"}],
        [{"expression": "MIT OR GPL-2.0-only"}],
        [{"id": "MIT"}, {"name": CLASSIFIER}],  # the id is the more exact of the two
    ],
)
def test_an_allowed_licence_passes(licences: list[dict[str, str]]) -> None:
    assert judge_licences({"components": [component("new", *licences)]}, RULES)[1] == []


@pytest.mark.parametrize(
    "licences",
    [
        [],
        [{"id": "AGPL-3.0-only"}],
        [{"id": "MIT"}, {"id": "AGPL-3.0-only"}],
        [{"expression": "MIT AND GPL-2.0-only"}],
        [{"name": CLASSIFIER}],
        [{"name": "MIT, or ask us"}],
    ],
)
def test_any_other_licence_is_refused_and_named(licences: list[dict[str, str]]) -> None:
    lines, refused = judge_licences({"components": [component("new", *licences)]}, RULES)
    assert len(refused) == 1 and refused[0].startswith(lines[0]) and lines[0].startswith("new==1: ")


def test_what_somebody_has_read_holds_for_that_release_only() -> None:
    later = {**component("old"), "version": "2"}
    _, refused = judge_licences({"components": [component("old"), later]}, RULES)
    assert [line.partition(":")[0] for line in refused] == ["old==2"]


@contextmanager
def database_of_faults(answers: dict[str, Any]) -> Iterator[str]:
    """Run a database that speaks OSV's protocol. It answers each other package with 500 when "*" is missing."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            query = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answer = answers.get(query["package"]["name"], answers.get("*"))
            body = json.dumps(answer).encode()
            self.send_response(500 if answer is None else 200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


FAULT = {
    "id": "PYSEC-2026-1",
    "summary": "It breaks.",
    "affected": [
        {
            "package": {"name": "sqlparse", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "9.9"}]}],
        }
    ],
}


def audit_with(answers: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], str]:
    monkeypatch.setattr(sbom, "SERVICES", ("osv",))
    with database_of_faults(answers) as url:
        monkeypatch.setenv("PIP_AUDIT_OSV_URL", url)
        return audit(packages("supply"), LOCKS / "run.txt")


def test_a_known_fault_is_named_with_the_release_that_mends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    faults, unknown = audit_with({"*": {}, "sqlparse": {"vulns": [FAULT]}}, monkeypatch)
    assert len(faults) == 1 and "sqlparse" in faults[0] and faults[0].endswith("PYSEC-2026-1, mended in 9.9")
    assert not unknown


def test_without_faults_nothing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert audit_with({"*": {}}, monkeypatch) == ([], "")


def test_a_database_that_does_not_answer_is_no_clean_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    faults, unknown = audit_with({}, monkeypatch)
    assert not faults and unknown.startswith("NOT AUDITED") and "any package" in unknown


def test_packages_that_were_skipped_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    output = {"dependencies": [{"name": "one", "version": "1", "vulns": []}, {"name": "two", "skip_reason": "…"}]}
    program = tmp_path / "python"
    program.write_text(f"#!/bin/sh\necho '{json.dumps(output)}'\n")
    program.chmod(0o755)
    faults, unknown = audit(program, LOCKS / "run.txt")
    assert not faults and unknown.endswith("answered for two.")


def test_two_checkouts_make_the_same_archive(tmp_path: Path) -> None:
    """Whatever the settings and the clock of those who make it, and the folder that they make it in."""
    hashes = set()
    for folder, settings in (("one", {}), ("two", {"core.autocrlf": "true", "tar.umask": "0077"})):
        clone = tmp_path / folder / "checkout"
        subprocess.run(["git", "clone", "-q", "--shared", ROOT, clone], check=True)
        for name, value in settings.items():
            subprocess.run(["git", "-C", clone, "config", name, value], check=True)
        os.utime(clone / "manage.py", (time.time() - 86_400,) * 2)
        hashes.add(hash_of(archive_commit(clone, tmp_path / folder)))
    assert len(hashes) == 1


@pytest.mark.parametrize(
    ("audited", "must_be_audited", "status"),
    [(([], "NOT AUDITED: nobody answered."), True, 1), ((["sqlparse 1: PYSEC-2026-1"], ""), False, 1)],
)
def test_the_exit_status_says_what_was_found(
    audited: tuple[list[str], str],
    must_be_audited: bool,
    status: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sbom, "FOLDER", tmp_path)
    monkeypatch.setattr(sbom, "make_environment", packages)
    monkeypatch.setattr(sbom, "audit", lambda tools, lock: audited)
    assert sbom.examine(must_be_audited) == status
    bom = json.loads((tmp_path / "sbom.cdx.json").read_text(encoding="utf-8"))
    (archive,) = tmp_path.glob("bridge-boards-*.tar")
    assert bom["metadata"]["component"]["hashes"] == [{"alg": "SHA-256", "content": hash_of(archive)}]
    assert len((tmp_path / "licences.txt").read_text(encoding="utf-8").splitlines()) == len(bom["components"])
    said = capsys.readouterr().out
    assert audited[1] in said and all(f"FAILED {fault}" in said for fault in audited[0])
