"""What bridge/README.md promises: its example, and that nothing but Python is needed."""

import ast
import doctest
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import bridge

BRIDGE, TESTS = Path(bridge.__file__).parent, Path(__file__).parent
FOR_TESTS = ("tests.bridge", "pytest", "hypothesis")


def imports_of(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "."


def foreign(folder: Path, *known: str) -> set[tuple[str, str]]:
    """Return what the files of a folder import beside Python's own library and these packages."""
    packages = (*sys.stdlib_module_names, *known)
    return {
        (file.name, name)
        for file in folder.rglob("*.py")
        for name in imports_of(file)
        if not any(name == each or name.startswith(f"{each}.") for each in packages)
    }


def test_it_needs_nothing_but_python() -> None:
    assert foreign(BRIDGE, "bridge") == set()
    assert foreign(TESTS, "bridge", *FOR_TESTS) == set()


def test_the_example_of_the_readme_runs() -> None:
    result = doctest.testfile(str(BRIDGE / "README.md"), module_relative=False)
    assert (result.attempted, result.failed) == (5, 0)


def test_the_package_names_its_modules() -> None:
    lines = re.findall(r"^    ([\w, ]+?)  ", bridge.__doc__ or "", re.MULTILINE)
    files = (path for path in BRIDGE.iterdir() if path.is_dir() or path.suffix == ".py")
    modules = {path.stem for path in files if not path.name.startswith("_")}
    assert sorted(", ".join(lines).split(", ")) == sorted(modules)
