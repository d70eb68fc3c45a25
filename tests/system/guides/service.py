"""A running service for the commands of the guides: a gunicorn with a database of its own and shared-secret tokens."""

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import jwt
import psycopg
from django.db import connection

from tests import identity_provider as idp
from tests.system import deployment

SECRET = "a secret that the identity provider of the guides shares"
API_KEY = "the-api-key-of-the-guides-0123456789abcdef"

FILL = """
import django
from django.core.management import call_command
django.setup()
from accounts.models import Account
call_command("migrate", verbosity=0)
call_command("load_reference_data", verbosity=0)
call_command("load_demonstration")
Account.objects.create(id="support", role="support")
Account.objects.create(id="zia", display_name="Zia")
"""


def deploy(database_url: str) -> dict[str, str]:
    """Return the environment of the deployment. The limits are those of a service whose operator sets none."""
    return deployment.of(
        database_url,
        "",
        JWT_JWKS_URL="",
        JWT_SHARED_SECRET=SECRET,
        JWT_ALGORITHMS="HS256",
        API_KEY=API_KEY,
        READ_RATE="1200/m",
        WRITE_RATE="600/m",
        FORM_RATE_PER_CLIENT="10/m",
        FORM_RATE_IN_TOTAL="300/m",
    )


@contextmanager
def filled_database() -> Iterator[str]:
    """Yield the address of a database with the demonstration boards and a few accounts."""
    with empty_database() as url:
        deployment.python(deploy(url), "-c", FILL)
        yield url


@contextmanager
def empty_database() -> Iterator[str]:
    """Yield the address of a new database, of the kind that the tests run on, and delete it afterwards."""
    if connection.vendor == "sqlite":
        with tempfile.TemporaryDirectory(prefix="bridge-boards-guides-") as folder:
            yield f"sqlite:///{folder}/db.sqlite3"
        return
    with new_postgresql("") as url:
        yield url


@contextmanager
def copy_of(url: str) -> Iterator[str]:
    """Yield the address of a copy of a database that nothing is connected to, and delete it afterwards."""
    if not url.startswith("sqlite"):
        with new_postgresql(f" TEMPLATE {urlsplit(url).path[1:]}") as copy:
            yield copy
        return
    with empty_database() as copy:
        shutil.copy(url.removeprefix("sqlite:///"), copy.removeprefix("sqlite:///"))
        yield copy


@contextmanager
def new_postgresql(template: str) -> Iterator[str]:
    url = os.environ["DATABASE_URL"]
    name = f"guides_{uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}{template}")
        try:
            yield urlunsplit(urlsplit(url)._replace(path=f"/{name}"))
        finally:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def running_service(database_url: str) -> Iterator[dict[str, str]]:
    """Start the service and yield the variables that the guides name: BASE, TOKEN, STAFF_TOKEN and API_KEY."""
    with deployment.gunicorn(deploy(database_url)) as port:
        yield {
            "BASE": f"http://127.0.0.1:{port}",
            "TOKEN": token_of("demo"),
            "STAFF_TOKEN": token_of("support"),
            "API_KEY": API_KEY,
        }


def token_of(account: str) -> str:
    now = int(time.time())
    claims = {"sub": account, "iss": idp.ISSUER, "aud": idp.AUDIENCE, "iat": now, "exp": now + 3600}
    return jwt.encode(claims, SECRET, algorithm="HS256")
