"""`dev.py openapi`: the OpenAPI document as it is committed, with examples that the running service has given."""

import os
from collections.abc import Sequence

from tools.check import PRODUCTION_LIKE
from tools.environment import PYTHON, ROOT, Command, call, ensure_environment, say

COMMITTED = ROOT / "docs" / "reference" / "openapi.json"

RECORD = ["tests/conformance/test_examples.py", "-k", "answers_as", "--record-examples"]
WRITE = """
import json, sys
import django
django.setup()
from config.api.openapi import openapi_document
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump(openapi_document(), file, indent=1, ensure_ascii=False)
    file.write("\\n")
"""


def openapi(arguments: Sequence[str]) -> int:
    """Record the examples on SQLite, then write the document, and before: what is recorded is held against it."""
    ensure_environment("test")
    plain = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    # The examples are recorded with the address that PRODUCTION_LIKE has, so the document has one address only.
    write: Command = [PYTHON, "-c", WRITE, str(COMMITTED)]
    call(write, {**plain, **PRODUCTION_LIKE})
    call([PYTHON, "-m", "pytest", "-q", "--show-capture=no", *RECORD], plain)
    call(write, {**plain, **PRODUCTION_LIKE})
    say(f"Written: config/api/examples.json and {COMMITTED.relative_to(ROOT)}. Review the changes.")
    return 0
