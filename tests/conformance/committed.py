"""The OpenAPI documents that are committed, and what CHANGELOG.md says of them."""

import json
import re
from typing import Any

from django.conf import settings

from config.api.examples import RECORDED_BASE_URL
from config.api.openapi import openapi_document

REFERENCE = settings.BASE_DIR / "docs" / "reference"
COMMITTED = REFERENCE / "openapi.json"
"""Today's document. `python3 dev.py openapi` writes it."""

RELEASED = REFERENCE / "openapi-released.json"
"""The document of the last release. `python3 dev.py openapi --release` writes it."""


def todays_document() -> dict[str, Any]:
    """Return the document that this tree makes, with the address of the service that the committed ones have."""
    text = json.dumps(openapi_document()).replace(settings.PUBLIC_BASE_URL, RECORDED_BASE_URL)
    document: dict[str, Any] = json.loads(text)
    return document


def stated_breaks(changelog: str) -> set[str]:
    """Return what the heading `### Breaking` of the newest version names: each text between backticks."""
    newest = re.split(r"(?m)^## ", changelog)[1]
    sections = re.split(r"(?m)^### ", newest)
    return {
        name
        for section in sections
        if section.startswith("Breaking\n")
        for name in re.findall("`([^`]+)`", section)
    }
