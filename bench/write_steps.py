"""The files and writes of bench.writes, in the checkout of the working directory. Prints one line of JSON.

For each step: milliseconds of this process, of PostgreSQL and of the clock, for one write of its kind. An older
checkout is measured by its own copy of this file.
"""

import json
import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import django

django.setup()

from django.contrib import admin  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client, RequestFactory  # noqa: E402

from accounts.identifiers import SYSTEM  # noqa: E402
from accounts.models import Account  # noqa: E402
from bench.load.realistic_boards import random_layout, random_par  # noqa: E402
from boards.files.exporting import stream_file  # noqa: E402
from boards.files.importing import import_boards  # noqa: E402
from boards.filters.parameters import BoardSelection  # noqa: E402
from boards.models import Board  # noqa: E402
from deals.bridge.formats.files import FileFormat  # noqa: E402
from deals.solver.queues import Claim, Order, claim_next  # noqa: E402
from deals.solver.tables import TABLES  # noqa: E402
from themes.models import Theme  # noqa: E402

REPETITIONS = 100
BATCHES_OF_SOLUTIONS = 20
SESSIONS = (
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"
)
AUCTION = [{"call": call} for call in ("1NT", "Pass", "3NT", "Pass", "Pass", "Pass")]


def main(path: Path) -> None:
    steps = {}
    with path.open("rb") as file:
        theme = Theme.objects.order_by("type", "identifier")[0]
        import_file = partial(import_boards, file=file, themes=[theme], publish=True)
        steps[f"import of {count_boards(path):,} boards"] = measure([import_file])
        file.seek(0)
        steps["import of the same file again"] = measure([import_file])
    steps["export of these boards"] = measure([export])
    deals = make_deals()
    steps["publish a board"] = measure([partial(publish, deal, theme) for deal in deals])
    boards = list(Board.objects.filter(deal_id__in=deals))
    steps["change its title"] = measure([partial(change, board) for board in boards])
    steps["unpublish it in the admin"] = measure([partial(act, "unpublish", board) for board in boards])
    steps["publish it in the admin"] = measure([partial(act, "publish", board) for board in boards])
    claims = [claim for _ in range(BATCHES_OF_SOLUTIONS) if (claim := claim_next(Order.WANTED, [TABLES]))]
    steps["store 20 solutions"] = measure([partial(store, claim) for claim in claims])
    print(json.dumps(steps))  # noqa: T201


def export() -> None:
    for _ in stream_file(BoardSelection({}, "newest"), FileFormat.PBN):
        pass


def count_boards(path: Path) -> int:
    return path.read_bytes().count(b"[Board ")


def make_deals() -> list[str]:
    choice = random.Random(2)
    return [
        call("POST", "/api/deals", {"cards": random_layout(choice).cards})["id"] for _ in range(REPETITIONS)
    ]


def publish(deal: str, theme: Theme) -> None:
    board = {"dealer": "N", "vulnerability": "None", "auction": {"calls": AUCTION}, "themes": [str(theme.pk)]}
    call("POST", f"/api/deals/{deal}/boards", {**board, "result": {"tricks": 9}})


def change(board: Board) -> None:
    call("PATCH", f"/api/deals/{board.deal_id}/boards/{board.pk}", {"title": "A better title"})


def call(method: str, path: str, body: Any) -> Any:
    client = Client(SERVER_NAME=os.environ["ALLOWED_HOSTS"], headers={"X-API-Key": os.environ["API_KEY"]})
    response = client.generic(method, path, json.dumps(body), "application/json")
    if response.status_code >= 300:
        raise SystemExit(f"{method} {path}: {response.status_code} {response.content!r}")
    return response.json()


def act(action: str, board: Board) -> None:
    """Run an action of the admin's list on the board, without the pages around it."""
    model_admin = admin.site.get_model_admin(Board)
    model_admin.message_user = lambda *arguments: None  # type: ignore[method-assign]
    request = RequestFactory().post("/")
    request.user = Account.objects.get(pk=SYSTEM)  # the action is logged as somebody's
    getattr(model_admin, action)(request, Board.objects.filter(pk=board.pk))


def store(claim: Claim) -> None:
    choice = random.Random(3)
    TABLES.store(claim, {job.id: {"double_dummy": "7" * 20, "par": random_par(choice)} for job in claim.jobs})


def measure(writes: Sequence[Callable[[], object]]) -> tuple[float, float, float]:
    """Return the mean milliseconds of these writes: this process's, PostgreSQL's, and the clock's."""
    connection.ensure_connection()
    database, application, started = database_ms(), time.process_time(), time.perf_counter()
    for write in writes:
        write()
    spent = (time.process_time() - application) * 1000
    wall = (time.perf_counter() - started) * 1000
    return spent / len(writes), (database_ms() - database) / len(writes), wall / len(writes)


def database_ms() -> float:
    """Return the processor time of the database's sessions. Linux counts it to the nanosecond."""
    with connection.cursor() as cursor:
        cursor.execute(SESSIONS)
        files = [Path(f"/proc/{pid}/schedstat") for (pid,) in cursor.fetchall()]
    return sum(int(file.read_text().split()[0]) for file in files) / 1e6


if __name__ == "__main__":
    main(Path(sys.argv[1]))
