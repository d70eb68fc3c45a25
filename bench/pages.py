"""Measure what pages cost, here and in other checkouts: `python -m bench.pages [--tree FOLDER …]`.

Each checkout imports the same evening, 32 deals at 30 tables, and its worker analyses it. Then each measures its pages
in turn, with Django's test client in one process. Pages that a checkout has not are left out there. Printed are medians
of the rounds, and the bytes of each page, for strangers, for members, and kept. BENCH_DATABASE_URL names the server.
"""

import argparse
import json
import random
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median

from bench.checkouts import commit_of, run
from bench.load.realistic_boards import random_layout, random_play, random_record
from bench.load.servers import ROOT
from bench.load.table import markdown
from bench.scratch import say
from bench.writes import prepared
from deals.bridge.board import BoardRecord
from deals.bridge.formats.pbn.writer import HEADER, write_pbn
from deals.bridge.play import tricks_won

STEPS = Path(__file__).with_name("page_steps.py")
DEALS, TABLES = 32, 30
OTHERS = 400
"""Boards of other evenings, so that lists have more than one page."""


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


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.pages", description="Measure what pages cost.")
    parser.add_argument("--tree", type=Path, action="append", default=[], help="another checkout to measure")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tables", type=int, default=TABLES, help="how many tables play the evening")
    parser.add_argument("--unsolved", action="store_true", help="leave out the worker, which takes minutes")
    options = parser.parse_args()
    trees = [ROOT, *(tree.resolve() for tree in options.tree)]
    results: dict[Path, list[dict[str, list[float]]]] = {tree: [] for tree in trees}
    with tempfile.TemporaryDirectory() as folder, prepared(trees) as environments:
        file = Path(folder) / "evening.pbn"
        file.write_bytes((HEADER + "".join(map(write_pbn, evening(options.tables)))).encode())
        for tree in trees:
            environments[tree]["MEMBER_OIDC_CLIENT_ID"] = "bench"  # else pages have no link to sign in
            run(
                tree,
                environments[tree],
                "manage.py",
                "import_boards",
                file,
                "--publish",
                "--theme",
                "stayman",
            )
            if not options.unsolved:
                run(tree, environments[tree], "manage.py", "run_worker", "--once")
        for number in range(options.rounds):
            for tree in trees if number % 2 == 0 else reversed(trees):
                results[tree].append(json.loads(run(tree, environments[tree], STEPS)))
    say(render(results))


def render(results: dict[Path, list[dict[str, list[float]]]]) -> str:
    rows = [("page", "checkout", "CPU ms, application + PostgreSQL", "kB")]
    for name in next(iter(results.values()))[0]:
        for tree, rounds in results.items():
            if name in rounds[0]:
                ours, database, size = (median(each[name][index] for each in rounds) for index in range(3))
                rows.append((name, commit_of(tree), f"{ours:.2f} + {database:.2f}", f"{size / 1000:.1f}"))
    return markdown(rows)


if __name__ == "__main__":
    main()
