"""The requests of bench.admin_lists, on the database of DATABASE_URL. Prints a table."""

import html
import itertools
import re
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from statistics import median
from urllib.parse import urlencode

import django

django.setup()

from django.contrib import admin  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.db.models import Model  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.urls import reverse  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import Account, AccountChange  # noqa: E402
from bench.load.seed import ACCOUNTS, account_id, copy_rows  # noqa: E402
from bench.scratch import say  # noqa: E402
from boards.models import Board  # noqa: E402
from forms.models import Submission  # noqa: E402
from impersonation.models import Impersonation, ImpersonationEvent  # noqa: E402
from themes.models import Theme  # noqa: E402

ROUNDS = 7
ROWS = 100_000
"""Of each of the tables that the boards' seed leaves empty."""
DRAFTS = 1_000
ADMIN = "bench-admin"
SUBJECT = "bench-0042"
WORDS = {
    "submission": "tournament",
    "theme": "bench_7",
    **dict.fromkeys(("account", "accountchange", "impersonation", "impersonationevent"), SUBJECT),
}
"""What is searched for; elsewhere "12", which some rows of each list have."""
EXAMPLES: dict[str, Callable[[], str]] = {
    "theme": lambda: str(Theme.objects.get(identifier="stayman").pk),
    "event": lambda: "Club",
    "played_from": lambda: "2026-06-01",
}
"""What is typed into the fields of filters, by their names."""


def main(only: list[str]) -> None:
    """Measure in one transaction, which is rolled back, and without parallel workers, whose time nobody could count."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL max_parallel_workers_per_gather = 0")
        add_rows()
        client = Client(SERVER_NAME="127.0.0.1")
        client.force_login(Account.objects.get(pk=ADMIN))
        say("| list | queries | CPU ms, application + PostgreSQL | rows |\n| --- | --- | --- | --- |")
        for model in sorted(admin.site._registry, key=lambda model: model._meta.label):
            if not only or model._meta.model_name in only:
                for name, path in variants(client, model):
                    say(f"| {name} | {measure(client, path)} |")
        transaction.set_rollback(True)


# --- Rows


def add_rows() -> None:
    """Add drafts, messages, impersonations with their events, and changes of accounts, five minutes apart."""
    Account.objects.create(pk=ADMIN, role=Account.Role.ADMIN)
    ids = list(Board.objects.order_by("pk").values_list("pk", flat=True)[:DRAFTS])
    Board.objects.filter(pk__in=ids).update(published_at=None)
    now = timezone.now()
    moments = [now - timedelta(minutes=5 * number) for number in range(ROWS)]
    makers: dict[type[Model], Callable[[int, datetime], Model]] = {
        Submission: make_submission,
        Impersonation: make_impersonation,
        ImpersonationEvent: make_event,
        AccountChange: make_change,
    }
    for model, make in makers.items():
        copy_rows(model, itertools.starmap(make, enumerate(moments)))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def make_submission(number: int, at: datetime) -> Submission:
    message = "Is there a tournament on Friday? " * 5
    sender = {"name": f"Visitor {number}", "email": f"visitor{number}@example.org"}
    return Submission(
        form="contact",
        data={**sender, "subject": f"Question {number}", "message": message},
        language="en",
        is_suspected=number % 3 == 0,
        created_at=at,
        handled_at=at if number % 100 else None,
        handled_by_id=ADMIN if number % 100 else None,
    )


def make_impersonation(number: int, at: datetime) -> Impersonation:
    return Impersonation(
        actor_id=ADMIN,
        subject_id=account_id(number % ACCOUNTS),
        reason="A question about a board",
        started_at=at,
        expires_at=at + timedelta(minutes=30),
        ended_at=at + timedelta(minutes=10),
    )


def make_event(number: int, at: datetime) -> ImpersonationEvent:
    return ImpersonationEvent(
        impersonation_id=uuid.UUID(int=number // 4),
        kind=ImpersonationEvent.Kind.REQUEST,
        actor_id=ADMIN,
        subject_id=account_id(number % ACCOUNTS),
        method="GET",
        route="api/boards",
        status=200,
        request_id=f"{number:032}",
        created_at=at,
    )


def make_change(number: int, at: datetime) -> AccountChange:
    return AccountChange(
        subject_id=account_id(number % ACCOUNTS),
        actor_id=ADMIN,
        field=AccountChange.Field.IS_ACTIVE,
        old="true",
        new="false",
        request_id=f"{number:032}",
        created_at=at,
    )


# --- Requests


def variants(client: Client, model: type[Model]) -> Iterator[tuple[str, str]]:
    """Yield the name and the address of a list: plain, searched, and by the last choice of each of its filters."""
    name = model._meta.model_name or ""
    path = reverse(f"admin:{model._meta.app_label}_{name}_changelist")
    yield name, path
    page = client.get(path).content.decode()
    if 'id="searchbar"' in page:
        yield f"{name}, searched", f"{path}?{urlencode({'q': WORDS.get(name, '12')})}"
    for part in page.split("data-filter-title=")[1:]:
        title = part.split('"')[1]
        links = re.findall(r'<a href="(\?[^"]+)"', part.split("</details>")[0])
        if links:
            yield f"{name} by {title}", path + html.unescape(links[-1])
    fields = re.findall(r'name="([a-z_]+)"', page.partition('id="changelist-filter"')[2])
    for field in sorted(EXAMPLES.keys() & set(fields)):
        yield f"{name} by {field.replace('_', ' ')}", f"{path}?{urlencode({field: EXAMPLES[field]()})}"


def measure(client: Client, path: str) -> str:
    """Return the columns of a list: queries, medians of the processor times, and what the page counts."""
    with CaptureQueriesContext(connection) as queries:
        page = get(client, path)
    count = len(queries)  # The next request empties the log.
    rounds = []
    for _ in range(ROUNDS):
        database, application = database_ms(), time.process_time()
        get(client, path)
        rounds.append(((time.process_time() - application) * 1000, database_ms() - database))
    application_ms, of_database = (median(column) for column in zip(*rounds, strict=True))
    counted = re.search(r'class="paginator"[^>]*>.*?([0-9,]+) [a-z ]+\s*<', page, re.DOTALL)
    rows = counted[1] if counted else ""
    return f"{count} | {application_ms:.1f} + {of_database:.1f} | {rows}"


def get(client: Client, path: str) -> str:
    response = client.get(path)
    if response.status_code != HTTPStatus.OK:
        raise SystemExit(f"GET {path}: {response.status_code}")
    return response.content.decode()


def database_ms() -> float:
    """Return the processor time of this session's process in PostgreSQL. Linux counts it to the nanosecond."""
    pid = connection.connection.info.backend_pid
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e6


if __name__ == "__main__":
    main(sys.argv[1:])
