"""Measure how a checkout is built: `python bench/house.py [CHECKOUT] [--trace]`, so that two can be compared.

Sources are read with the standard library alone. "Code" is each line of each Python file but those of tests, bench/
and migrations. Complexity counts each condition, loop, handler, case, comprehension and boolean operator. A room of
boards/ is a file or folder in it, and its floor is one above the highest that it imports.

With --trace the checkout's service answers four requests, and the files in which a function runs are counted. That
needs the checkout's requirements: run it with `.venv/bin/python`. Each request is sent twice and the second counts.
"""

import argparse
import ast
import io
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from types import FrameType

NOT_CODE = frozenset({"tests", "bench", "migrations"})
MAX_LINES = 40
MAX_COMPLEXITY = 10
Function = ast.FunctionDef | ast.AsyncFunctionDef
Imports = dict[str, set[str]]
"""The modules that each module imports, both of the checkout."""


def files_of(root: Path) -> Iterator[Path]:
    """Yield the Python files of a checkout, without hidden folders and var/, which git does not keep."""
    for path in sorted(root.rglob("*.py")):
        inside = path.relative_to(root)
        if inside.parts[0] != "var" and not any(part.startswith(".") for part in inside.parts):
            yield inside


def is_code(path: Path) -> bool:
    return NOT_CODE.isdisjoint(path.parts)


def is_test(path: Path) -> bool:
    return path.parts[0] == "tests"


def read_trees(root: Path, is_read: Callable[[Path], bool]) -> dict[str, ast.Module]:
    """Return the syntax trees of these files by their modules' names."""
    return {
        ".".join(path.with_suffix("").parts): ast.parse((root / path).read_text(encoding="utf-8"))
        for path in files_of(root)
        if is_read(path)
    }


def count_lines(root: Path, is_counted: Callable[[Path], bool]) -> int:
    """Return the lines of these Python files of a checkout."""
    return sum(
        len((root / path).read_text(encoding="utf-8").splitlines()) for path in files_of(root) if is_counted(path)
    )


def functions_of(trees: Mapping[str, ast.Module]) -> Iterator[tuple[str, Function]]:
    for name, tree in trees.items():
        yield from ((name, node) for node in ast.walk(tree) if isinstance(node, Function))


def length(function: Function) -> int:
    return (function.end_lineno or 0) - function.lineno + 1


def complexity(function: ast.AST) -> int:
    """Return the branches of a function, without those of functions in it, plus one."""
    found, waiting = 1, list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        if isinstance(node, Function | ast.ClassDef):
            continue
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.If | ast.IfExp | ast.For | ast.While | ast.ExceptHandler | ast.match_case):
            found += 1
        elif isinstance(node, ast.BoolOp):
            found += len(node.values) - 1
        elif isinstance(node, ast.comprehension):
            found += 1
    return found


def imports_of(trees: Mapping[str, ast.Module]) -> Imports:
    """Return which modules import which. A package's own names are those of its __init__."""

    def module_of(name: str) -> str | None:
        return next((each for each in (name, f"{name}.__init__") if each in trees), None)

    imports: Imports = {name: set() for name in trees}
    for name, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                whole = [module_of(f"{node.module}.{alias.name}") or module_of(node.module) for alias in node.names]
            elif isinstance(node, ast.Import):
                whole = [module_of(alias.name) for alias in node.names]
            else:
                continue
            imports[name] |= {each for each in whole if each and each != name}
    return imports


def components(imports: Imports) -> list[list[str]]:
    """Return the groups of modules that import each other in a circle, and all others alone, the lowest first.

    (Tarjan's algorithm.)
    """
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in sorted(imports[name]):
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            place = stack.index(name)
            found.append(stack[place:])
            del stack[place:]

    for name in sorted(imports):
        if name not in index:
            visit(name)
    return found


def rooms_of(imports: Imports, folder: str) -> Imports:
    """Return which files and folders of a folder import which."""
    depth = folder.count(".") + 2

    def room(name: str) -> str:
        return ".".join(name.split(".")[:depth])

    inside = {name for name in imports if name.startswith(f"{folder}.") and not name.endswith("__init__")}
    rooms: Imports = {room(name): set() for name in inside}
    for name in inside:
        rooms[room(name)] |= {room(other) for other in imports[name] & inside} - {room(name)}
    return rooms


def count_floors(rooms: Imports) -> int:
    """Return how many rooms stand on each other at most. Those of a circle share a floor."""
    floors: dict[str, int] = {}
    for group in components(rooms):
        below = set(chain.from_iterable(rooms[name] for name in group)) - set(group)
        floors |= dict.fromkeys(group, 1 + max((floors[name] for name in below), default=0))
    return max(floors.values(), default=0)


def measure(root: Path) -> Iterator[tuple[str, object]]:
    trees, tests = read_trees(root, is_code), read_trees(root, is_test)
    functions = [function for _, function in functions_of(trees)]
    complex_ones = [f"{name}.{each.name}" for name, each in functions_of(trees) if complexity(each) > MAX_COMPLEXITY]
    yield "lines of code", count_lines(root, is_code)
    yield "lines of tests", count_lines(root, is_test)
    yield "tests", sum(each.name.startswith("test_") for _, each in functions_of(tests))
    yield "files", len(trees)
    yield f"functions over {MAX_LINES} lines", sum(length(each) > MAX_LINES for each in functions)
    yield f"functions of a complexity over {MAX_COMPLEXITY}", len(complex_ones)
    yield "lines of boards/", count_lines(root, lambda path: is_code(path) and path.parts[0] == "boards")
    imports = imports_of(trees)
    rooms = rooms_of(imports, "boards")
    yield "rooms of boards/", len(rooms)
    yield "floors of boards/", count_floors(rooms)
    circles = [group for group in components(imports) if len(group) > 1]
    yield "circles of files", len(circles)
    for group in circles:
        yield "  a circle", " ".join(sorted(group))


# --- What a request passes through ---

SECRET = "a-secret-for-one-measurement-and-for-nothing-else-at-all"
ISSUER, AUDIENCE = "https://login.example/", "bridge-boards"
SETTINGS = {
    "DJANGO_SETTINGS_MODULE": "config.settings",
    "CACHE_URL": "",
    "SECRET_KEY": SECRET,
    "API_KEY": SECRET,
    "ALLOWED_HOSTS": "testserver",
    "PUBLIC_BASE_URL": "http://testserver",
    "DEVELOPMENT_TOKENS": "false",
    "JWT_SHARED_SECRET": SECRET,
    "JWT_ALGORITHMS": "HS256",
    "JWT_JWKS_URL": "",
    "JWT_ISSUER": ISSUER,
    "JWT_AUDIENCE": AUDIENCE,
}
GAME = """[Board "%d"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:AKQJ.T98.765.432 5432.AKQJ.T98.76 T98.7654.32.AKQJ 76.32.AKQJ4.T985"]
[Declarer "W"]
[Contract "2H"]
[Result "8"]
"""
FORM = {"name": "A", "email": "a@club.example", "subject": "Hello"}


def trace(root: Path) -> Iterator[tuple[str, int]]:
    """Count the files that an import, a list, a vote and a form enter. Raise RuntimeError when one is refused."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update({**SETTINGS, "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3"})
        os.chdir(root)
        sys.path[0] = str(root)
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        call_command("load_reference_data", stdout=io.StringIO())
        games = (GAME % 1, GAME % 2)
        key, pbn = {"X-API-Key": SECRET}, "application/x-pbn"
        yield "import", count_files(root, "POST", "/api/deals/import?publish=true", games, pbn, key)
        yield "list", count_files(root, "GET", "/api/boards", ("", ""))
        yield "vote", count_files(root, "PUT", f"/api/voting/{first_board()}", VOTES, headers=member())
        forms = tuple(json.dumps({**FORM, "message": message}) for message in ("First.", "Second."))
        yield "form", count_files(root, "POST", "/api/forms/contact", forms)


VOTES = ('{"vote": "up"}', '{"vote": "down"}')


def first_board() -> object:
    from boards.models import Board

    return Board.objects.all()[0].pk


def member() -> dict[str, str]:
    import time

    import jwt

    now = int(time.time())
    claims = {"sub": "member", "iss": ISSUER, "aud": AUDIENCE, "iat": now, "exp": now + 600}
    return {"Authorization": f"Bearer {jwt.encode(claims, SECRET, 'HS256')}"}


def count_files(
    root: Path,
    method: str,
    path: str,
    bodies: tuple[str, ...],
    content_type: str = "application/json",
    headers: Mapping[str, str] | None = None,
) -> int:
    """Return in how many files of the code a function runs while the second of two requests is answered."""
    from django.test import Client

    entered: set[str] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and not re.match(r"<(module|lambda)>", frame.f_code.co_name):
            entered.add(frame.f_code.co_filename)

    for body in bodies:
        sys.setprofile(note if body is bodies[-1] else None)
        response = Client(headers=headers).generic(method, path, body, content_type)
        b"".join(response)
        sys.setprofile(None)
        if response.status_code >= 300:
            raise RuntimeError(f"{method} {path}: {response.status_code} {response.content!r}")
    return len(entered & {str(root / path) for path in files_of(root) if is_code(path)})


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how a checkout is built.")
    here = Path(__file__).resolve().parent.parent
    parser.add_argument("checkout", nargs="?", type=Path, default=here, help="its folder; this one by default")
    parser.add_argument("--trace", action="store_true", help="also count the files that four requests enter")
    options = parser.parse_args()
    root = options.checkout.resolve()
    for name, value in measure(root):
        sys.stdout.write(f"{name:<40} {value}\n")
    if options.trace:
        for name, count in trace(root):
            sys.stdout.write(f"{'files entered by a ' + name:<40} {count}\n")


if __name__ == "__main__":
    main()
