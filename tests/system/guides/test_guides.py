"""Every command of the guides is run as it is printed, and gets the answer that the guide says it gets."""

import os
import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import requests

from deals.webhooks.delivering import sign
from pages.site.guides import FOLDER, LANGUAGES, NAMES
from tests.installed import npm_packages, require
from tests.system.guides import plugin
from tests.system.guides.running import compile_typescript, run_program, write_program
from tests.system.guides.service import copy_of, filled_database, running_service
from tests.system.guides.steps import Step, steps_of

HERE = Path(__file__).parent

READINGS = 2
"""How often the guides are read on one service: the second reader meets what the first one has left."""


@pytest.fixture(scope="module")
def filled(django_db_setup: None) -> Iterator[str]:
    """Fill a database. Each language gets a copy, since most commands change something."""
    with filled_database() as url:
        yield url


def read_guides(base: str) -> dict[str, list[Step]]:
    """Return the steps of each guide as the running service prints them."""
    texts = {name: requests.get(f"{base}/api/docs/{name}.md", timeout=60).text for name in NAMES}
    return {name: steps_of(text) for name, text in texts.items()}


def require_programs(language: str) -> Path | None:
    """Return the npm packages that a language needs. Without its programs skip the test, or fail it in CI."""
    if language == "ts":
        return require(lambda: npm_packages(HERE))
    if language == "sh" and not all(map(shutil.which, ("curl", "jq", "openssl"))):
        missing = "The commands of the guides need curl, jq and openssl: apt-get install -y curl jq openssl"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(missing)
    return None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_gets_the_answer_that_its_guide_claims(language: str, filled: str, tmp_path: Path) -> None:
    packages = require_programs(language)
    problems: list[str] = []
    with copy_of(filled) as database, running_service(database) as variables:
        guides = read_guides(variables["BASE"])
        plugin.WRITTEN[language] += READINGS * sum(map(len, guides.values()))
        programs = {name: write_program(tmp_path, name, language, steps) for name, steps in guides.items()}
        if packages:
            assert compile_typescript(tmp_path, packages) == ""
        for name, program in [*programs.items()] * READINGS:
            right, wrong = run_program(program, guides[name], variables)
            plugin.RIGHT[language] += right
            problems += wrong
    assert not problems, "\n\n".join(problems)


def test_every_file_of_the_folder_is_listed_and_shows_each_step_in_each_language_with_its_answer() -> None:
    for name in NAMES:
        steps = steps_of((FOLDER / f"{name}.md").read_text(encoding="utf-8"))
        assert len(steps) >= 2 and all(step.answer.strip() for step in steps), name
    assert {path.stem for path in FOLDER.glob("*.md")} == set(NAMES)
    listed = re.findall(r"\(api/([a-z-]+)\.md\)", (FOLDER.parent / "README.md").read_text(encoding="utf-8"))
    assert tuple(listed) == NAMES


def test_the_message_in_the_guide_to_webhooks_is_signed_as_the_service_signs() -> None:
    text = (FOLDER / "webhooks.md").read_text(encoding="utf-8")
    shown = re.search(r"webhook-id: (.+)\nwebhook-timestamp: (\d+)\nwebhook-signature: (.+)\n\n(.+)\n", text)
    secret = re.search(r'SECRET="(.+)"', text)
    assert shown and secret
    moment = datetime.fromtimestamp(int(shown[2]), UTC)
    assert sign([secret[1]], shown[1], moment, shown[4].encode())["webhook-signature"] == shown[3]
