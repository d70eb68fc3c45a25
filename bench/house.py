"""`python bench/house.py [CHECKOUT] [--trace]`: measure how a checkout is built, so that two of them can be compared.

It reads the sources with Python's standard library alone and runs nothing of them, so it measures any commit. "The
code" is every line of every Python file but those of tests, measurements (bench/) and migrations, blank lines and
docstrings included.

With --trace it also calls the service and counts the files of the code in which a function runs. That needs the
checkout's requirements: run it with `.venv/bin/python`. It uses a database in a temporary folder. Each request is
sent twice and the second one counts, so that what is imported or computed once is left out.
"""

import argparse
import ast
import io
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

VERBS = frozenset(Path(__file__).with_name("verbs.txt").read_text(encoding="utf-8").split())
MAX_FUNCTION_LINES = 40
GROUND_FLOOR = "config"
NOT_CODE = frozenset({"tests", "bench", "migrations"})

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Source:
    """A Python file: its path inside the checkout, its text and its syntax tree."""

    path: Path
    text: str
    tree: ast.Module

    @property
    def is_code(self) -> bool:
        return NOT_CODE.isdisjoint(self.path.parts)

    @property
    def is_test(self) -> bool:
        return self.path.parts[0] == "tests"

    def functions(self) -> Iterator[Function]:
        return (node for node in ast.walk(self.tree) if isinstance(node, Function))

    def count_classes(self) -> int:
        return sum(isinstance(node, ast.ClassDef) for node in ast.walk(self.tree))


def read_sources(root: Path) -> list[Source]:
    """Read every Python file of a checkout, without hidden folders and `var`, which git does not keep."""
    sources = []
    for path in sorted(root.rglob("*.py")):
        inside = path.relative_to(root)
        if inside.parts[0] != "var" and not any(part.startswith(".") for part in inside.parts):
            text = path.read_text(encoding="utf-8")
            sources.append(Source(inside, text, ast.parse(text)))
    return sources


def measure(root: Path) -> list[tuple[str, str]]:
    sources = read_sources(root)
    code = [source for source in sources if source.is_code]
    ground_floor = [source for source in code if source.path.parts[0] == GROUND_FLOOR]
    functions = [function for source in code for function in source.functions()]
    test_functions = [function for source in sources if source.is_test for function in source.functions()]
    figures = {
        "lines of code": sum(len(source.text.splitlines()) for source in code),
        "files": len(code),
        "packages (folders with code)": len({source.path.parent for source in code}),
        f"files in {GROUND_FLOOR}/": len(ground_floor),
        f"classes in {GROUND_FLOOR}/": sum(source.count_classes() for source in ground_floor),
        "middleware of our own": len(own_middleware(root)),
        "functions": len(functions),
        f"functions over {MAX_FUNCTION_LINES} lines": sum(
            length(function) > MAX_FUNCTION_LINES for function in functions
        ),
        "test functions": sum(function.name.startswith("test_") for function in test_functions),
    }
    return [
        *((name, f"{figure:,}") for name, figure in figures.items()),
        ("docstrings of functions that begin with a verb", share_with_verb(functions)),
        ("the same in tests/", share_with_verb(test_functions)),
    ]


def length(function: Function) -> int:
    assert function.end_lineno
    return function.end_lineno - function.lineno + 1


def own_middleware(root: Path) -> list[str]:
    """Return the entries of MIDDLEWARE in the settings that name a module of the checkout itself."""
    tree = ast.parse((root / GROUND_FLOOR / "settings.py").read_text(encoding="utf-8"))
    assignments = [node for node in tree.body if isinstance(node, ast.Assign)]
    (value,) = (node.value for node in assignments if ast.unparse(node.targets[0]) == "MIDDLEWARE")
    return [name for name in ast.literal_eval(value) if (root / name.partition(".")[0]).is_dir()]


def share_with_verb(functions: Sequence[Function]) -> str:
    docstrings = [text for function in functions if (text := ast.get_docstring(function))]
    count = sum(map(begins_with_verb, docstrings))
    return f"{count} of {len(docstrings)} ({100 * count / max(1, len(docstrings)):.0f} %)"


def begins_with_verb(docstring: str) -> bool:
    """Tell whether the first word is in verbs.txt, as it stands there or with the ending of "returns", "tries"."""
    match = re.match(r"[A-Za-z]+", docstring)
    if match is None:
        return False
    word = match[0].lower()
    return not VERBS.isdisjoint(
        {word, word.removesuffix("s"), word.removesuffix("es"), re.sub("ies$", "y", word)}
    )


# --- What a request passes through ---------------------------------------------------------------------------

SECRET = "a-secret-for-one-measurement-and-for-nothing-else-at-all"
ISSUER = "https://login.example/"
AUDIENCE = "bridge-boards"
SETTINGS = {
    "DJANGO_SETTINGS_MODULE": "config.settings",
    "CACHE_URL": "",
    "SECRET_KEY": SECRET,
    "API_KEY": SECRET,
    "ALLOWED_HOSTS": "testserver",
    "DEVELOPMENT_TOKENS": "false",
    "JWT_SHARED_SECRET": SECRET,
    "JWT_ALGORITHMS": "HS256",
    "JWT_JWKS_URL": "",
    "JWT_ISSUER": ISSUER,
    "JWT_AUDIENCE": AUDIENCE,
}
GAME = """[Event ""]
[Site ""]
[Date ""]
[Board "%d"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:AKQJ.T98.765.432 5432.AKQJ.T98.76 T98.7654.32.AKQJ 76.32.AKQJ4.T985"]
[Declarer "W"]
[Contract "2H"]
[Result "8"]
"""
FORM = {"name": "A", "email": "a@club.example", "subject": "Hello"}


@dataclass(frozen=True, slots=True)
class Call:
    """A request that is sent twice: its body differs, so that the second one is not a repetition."""

    method: str
    path: str
    bodies: tuple[str, str] = ("", "")
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def route(self) -> str:
        return re.sub(r"[0-9a-f-]{36}", "{id}", self.path)


def trace(root: Path) -> list[tuple[str, str]]:
    """Count the files of the code that each of four requests enters. Raise RuntimeError when one is refused."""
    with tempfile.TemporaryDirectory() as folder:
        set_up_service(root, Path(folder))
        counts = trace_calls(root)
        return [(f"files entered by {call.method} {call.route}", f"{count}") for call, count in counts]


def set_up_service(root: Path, folder: Path) -> None:
    """Set Django up with the checkout's settings and an empty database in the folder."""
    os.environ |= {**SETTINGS, "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}"}
    os.chdir(root)
    sys.path[0] = str(root)
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("load_reference_data", stdout=io.StringIO())


def trace_calls(root: Path) -> Iterator[tuple[Call, int]]:
    import jwt

    now = int(time.time())
    claims = {"sub": "member", "iss": ISSUER, "aud": AUDIENCE, "iat": now, "exp": now + 600}
    member = {"Authorization": f"Bearer {jwt.encode(claims, SECRET, 'HS256')}"}
    games = (GAME % 1, GAME % 2)
    import_ = Call(
        "POST", "/api/deals/import?publish=true", games, "application/x-pbn", {"X-API-Key": SECRET}
    )
    yield import_, count_files_entered(root, import_)
    boards = Call("GET", "/api/boards")
    yield boards, count_files_entered(root, boards)

    from boards.models import Board

    board = Board.objects.all()[0]
    votes = ('{"vote": "up"}', '{"vote": "down"}')
    vote = Call("PUT", f"/api/voting/{board.pk}", votes, headers=member)
    yield vote, count_files_entered(root, vote)
    first, second = (json.dumps({**FORM, "message": message}) for message in ("First.", "Second."))
    form = Call("POST", "/api/forms/contact", (first, second))
    yield form, count_files_entered(root, form)


def count_files_entered(root: Path, call: Call) -> int:
    """Return in how many files of the code a function runs while the second of two requests is answered."""
    entered: set[str] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            entered.add(frame.f_code.co_filename)

    send(call, call.bodies[0])
    sys.setprofile(note)
    try:
        send(call, call.bodies[1])
    finally:
        sys.setprofile(None)
    code = {str(root / source.path) for source in read_sources(root) if source.is_code}
    return len(entered & code)


def send(call: Call, body: str) -> None:
    from django.test import Client

    response = Client(headers=call.headers).generic(call.method, call.path, body, call.content_type)
    response.getvalue()
    if response.status_code >= 300:
        raise RuntimeError(f"{call.method} {call.path}: {response.status_code} {response.content!r}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how a checkout is built.")
    here = Path(__file__).resolve().parent.parent
    parser.add_argument(
        "checkout", nargs="?", type=Path, default=here, help="Its folder; this one by default."
    )
    parser.add_argument("--trace", action="store_true", help="Also count the files that four requests enter.")
    options = parser.parse_args()
    root = options.checkout.resolve()
    rows = measure(root) + (trace(root) if options.trace else [])
    width = max(len(name) for name, _ in rows)
    sys.stdout.writelines(f"{name:<{width}}  {value}\n" for name, value in rows)


if __name__ == "__main__":
    main()
