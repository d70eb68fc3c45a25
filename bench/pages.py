"""Measure what pages cost in one process: `python -m bench.pages [--rounds 20] [--unsolved] [--tree FOLDER]`.

A new database on DATABASE_URL's PostgreSQL server gets an evening, 32 deals at 30 tables, and the worker analyses it.
Then each page is asked for in turn, as a stranger and as a member get it, and as it is kept, which enters where
gunicorn does. Printed are medians of the rounds, and the bytes. With --tree it runs in another checkout and in this one
in turn, with this one's packages, and prints this one's processor time as a part of the other's.
"""

import argparse
import gc
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median

from django.core.management import call_command
from django.db import connection
from django.test import Client, RequestFactory

from accounts.models import Account
from accounts.models.sessions import MEMBER_BACKEND
from bench.load.realistic_boards import random_layout, random_play, random_record
from bench.load.table import markdown
from bench.scratch import new_database, say, spent_ms
from boards.models import Board
from bridge.board import BoardRecord
from bridge.formats.pbn.writer import HEADER, write_pbn
from bridge.play import tricks_won
from config.edge.serving.public_reads import PublicReads
from config.edge.serving.wsgi import Handler

DEALS, TABLES = 32, 30
OTHERS = 400
"""Boards of other evenings, so that lists have more than one page."""
PAGES = {
    "home": "/",
    "boards": "/boards",
    "boards by words": "/boards?q=3NT+going+down",
    "boards of the evening": "/boards?event={slug}",
    "themes": "/themes",
    "a theme": "/themes/stayman",
    "hand records": "/boards/print",
    "a board": "/boards/{id}",
    "a step of the auction": "/boards/{id}?step=3",
    "a step of the play": "/boards/{id}?step=30",
    "a step with costs": "/boards/{id}?step=30&costs=shown",
    "events": "/events",
    "an evening": "/events/{slug}",
    "results of an evening": "/events/{slug}/results",
    "practice, a hand": "/practice/{id}?seat=south&step=0",
    "practice, revealed": "/practice/{id}?step=end",
    "an embed": "/boards/{id}/embed",
    "a step of an embed": "/boards/{id}/embed?step=30",
    "a picture, warm": "/boards/{id}.png",
    "the hand of the day": "/today",
}
"""The addresses by the names of the pages."""
PAGES_OF_MEMBERS = ("home", "boards", "a theme", "a board", "events", "an evening", "the hand of the day")

PAIRS = 3
ROW = re.compile(r"^\| ([^|]+?) +\| +([0-9.]+) \+ ([0-9.]+) +\|", re.MULTILINE)
"""A row of the table that is printed: the page, and the milliseconds of the application and of PostgreSQL."""

Ask = Callable[[], bytes]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.pages")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--tables", type=int, default=TABLES, help="how many tables play the evening")
    parser.add_argument("--unsolved", action="store_true", help="leave out the worker, which takes minutes")
    parser.add_argument("--tree", type=Path, help="another checkout to compare with")
    options = parser.parse_args()
    if options.tree:
        compare(options.tree, [each for each in sys.argv[1:] if each not in ("--tree", str(options.tree))])
        return
    with new_database():
        import_evening(options.tables)
        if not options.unsolved:
            call_command("run_worker", once=True)
        asked = what_to_ask()
        sizes = {name: len(ask()) for name, ask in asked.items()}
        gc.collect()
        gc.freeze()  # as config/gunicorn.conf.py does
        rounds = [{name: measure(ask) for name, ask in asked.items()} for _ in range(options.rounds)]
    rows = [("page", "CPU ms, application + PostgreSQL", "kB")]
    for name, size in sizes.items():
        own, database = (median(each) for each in zip(*(figures[name] for figures in rounds), strict=True))
        rows.append((name, f"{own:.2f} + {database:.2f}", f"{size / 1000:.1f}"))
    say(markdown(rows))


def compare(tree: Path, arguments: Sequence[str]) -> None:
    """Run in the other checkout and in this one in turn, and print the ratios of the sums of each page."""
    spent: dict[str, dict[str, list[float]]] = {"other": {}, "own": {}}
    for _ in range(PAIRS):
        for name, folder in (("other", tree), ("own", Path.cwd())):
            command = [sys.executable, "-m", "bench.pages", *arguments]
            printed = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
            for page, own, database in ROW.findall(printed):
                spent[name].setdefault(page, []).append(float(own) + float(database))
    rows: list[tuple[str, ...]] = [("page", "other ms", "ms", "ratio")]
    for page in spent["own"].keys() & spent["other"].keys():
        other, own = (median(spent[name][page]) for name in ("other", "own"))
        rows.append((page, f"{other:.2f}", f"{own:.2f}", f"{own / other:.2f}"))
    say(markdown([rows[0], *sorted(rows[1:])]))


def import_evening(tables: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "evening.pbn")
        file.write_bytes((HEADER + "".join(map(write_pbn, evening(tables)))).encode())
        call_command("import_boards", str(file), publish=True, theme=["stayman"])


def evening(tables: int) -> Iterator[BoardRecord]:
    """Yield the tables of an evening, each with its play, and boards of others."""
    choice = random.Random(1)
    for deal in range(DEALS):
        layout = random_layout(choice)
        for table in range(tables):
            record = random_record(deal, layout, choice)
            assert record.contract
            play = random_play(choice, layout, record.contract)
            yield replace(
                record,
                event="The evening",
                date="2026.11.20",
                table=str(table + 1),
                play=play,
                opening_lead=play[0],
                tricks=tricks_won(record.contract, play),
            )
    for number in range(OTHERS):
        yield random_record(number, random_layout(choice), choice)


def what_to_ask() -> dict[str, Ask]:
    """Return what asks for each page, as a stranger, as a member and as it is kept, each asked once already."""
    board = Board.objects.filter(event="The evening", table="1").order_by("board_number")[0]
    paths = {name: path.format(id=board.pk, slug=board.event_slug) for name, path in PAGES.items()}
    stranger, member = Client(), Client()
    account, _ = Account.objects.get_or_create(pk="bench-member")
    member.force_login(account, backend=MEMBER_BACKEND)
    stranger.post(f"/boards/{board.pk}/costs", secure=True)
    asked: dict[str, Ask] = {name: partial(get, stranger, path) for name, path in paths.items()}
    for name in PAGES_OF_MEMBERS:
        asked[f"{name}, a member"] = partial(get, member, paths[name])
        asked[f"{name}, kept"] = partial(get_kept, PublicReads(Handler()), paths[name])
    for ask in asked.values():
        ask()
    return asked


def get(client: Client, path: str) -> bytes:
    response = client.get(path, secure=True)
    if response.status_code != 200:
        raise SystemExit(f"{path}: {response.status_code}")
    return response.content


def get_kept(application: PublicReads, path: str) -> bytes:
    """Ask for a page as gunicorn does, so that it is kept from the second time on."""
    environ = RequestFactory().get(path, secure=True).environ
    body = application({**environ, "HTTP_COOKIE": ""}, lambda *head: None)
    content = b"".join(body)
    if hasattr(body, "close"):
        body.close()
    return content


def measure(ask: Ask) -> tuple[float, float]:
    """Return the milliseconds of this process and of PostgreSQL for a request, right after an unmeasured one."""
    ask()
    connection.ensure_connection()
    own, database = spent_ms()
    ask()
    also_own, also_database = spent_ms()
    return also_own - own, also_database - database


if __name__ == "__main__":
    main()
