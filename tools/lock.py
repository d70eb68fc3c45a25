"""`dev.py lock`: the lock files in requirements/, and whether they have what pyproject.toml names."""

import os
import re
import shutil
import tomllib
from collections.abc import Sequence

from tools.environment import LOCKS, ROOT, SCRIPTS, call

HOW_TO_INSTALL = (
    "# pip install --no-deps -r requirements/{}.txt: it is complete, and endplay asks for what nobody uses.\n"
)


def lock(arguments: Sequence[str]) -> int:
    """Write one lock file a set, for every system and every Python from 3.11 on, each package with its hashes."""
    uv = shutil.which("uv") or str(SCRIPTS / "uv")
    compile_ = [uv, "pip", "compile", "-q", "--universal", "--generate-hashes", "--python-version", "3.11"]
    compile_ += ["--no-emit-index-url", "--no-annotate", "--custom-compile-command", "python3 dev.py lock"]
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "UV_"))}
    run_set = ["pyproject.toml", "--extra", "double-dummy"]
    sets = {
        "run": run_set,
        "web": ["pyproject.toml"],  # gunicorn's, without the worker's solver
        "test": [*run_set, "--group", "test"],
        "dev": [*run_set, "--group", "dev"],
        "bench": [*run_set, "--group", "bench"],
        "clients": ["--group", "clients"],
        "uv": ["--group", "uv"],
        # Without pyproject.toml's [tool.uv], which excludes a package that endplay does not need and pip-audit does.
        "supply": ["--no-config", "--group", "supply"],
    }
    for name, options in sets.items():
        path = LOCKS / f"{name}.txt"
        call([*compile_, *options, "-o", str(path), *arguments], env)
        if "double-dummy" in options:
            path.write_text(HOW_TO_INSTALL.format(name) + path.read_text(encoding="utf-8"), encoding="utf-8")
    return 0


def find_unlocked() -> str:
    """Name each package that is in pyproject.toml and in no lock file: `dev.py lock` was forgotten."""
    tables = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project, groups = tables["project"], tables["dependency-groups"]
    dependencies, solver = project["dependencies"], project["optional-dependencies"]["double-dummy"]
    required = {"run": dependencies + solver, "web": dependencies, **groups}
    lines = []
    for lock, requirements in required.items():
        locked = (LOCKS / f"{lock}.txt").read_text(encoding="utf-8")
        names = [re.split(r"[^\w.-]", each)[0] for each in requirements if isinstance(each, str)]
        lines += [f"{name} is not in requirements/{lock}.txt" for name in names if f"\n{name}==" not in locked]
    return "\n".join([*lines, "Run python3 dev.py lock."]) if lines else ""
