"""`python -m bench.double_dummy FILE…`: compare our tables and par scores with those that PBN files give.

A 1 in a file where we have fewer than seven tricks is counted apart, since one publisher writes 1 for every
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
from deals.bridge.outcomes import ReadBoard
from deals.bridge.pbn.games import read_games
from deals.bridge.pbn.reader import read_pbn
from deals.double_dummy import Table, par_for
from deals.solver.process import Solution, Solver

Tricks = Mapping[tuple[str, str], int]
"""(declarer, denomination) → tricks."""

TABLE = re.compile(r"\[\s*OptimumResultTable\s+\"[^\"]*\"\s*\]([^\[]*)", re.IGNORECASE)
ROW = re.compile(r"^\s*([NESW])\s+(NT|[SHDC])\s+(\d+)", re.MULTILINE)
DIGITS = re.compile(r"\[\s*DoubleDummyTricks\s+\"([0-9a-d]{20})\"", re.IGNORECASE)
SCORE = re.compile(r"\[\s*OptimumScore\s+\"(NS|EW)\s+([+-]?\d+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Claim:
    """A file's statement about one board. `score` is North-South's."""

    location: str
    board: BoardRecord
    tables: tuple[Tricks, ...]
    score: int | None


def read_claims(path: Path) -> Iterator[Claim]:
    with path.open("rb") as file:
        for game in read_games(file):
            tags = game.data.decode("latin-1")
            tables = tuple(table for table in (parse_rows(tags), parse_digits(tags)) if table)
            match = SCORE.search(tags)
            score = int(match[2]) * (1 if match[1].upper() == "NS" else -1) if match else None
            if tables or score is not None:
                for outcome in read_pbn(BytesIO(game.data), lambda record: None):
                    if isinstance(outcome, ReadBoard):
                        yield Claim(f"{path.name}:{game.line}", outcome.content, tables, score)


def parse_rows(tags: str) -> Tricks:
    match = TABLE.search(tags)
    return {(row[1], row[2]): int(row[3]) for row in ROW.finditer(match[1])} if match else {}


def parse_digits(tags: str) -> Tricks:
    """Parse the 20 digits in the order of this tag: seats N, S, E, W × denominations NT, S, H, D, C."""
    match = DIGITS.search(tags)
    cells = [(seat, denomination) for seat in "NSEW" for denomination in ("NT", "S", "H", "D", "C")]
    return {cell: int(digit, 16) for cell, digit in zip(cells, match[1], strict=True)} if match else {}


def solve(all_cards: set[str]) -> dict[str, Solution]:
    deals = sorted(all_cards)
    solved: dict[str, Solution] = {}
    with Solver() as solver, tqdm(unit=" deals", total=len(deals), disable=None) as bar:
        for start in range(0, len(deals), 40):
            batch = deals[start : start + 40]
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
                say(f"{claim.location}: {seat} {denomination}: the file says {theirs}, we {mine}")
                yield "cells that differ"
    if claim.score is not None:
        par = par_for(solution.par, claim.board.vulnerability, claim.board.dealer)["score"]
        yield "scores"
        if par != claim.score:
            say(f"{claim.location}: par: the file says {claim.score}, we {par}")
            yield "scores that differ"


def main(paths: list[Path]) -> None:
    claims = [claim for path in paths for claim in read_claims(path)]
    solved = solve({claim.board.layout.cards for claim in claims})
    counts = Counter(
        what
        for claim in claims
        if claim.board.layout.cards in solved
        for what in compare(claim, solved[claim.board.layout.cards])
    )
    say(f"{len(claims)} boards with tables or scores, {len(solved)} different deals, {len(paths)} files")
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
