"""Measure what pages cost, here and in other checkouts: `python -m bench.pages [--tree FOLDER …]`.

Each checkout imports the same evening, 32 deals at 30 tables, and its worker analyses it. Then a process of each waits,
and is asked for every page in turn, so that two checkouts are measured within the same second: how fast the machine is
changes from minute to minute. Pages come from Django's test client, for strangers, for members, and kept. Printed are
medians of the rounds, the bytes of a page, and what it costs here for each millisecond that it costs in the other
checkout: the median of the rounds' ratios, and their quartiles. Pages that a checkout has not are left out there.
BENCH_DATABASE_URL names the server.
"""

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median, quantiles
from subprocess import PIPE, Popen
from typing import IO

from bench.checkouts import commit_of, run
from bench.load.realistic_boards import random_layout, random_play, random_record
from bench.load.servers import ROOT
from bench.load.table import markdown
from bench.scratch import say
from bench.writes import prepared
from deals.bridge.board import BoardRecord
from deals.bridge.formats.pbn.writer import HEADER, write_pbn
from deals.bridge.play import tricks_won

Figures = list[float]
"""Milliseconds of the process, milliseconds of PostgreSQL, and bytes."""

Round = dict[str, dict[Path, Figures]]

STEPS = Path(__file__).with_name("page_steps.py")
DEALS, TABLES = 32, 30
OTHERS = 400
"""Boards of other evenings, so that lists have more than one page."""


@dataclass(frozen=True)
class Measuring:
    """A checkout's process that measures what it is asked for."""

    names: Sequence[str]
    stdin: IO[str]
    stdout: IO[str]

    def ask(self, name: str) -> Figures:
        self.stdin.write(f"{name}\n")
        self.stdin.flush()
        figures: Figures = json.loads(self.stdout.readline())
        return figures


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
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--tables", type=int, default=TABLES, help="how many tables play the evening")
    parser.add_argument("--unsolved", action="store_true", help="leave out the worker, which takes minutes")
    options = parser.parse_args()
    trees = [ROOT, *(tree.resolve() for tree in options.tree)]
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
        with ExitStack() as stack:
            processes = {tree: stack.enter_context(measuring(tree, environments[tree])) for tree in trees}
            rounds = [one_round(processes) for _ in range(options.rounds)]
    say(render(rounds, trees))


@contextmanager
def measuring(tree: Path, environment: dict[str, str]) -> Iterator[Measuring]:
    """Run a checkout's process until the end, and yield what asks it for a page by its name."""
    command = [sys.executable, "-P", str(STEPS)]
    with Popen(command, cwd=tree, env=environment, text=True, stdin=PIPE, stdout=PIPE) as process:
        assert process.stdin and process.stdout
        yield Measuring(json.loads(process.stdout.readline()), process.stdin, process.stdout)
        process.stdin.close()


def one_round(processes: dict[Path, Measuring]) -> Round:
    """Measure each page in each checkout that has it, one right after the other, in an order that chance decides."""
    names = next(iter(processes.values())).names
    return {
        name: {
            tree: processes[tree].ask(name)
            for tree in random.sample(list(processes), len(processes))
            if name in processes[tree].names
        }
        for name in names
    }


def render(rounds: Sequence[Round], trees: Sequence[Path]) -> str:
    rows = [("page", "checkout", "CPU ms, application + PostgreSQL", "kB", "here ÷ there")]
    for name in rounds[0]:
        for tree in trees:
            figures = [each[name][tree] for each in rounds if tree in each[name]]
            if figures:
                own, database, size = map(median, zip(*figures, strict=True))
                ratio = ratios(rounds, name, trees[0], tree) if tree != trees[0] else ""
                rows.append(
                    (name, commit_of(tree), f"{own:.2f} + {database:.2f}", f"{size / 1000:.1f}", ratio)
                )
    return markdown(rows)


def ratios(rounds: Sequence[Round], name: str, here: Path, there: Path) -> str:
    """Return the median and the quartiles of what a page costs here for what it costs there."""
    each = [sum(round_[name][here][:2]) / sum(round_[name][there][:2]) for round_ in rounds]
    first, second, third = quantiles(each, n=4)
    return f"{second:.2f} ({first:.2f} to {third:.2f})"


if __name__ == "__main__":
    main()
