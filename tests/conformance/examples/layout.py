"""How config/api/examples.json is written: what is short on one line, so that a review reads what has changed."""

import json
from typing import Any

MAX_WIDTH = 400
"""An example of an error is shorter. A longer one has a line for each property, such as the hands of a board."""


def write_compactly(value: Any, indent: str = "") -> str:
    """Return JSON whose objects and lists stand on one line where they fit, else with one member a line."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or len(line) <= MAX_WIDTH:
        return line
    inner = indent + " "
    if isinstance(value, dict):
        first, last = "{", "}"
        members = [
            f"{json.dumps(key, ensure_ascii=False)}: {write_compactly(member, inner)}" for key, member in value.items()
        ]
    else:
        first, last = "[", "]"
        members = [write_compactly(member, inner) for member in value]
    return "\n".join([first, ",\n".join(inner + member for member in members), indent + last])
