"""Whether what a command has printed is what the guide says. In an answer of a guide "…" stands for anything."""

import json
import re
from typing import Any

ANY = "…"
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[\[\]{},:…]|[^\s\[\]{},:…"]+')


def differences(kind: str, claimed: str, printed: str) -> str:
    """Return "" when the printed text is what is claimed, else where they differ."""
    if kind == "text":
        return "" if text_pattern(claimed).fullmatch(printed.strip()) else f"{claimed}\nis not\n{printed}"
    try:
        value = json.loads(printed)
    except ValueError:
        return f"This is not JSON: {printed}"
    return compare(read_claim(claimed), value, "answer")


def text_pattern(claimed: str) -> re.Pattern[str]:
    """Return the pattern of a text. A line that is "…" alone stands for any lines."""
    lines = claimed.strip().split("\n")
    return re.compile("\n".join("(?:.|\n)*" if line == ANY else re.escape(line).replace(ANY, ".*") for line in lines))


def read_claim(claimed: str) -> Any:
    """Return the JSON of an answer in which "…" may stand for a value, for part of a text, and for further members."""
    written, opened, before = [], [""], ""
    for token in TOKEN.findall(claimed):
        if token in ("{", "["):
            opened.append(token)
        elif token in ("}", "]"):
            opened.pop()
        is_member = token == ANY and opened[-1] == "{" and before in ("{", ",")
        written.append(f'"{ANY}": null' if is_member else f'"{ANY}"' if token == ANY else token)
        before = token
    return json.loads(" ".join(written))


def compare(claim: Any, value: Any, path: str) -> str:
    """Return "" or the first difference. Without "…" an object has exactly the members of its claim."""
    if claim == ANY:
        return ""
    if isinstance(claim, dict) and isinstance(value, dict):
        named = claim.keys() - {ANY}
        if not named <= value.keys() or (ANY not in claim and named != value.keys()):
            return f"{path} has the members {sorted(value)}, not {sorted(named)}"
        return next(filter(None, (compare(claim[key], value[key], f"{path}.{key}") for key in named)), "")
    if isinstance(claim, list) and isinstance(value, list):
        return compare_lists(claim, value, path)
    if isinstance(claim, str) and isinstance(value, str):
        matches = re.fullmatch(re.escape(claim).replace(ANY, ".*"), value, re.DOTALL)
        return "" if matches else f"{path} is {value!r}, not {claim!r}"
    return "" if (type(claim), claim) == (type(value), value) else f"{path} is {value!r}, not {claim!r}"


def compare_lists(claim: list[Any], value: list[Any], path: str) -> str:
    if ANY in claim:
        start, rest = claim.index(ANY), len(claim) - claim.index(ANY) - 1
        middle = [ANY] * (len(value) - start - rest)
        claim = claim[:start] + middle + claim[start + 1 :]
    if len(claim) != len(value):
        return f"{path} has {len(value)} items"
    pairs = enumerate(zip(claim, value, strict=True))
    return next(filter(None, (compare(one, other, f"{path}[{index}]") for index, (one, other) in pairs)), "")
