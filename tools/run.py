"""`dev.py run`: a service with demonstration boards, and its worker, until Ctrl-C."""

import http.client
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path

from tools.children import run_children
from tools.environment import PYTHON, SCRIPTS, VAR, Command, Environment, call, ensure_environment, say

# One process for five of manage.py's commands: each start of Django takes longer than the command.
# A database that `migrate` refuses is told in its sentence, without a traceback.
PREPARE = """
import sys
import django
from django.core.management import CommandError, call_command
django.setup()
try:
    call_command("migrate", verbosity=0)
except CommandError as error:
    sys.exit(str(error))
call_command("refresh_boards", missing=True)
call_command("index_boards", missing=True)
call_command("load_reference_data")
call_command("load_demonstration")
"""

# It comes last, so that nothing is printed below a password. No token names this admin, so nobody whom an identity
# provider calls "admin" is one.
MAKE_ADMIN = """
import logging
import django
from django.conf import settings
from django.core.management import call_command
django.setup()
logging.disable()
from accounts.identifiers import LOCAL_ADMIN
if settings.ADMIN_PASSWORDS:
    call_command("create_staff", id=LOCAL_ADMIN, role="admin", generated=True)
"""


def run(arguments: Sequence[str]) -> int:
    """Start a service with demonstration boards, and its worker, until Ctrl-C. Print its addresses.

    Everything is kept in var/: the database, and the secrets that were made, in var/env. Any setting of
    docs/reference/settings.md may stand before the command: PORT=8001 python3 dev.py run
    """
    if os.name == "nt":
        sys.exit("gunicorn does not run on Windows. Run this in WSL.")
    env = service_environment()
    refuse_taken_port(env["PORT"])
    ensure_environment("run")
    if code := call([PYTHON, "-c", PREPARE], env, check=False).returncode:
        return code  # its lines say why
    service: Command = [SCRIPTS / "gunicorn", "-c", "config/gunicorn.conf.py", "config.wsgi"]
    worker: Command = [PYTHON, "manage.py", "run_worker"]
    with run_children({"service": service, "worker": worker}, env) as (processes, start):
        if wait_until_ready(env["PORT"], processes["service"]):
            introduce(env)
            call([PYTHON, "-c", MAKE_ADMIN], env)
        return watch(processes, start)


def service_environment() -> dict[str, str]:
    """Return the settings: from the real environment, else from var/env, else a default.

    Secrets are made once and kept in var/env, where manage.py reads them. Development tokens are turned off there as
    soon as the environment names a real identity provider.
    """
    former = read_env_file(VAR / "env")
    stored = dict(former)
    stored.setdefault("SECRET_KEY", secrets.token_urlsafe(50))
    stored.setdefault("API_KEY", secrets.token_urlsafe(32))
    has_provider = any(os.environ.get(name) for name in ("JWT_JWKS_URL", "JWT_SHARED_SECRET", "JWT_ISSUER"))
    stored["DEVELOPMENT_TOKENS"] = "false" if has_provider else "true"
    if stored != former:
        write_env_file(VAR / "env", stored)
    port = os.environ.get("PORT", "8000")
    defaults = {
        "PORT": port,
        "DATABASE_URL": f"sqlite:///{VAR / 'db.sqlite3'}",
        "PUBLIC_BASE_URL": f"http://localhost:{port}",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    return {**defaults, **stored, **os.environ}


def read_env_file(path: Path) -> dict[str, str]:
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return dict(line.split("=", 1) for line in lines if "=" in line)


def write_env_file(path: Path, values: Environment) -> None:
    """Write secrets: only their owner may read the folder and the file.

    They are written beside the file, which is then replaced. A crash or a full disk leaves the former file whole.
    """
    path.parent.mkdir(mode=0o700, exist_ok=True)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:
            file.writelines(f"{name}={value}\n" for name, value in values.items())
            file.flush()
            os.fsync(descriptor)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def refuse_taken_port(port: str) -> None:
    if not port.isdecimal():
        sys.exit(f"PORT={port} is not a port number. Write, for example, PORT=8001 python3 dev.py run")
    try:
        socket.create_server(("127.0.0.1", int(port))).close()
    except (OSError, OverflowError) as error:
        sys.exit(f"Port {port} cannot be used ({error}). Choose another: PORT=8001 python3 dev.py run")


def wait_until_ready(port: str, service: subprocess.Popen) -> bool:
    """Wait for the first answer, and tell whether it came. A refusal will do: ALLOWED_HOSTS may lack 127.0.0.1."""
    while service.poll() is None:
        connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=5)
        with closing(connection), suppress(OSError, http.client.HTTPException):
            connection.request("HEAD", "/livez")
            connection.getresponse()
            return True
        time.sleep(0.1)
    return False


def introduce(env: Environment) -> None:
    """Print the addresses and two commands to try. An API key that was not made here is a secret and not printed."""
    here = env["PUBLIC_BASE_URL"]
    key = "$API_KEY" if "API_KEY" in os.environ else env["API_KEY"]
    say(f"""
  pages    {here}/              boards {here}/api/boards
  docs     {here}/api/docs      schema {here}/api/openapi.json
  admin    {here}/admin/        account "local-admin"; the first start prints its password below

  curl "{here}/api/deals" -H "X-API-Key: {key}\"""")
    if env["DEVELOPMENT_TOKENS"].lower() in ("true", "1", "on", "yes"):
        say(f"\n  Sign in as Anna, Bo or Chris, from this machine, at {here}/sign-in\n")
        issue: Command = [PYTHON, "manage.py", "issue_token", "demo", "--role", "member"]
        token = call(issue, env, stdout=subprocess.PIPE).stdout.strip()
        say(f'  curl "{here}/api/accounts/me" -H "Authorization: Bearer {token}"')
    say("\n  Ctrl-C stops the service. Its data stays in var/.\n")


def watch(processes: dict[str, subprocess.Popen], start: Callable[[str], None]) -> int:
    """Wait for Ctrl-C and return 0, or for gunicorn to end by itself and return 1. Start a worker that ended again."""
    pause = 1
    try:
        while processes["service"].poll() is None:
            time.sleep(0.2)
            if (code := processes["worker"].poll()) is not None:
                say(f"The worker ended by itself (exit code {code}). It is started again in {pause} s.")
                time.sleep(pause)
                start("worker")
                pause = min(pause * 2, 60)
    except KeyboardInterrupt:
        return 0
    code = processes["service"].returncode
    say(f"The service ended by itself (exit code {code}). The lines above say why.")
    return 1
