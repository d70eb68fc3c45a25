"""Running the commands of a guide in one language, one after the other in one shell, program or module."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.system.guides.claims import differences
from tests.system.guides.steps import Step

MARK = "--- end of a step ---"
ENDINGS = {
    "sh": f"printf '\\n%s\\n' '{MARK}'",
    "python": f"print('\\n{MARK}', flush=True)",
    "ts": f"console.log('\\n{MARK}');",
}
"""What is added to a command, so that its output can be told from that of the next one."""

LAST = {"ts": "process.exit();\n"}
"""The end of a program. Node would wait four seconds for the connections that fetch keeps."""

FILE_ENDINGS = {"sh": "sh", "python": "py", "ts": "mts"}
TYPESCRIPT = {
    "compilerOptions": {
        "strict": True,
        "noEmitOnError": True,
        "target": "es2022",
        "module": "nodenext",
        "lib": ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
        "types": ["node"],
    }
}
"""The guides are modules of ECMAScript for Node.js, strictly typed."""


def write_program(folder: Path, name: str, language: str, steps: Sequence[Step]) -> Path:
    """Write all commands of a guide in one language into a file, and return its path."""
    path = folder / f"guide-{name}.{FILE_ENDINGS[language]}"  # collections.py would hide Python's own
    parts = [f"{step.commands[language]}{ENDINGS[language]}\n" for step in steps]
    path.write_text("".join(parts) + LAST.get(language, ""), encoding="utf-8")
    return path


def compile_typescript(folder: Path, packages: Path) -> str:
    """Compile all modules of a folder. Return "" or what the compiler finds wrong."""
    (folder / "tsconfig.json").write_text(json.dumps(TYPESCRIPT), encoding="utf-8")
    (folder / "node_modules").symlink_to(packages / "node_modules")
    command = [packages / "node_modules" / ".bin" / "tsc", "--project", "tsconfig.json"]
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    return done.stdout if done.returncode else ""


def run_program(path: Path, steps: Sequence[Step], variables: Mapping[str, str]) -> tuple[int, list[str]]:
    """Run a guide. Return how many of its steps did what they claim, and what is wrong with the others."""
    command = {
        ".sh": ["bash", "-eu", "-o", "pipefail", path],
        ".py": [sys.executable, "-W", "error", path],
        ".mts": ["node", path.with_suffix(".mjs")],
    }[path.suffix]
    # What a reader's shell has, and the variables that the guides name. No proxy stands before this machine.
    own = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "TMPDIR")}
    files: dict[str, Any] = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
    done = subprocess.run(command, cwd=path.parent, env={**own, **variables}, check=False, **files)
    printed = done.stdout.split(f"\n{MARK}\n")
    problems = []
    for number, (step, text) in enumerate(zip(steps, printed, strict=False), start=1):
        if number < len(printed) and (wrong := differences(step.answer_kind, step.answer, text)):
            problems.append(f"{path.name}, step {number}: {wrong}")
    right = min(len(printed) - 1, len(steps)) - len(problems)
    if done.returncode or len(printed) - 1 != len(steps):
        problems.append(
            f"{path.name} ended with {done.returncode} in step {len(printed)} of {len(steps)}:"
            f" {printed[-1]}{done.stderr}"
        )
    return right, problems
