"""`dev.py check`: what CI runs besides the tests."""

import os
import secrets
from collections.abc import Sequence

from tools.environment import SCRIPTS, Environment, call, ensure_environment, say
from tools.lock import find_unlocked
from tools.sbom import find_unexamined

PRODUCTION_LIKE = {
    "DJANGO_SETTINGS_MODULE": "config.settings",
    "SECRET_KEY": secrets.token_urlsafe(50),
    "API_KEY": secrets.token_urlsafe(32),
    "DEVELOPMENT_TOKENS": "false",
    "ALLOWED_HOSTS": "boards.example",
    "PUBLIC_BASE_URL": "https://boards.example",
    "TRUSTED_PROXIES": "127.0.0.1/32",
    "DATABASE_URL": "sqlite:///:memory:",
    "JWT_JWKS_URL": "https://login.example/jwks",
    "JWT_ISSUER": "https://login.example/",
    "JWT_AUDIENCE": "bridge-boards",
    "JWT_TOKEN_TYPE": "at+jwt",
}

STEPS = {
    "lint": ["ruff", "check", "."],
    "format": ["ruff", "format", "--check", "."],
    "templates are indented": ["djhtml", "--check", "--tabwidth", "2", "templates"],
    "templates are sound": ["djlint", "--lint", "--quiet", "templates"],
    "types": ["mypy"],
    "import floors": ["lint-imports"],
    "migrations are made": ["python", "manage.py", "makemigrations", "--check", "--dry-run"],
    "migrations are safe": ["python", "manage.py", "lintmigrations", "--settings", "tests.lint_settings"],
    "deployment": ["python", "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
    "schema": ["python", "manage.py", "spectacular", "--validate", "--fail-on-warn", "--file", os.devnull],
}


def check(arguments: Sequence[str]) -> int:
    """Check lint, format, types, import floors, migrations, deployment and schema. Print one line for each."""
    ensure_environment("dev")
    env = {**os.environ, **PRODUCTION_LIKE}
    outcomes = [
        report("requirements are locked", find_unlocked()),
        report("requirements are examined", find_unexamined()),
    ]
    outcomes += [report(name, output_of_failure(command, env)) for name, command in STEPS.items()]
    say(f"{outcomes.count(True)} passed, {outcomes.count(False)} failed")
    return 0 if all(outcomes) else 1


def report(name: str, problem: str) -> bool:
    say(f"FAILED {name}\n{problem}" if problem else f"ok     {name}")
    return not problem


def output_of_failure(command: Sequence[str], env: Environment) -> str:
    """Return the output of a command that failed, and nothing of one that succeeded."""
    program, *rest = command
    done = call([SCRIPTS / program, *rest], env, check=False, capture_output=True)
    return done.stdout + done.stderr + f"(exit code {done.returncode})" if done.returncode else ""
