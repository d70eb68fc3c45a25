"""Measure what files and writes cost in one process: `python -m bench.writes [--boards 10000]`.

DATABASE_URL names the PostgreSQL server; the database is a new one. Printed are medians of the writes of a kind. To
compare two checkouts, run it in each of them, several times in turn.
"""

import argparse
import io
import json
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.db import connection
from django.test import Client, RequestFactory

from accounts.identifiers import SYSTEM
from accounts.models import Account
from bench.load.realistic_boards import random_layout, random_par, random_record
from bench.load.table import markdown
from bench.scratch import new_database, say, spent_ms
from boards.files.exporting import stream_file
from boards.files.importing import import_boards
from boards.files.options import ImportOptions
from boards.models import Board
from boards.searching.parameters import BoardSelection
from bridge.formats.files import FileFormat
from bridge.formats.pbn.writer import HEADER, write_pbn
from deals.solver.queues import TABLES, Claim, Order, claim_next
from themes.models import Theme

REPETITIONS = 100
BATCHES_OF_SOLUTIONS = 20
AUCTION = [{"call": call} for call in ("1NT", "Pass", "3NT", "Pass", "Pass", "Pass")]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.writes")
    parser.add_argument("--boards", type=int, default=10_000, help="how many an import stores")
    options = parser.parse_args()
    with new_database():
        rows = measure_all(options.boards)
    say(markdown([("what", "CPU ms, application + PostgreSQL", "wall ms"), *rows]))


def measure_all(boards: int) -> list[Sequence[str]]:
    """Return a row for each kind of write."""
    choice = random.Random(1)
    theme = Theme.objects.order_by("type", "identifier")[0]
    records = (random_record(number, random_layout(choice), choice) for number in range(boards))
    content = (HEADER + "".join(map(write_pbn, records))).encode()
    rows = [
        measure(f"import of {boards:,} boards", [partial(import_file, content, theme)]),
        measure("import of the same file again", [partial(import_file, content, theme)]),
        measure("export of these boards", [export]),
    ]
    layouts = [{"cards": random_layout(choice).cards} for _ in range(REPETITIONS)]
    deals = [call("POST", "/api/deals", layout)["id"] for layout in layouts]
    rows.append(measure("publish a board", [partial(publish, deal, theme) for deal in deals]))
    published = list(Board.objects.filter(deal_id__in=deals))
    claims = [claim for _ in range(BATCHES_OF_SOLUTIONS) if (claim := claim_next(Order.WANTED, [TABLES]))]
    rows += [
        measure("change its title", [partial(change, board) for board in published]),
        measure("unpublish it in the admin", [partial(act, "unpublish", board) for board in published]),
        measure("publish it in the admin", [partial(act, "publish", board) for board in published]),
        measure("store 20 solutions", [partial(store, claim) for claim in claims]),
    ]
    return rows


def measure(name: str, writes: Sequence[Callable[[], object]]) -> Sequence[str]:
    """Return a row with the medians of these writes."""
    figures = []
    for write in writes:
        connection.ensure_connection()
        own, database, started = *spent_ms(), time.perf_counter()
        write()
        wall = (time.perf_counter() - started) * 1000
        also_own, also_database = spent_ms()
        figures.append((also_own - own, also_database - database, wall))
    own, database, wall = map(median, zip(*figures, strict=True))
    return name, f"{own:,.2f} + {database:,.2f}", f"{wall:,.2f}"


def import_file(content: bytes, theme: Theme) -> None:
    import_boards(io.BytesIO(content), ImportOptions(themes=[theme], publish=True))


def export() -> None:
    for _ in stream_file(BoardSelection({}, "newest"), FileFormat.PBN):
        pass


def publish(deal: str, theme: Theme) -> None:
    board = {"dealer": "N", "vulnerability": "None", "auction": {"calls": AUCTION}, "themes": [str(theme.pk)]}
    call("POST", f"/api/deals/{deal}/boards", {**board, "result": {"tricks": 9}})


def change(board: Board) -> None:
    call("PATCH", f"/api/deals/{board.deal_id}/boards/{board.pk}", {"title": "A better title"})


def call(method: str, path: str, body: Any) -> Any:
    client = Client(headers={"X-API-Key": settings.API_KEY})
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


if __name__ == "__main__":
    main()
