"""`python -m bench.double_dummy FILE…`: our tables and par scores against those that PBN files give.

Counted apart: a 1 in a file where we have fewer than seven tricks, since one known publisher writes that for every
denomination that cannot make a contract.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from tqdm import tqdm

from bench.scratch import say
from deals.bridge.board import BoardRecord
from deals.bridge.pbn.games import read_games
from deals.bridge.pbn.reader import read_pbn
from deals.double_dummy import Table
from deals.par import par_for
from deals.solver.process import Solution, Solver

Tricks = Mapping[tuple[str, str], int]
"""(declarer, denomination) → tricks."""

TABLE = re.compile(r"\[\s*OptimumResultTable\s+\"[^\"]*\"\s*\]([^\[]*)", re.IGNORECASE)
ROW = re.compile(r"^\s*([NESW])\s+(NT|[SHDC])\s+(\d+)", re.MULTILINE)
DIGITS = re.compile(r"\[\s*DoubleDummyTricks\s+\"([0-9a-d]{20})\"", re.IGNORECASE)
SCORE = re.compile(r"\[\s*OptimumScore\s+\"(NS|EW)\s+([+-]?\d+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Claim:
    """What a file says about one board. `score` is North-South's."""

    where: str
    board: BoardRecord
    tables: tuple[Tricks, ...]
    score: int | None


def claims(path: Path) -> Iterator[Claim]:
    with path.open("rb") as file:
        for game in read_games(file):
            tags = game.data.decode("latin-1")
            tables = tuple(table for table in (rows(tags), digits(tags)) if table)
            found = SCORE.search(tags)
            score = int(found[2]) * (1 if found[1].upper() == "NS" else -1) if found else None
            if tables or score is not None:
                for board in read_pbn(BytesIO(game.data), lambda record: None):
                    if isinstance(board, BoardRecord):
                        yield Claim(f"{path.name}:{game.line}", board, tables, score)


def rows(tags: str) -> Tricks:
    found = TABLE.search(tags)
    return {(row[1], row[2]): int(row[3]) for row in ROW.finditer(found[1])} if found else {}


def digits(tags: str) -> Tricks:
    """Seats N, S, E, W × NT, S, H, D, C."""
    found = DIGITS.search(tags)
    cells = [(seat, denomination) for seat in "NSEW" for denomination in ("NT", "S", "H", "D", "C")]
    return {cell: int(digit, 16) for cell, digit in zip(cells, found[1], strict=True)} if found else {}


def solve(boards: set[str]) -> dict[str, Solution]:
    wanted = sorted(boards)
    solved: dict[str, Solution] = {}
    with Solver() as solver, tqdm(unit=" deals", total=len(wanted), disable=None) as bar:
        for start in range(0, len(wanted), 40):
            batch = wanted[start : start + 40]
            answers = solver.solve(batch, seconds=600)
            solved |= {cards: answer for cards, answer in zip(batch, answers, strict=True) if answer}
            bar.update(len(batch))
    return solved


def compare(claim: Claim, solution: Solution) -> Iterator[str]:
    ours = Table(solution.table).tricks()
    for table in claim.tables:
        yield "tables"
        for (seat, denomination), theirs in table.items():
            mine = ours[seat][denomination]
            yield "cells"
            if theirs == 1 and mine in (0, 2, 3, 4, 5, 6):
                yield "cells of 1 for fewer than seven"
            elif theirs != mine:
                say(f"{claim.where}: {seat} {denomination}: the file says {theirs}, we {mine}")
                yield "cells that differ"
    if claim.score is not None:
        par = par_for(solution.par, claim.board.vulnerability, claim.board.dealer)["score"]
        yield "scores"
        if par != claim.score:
            say(f"{claim.where}: par: the file says {claim.score}, we {par}")
            yield "scores that differ"


def main(paths: list[Path]) -> None:
    found = [claim for path in paths for claim in claims(path)]
    solved = solve({claim.board.deal.cards for claim in found})
    counts = Counter(
        what
        for claim in found
        if claim.board.deal.cards in solved
        for what in compare(claim, solved[claim.board.deal.cards])
    )
    say(f"{len(found)} boards with tables or scores, {len(solved)} different deals, {len(paths)} files")
    for what in (
        "tables",
        "cells",
        "cells of 1 for fewer than seven",
        "cells that differ",
        "scores",
        "scores that differ",
    ):
        say(f"{counts[what]:6} {what}")


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]])
