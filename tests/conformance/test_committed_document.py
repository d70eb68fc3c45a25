"""The OpenAPI document is committed, and changes that break programs are stated in CHANGELOG.md."""

import json

from django.conf import settings

from tests.conformance.committed import COMMITTED, RELEASED, stated_breaks, todays_document
from tests.conformance.compatibility import find_breaks


def test_the_committed_document_is_todays() -> None:
    committed = json.loads(COMMITTED.read_text(encoding="utf-8"))
    assert todays_document() == committed, "Run python3 dev.py openapi."


def test_each_break_since_the_last_release_is_stated_in_the_changelog() -> None:
    released = json.loads(RELEASED.read_text(encoding="utf-8"))
    stated = stated_breaks((settings.BASE_DIR / "CHANGELOG.md").read_text(encoding="utf-8"))
    unstated = [str(each) for each in find_breaks(released, todays_document()) if each.where not in stated]
    assert unstated == [], (
        "These changes break programs. Undo them, or name what is between the backticks in a line under the heading "
        "`### Breaking` of the newest version in CHANGELOG.md."
    )
