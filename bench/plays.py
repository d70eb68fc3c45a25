"""`python -m bench.plays FILE…`: what it costs to analyse the plays of bridge files, and how many bytes are stored.

`python -m bench.plays --positions 1000 FILE…`: compare the solver with a minimax of our own. So many endings of at most
ten cards come from plays of the files and from random ones: the trace and the cost of each card must be the same. Each
trace must begin with what the table of its deal says.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean, median, quantiles

from bench.scratch import say
from deals.bridge.board import BoardRecord
from deals.bridge.contract import Contract
from deals.bridge.formats.files import read_boards
from deals.bridge.formats.outcomes import ReadBoard
from deals.bridge.layout import Layout
from deals.bridge.replay import cards_of
from deals.double_dummy import Table
from deals.play_analysis import Trace, choices_at
from deals.solver.dds import PlayQuestion
from deals.solver.process import Solver
from tests.deals.test_play_analysis import minimax, play_at_random

BOARDS = 31_000
MIN_PLAYED = 42
"""The cards that have been played before an ending. The minimax tries the ten that are left in every order."""

Play = tuple[Layout, Contract, tuple[str, ...]]


def plays_of(paths: Sequence[Path]) -> Iterator[Play]:
    """Yield the plays and leads of the files' boards whose contract is known."""
    for path in paths:
        with path.open("rb") as file:
            for outcome in read_boards(file):
                if isinstance(outcome, ReadBoard) and (play := play_of(outcome.content)):
                    yield play


def play_of(record: BoardRecord) -> Play | None:
    cards, contract = cards_of(record), record.contract
    return (record.layout, contract, cards) if contract and contract.declarer and cards else None


def question_of(play: Play) -> PlayQuestion:
    layout, contract, cards = play
    declarer = contract.declarer.value if contract.declarer else ""
    return {"cards": layout.cards, "contract": contract.text, "declarer": declarer, "play": [*cards]}


def solve(solver: Solver, task: str, name: str, plays: Sequence[Play]) -> list[str]:
    """Return the stored forms of the answers. Every one must be solved."""
    questions = [question_of(play) for play in plays]
    answers = solver.solve(
        questions, task=task, seconds=60 + 2 * len(plays), read=lambda answer: str(answer[name])
    )
    found = [answer for answer in answers if answer]
    assert len(found) == len(plays)
    return found


def solve_table(solver: Solver, layout: Layout) -> str:
    (table,) = solver.solve(
        [layout.cards], task="tables", seconds=60, read=lambda answer: str(answer["table"])
    )
    assert table
    return table


def measure(task: str, name: str, plays: Sequence[Play]) -> list[float]:
    """Print the CPU of the child for each play, in milliseconds, and the bytes that are stored. Linux tells the CPU."""
    milliseconds, sizes = [], []
    with Solver() as solver:
        solver.start()
        usage = Path(f"/proc/{solver.pid}/schedstat")
        for play in plays:
            start = nanoseconds(usage)
            sizes.append(len(*solve(solver, task, name, [play])))
            milliseconds.append((nanoseconds(usage) - start) / 1e6)
    p95 = quantiles(milliseconds, n=20)[-1]
    say(
        f"{task}: {len(plays)} plays; ms: median {median(milliseconds):.1f}, mean {mean(milliseconds):.1f},"
        f" p95 {p95:.1f}, most {max(milliseconds):.1f}; bytes: mean {mean(sizes):.1f}, most {max(sizes)}"
    )
    return milliseconds


def nanoseconds(usage: Path) -> int:
    """Return the CPU that a process of one thread has used."""
    return int(usage.read_text(encoding="ascii").split()[0])


def compare(plays: Sequence[Play], positions: int) -> int:
    """Return how many endings, and how many beginnings of plays, differ from what must be so."""
    choice = random.Random(1)
    whole = [(layout, contract, cards) for layout, contract, cards in plays if len(cards) >= MIN_PLAYED]
    endings = []
    for number in range(positions):
        layout, contract, cards = (
            choice.choice(whole)
            if whole and number % 2
            else (*(drawn := play_at_random(number, 50))[:2], tuple(drawn[2]))
        )
        endings.append((layout, contract, cards[: choice.randint(MIN_PLAYED, min(len(cards), 49))]))
    with Solver() as solver:
        traces = solve(solver, "plays", "trace", endings)
        costs = solve(solver, "costs", "costs", endings)
        tables = [solve_table(solver, layout) for layout, _, _ in endings]
    different = cells = 0
    for (layout, contract, cards), trace, stored, table in zip(endings, traces, costs, tables, strict=True):
        assert contract.declarer and contract.denomination
        now = minimax(layout, contract, cards)
        _, choices = choices_at(stored, layout, contract, cards, len(cards)) or (None, [])
        expected = [abs(now - minimax(layout, contract, [*cards, card])) for card, _ in choices]
        different += Trace(trace).tricks[-1] != now or [cost for _, cost in choices] != expected
        cells += Table(table).tricks()[contract.declarer][contract.denomination] != Trace(trace).tricks[0]
    say(
        f"{positions} endings: {different} differ from the minimax; {cells} traces begin otherwise than the table"
    )
    return different + cells


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=0)
    parser.add_argument(
        "--plays", type=int, default=1000, help="how many plays are measured, drawn at random"
    )
    parser.add_argument("files", nargs="+", type=Path)
    options = parser.parse_args()
    plays = list(dict.fromkeys(plays_of(options.files)))
    say(f"{len(plays)} different plays, {mean(len(cards) for _, _, cards in plays):.0f} cards on average")
    if options.positions:
        raise SystemExit(1 if compare(plays, options.positions) else 0)
    drawn = random.Random(1).sample(plays, min(options.plays, len(plays)))
    traces = measure("plays", "trace", drawn)
    say(f"{BOARDS:,} boards would take {BOARDS * mean(traces) / 60_000:.1f} minutes of one core")
    measure("costs", "costs", drawn)


if __name__ == "__main__":
    main()
