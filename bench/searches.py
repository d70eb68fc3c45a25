"""`python -m bench.searches`: what searches cost on the database of DATABASE_URL, that of `bench.load.seed`.

Printed are, of each search of searches.txt and of some pages of all boards: how many boards it finds, and the
processor time of its first page, in this process + in PostgreSQL. It is the median of runs right after an
unmeasured one. All searches take turns, so that noise hits all alike. PostgreSQL's time is that of the
connection's process and of all its processes that ended meanwhile, as parallel workers do, those in steps of
10 ms: give it a server without neighbours. Of the boards their ids are read. A search that is refused,
by the parser or as too much work, is named, and the others are measured.

The cold time is that of a clock, of the first search on a new connection after PostgreSQL's buffers were
filled with boards_publishedboard: the connection is open, nothing is prepared on it, and next to no page of
the index is in these buffers. The system's own cache may have it still. Nothing is cold where
boards_publishedboard fits into the buffers.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median, quantiles

from django.db import connection

from bench.load.measuring import stat_fields
from bench.scratch import say, spent_ms
from boards.searching.parameters import BoardSelection
from config.api.errors import ValidationFailed
from search.conditions import Condition
from search.index.finding import IS_PUBLISHED, count_boards, find_page
from search.index.pages import Found
from search.index.top import find_top
from search.language.queries import SearchText
from themes.labels import get_label_cache, get_revision

QUERIES = Path(__file__).with_name("searches.txt")
LIMIT = 20
WARM_UPS = 6
"""A statement is prepared by then, and its plan kept."""

TICK_MS = 10
ALL_BOARDS = "first page of all boards"
OF_ALL = {
    "one filter": "dealer=north",
    "three filters: board": "dealer=north vul=ns type=convention",
    "three filters: hands": "south(hcp>=15) north(spades>=5) ns(fit>=9)",
    "three filters: play": "theme=bench_30 result<0 is:competitive",
}
TOP = "dealer=north", "contract=4S", "theme=bench_30"
TABLES = "boards_indexrow", "boards_slice"


@dataclass
class Search:
    """A search. `costs` has the milliseconds in this process and in PostgreSQL."""

    name: str
    run: Callable[[], Found]
    costs: list[tuple[float, float]] = field(default_factory=list)

    def measure(self) -> None:
        """Run once unmeasured, and once measured."""
        self.run()
        ended, own, server = ended_ms(), *spent_ms()
        self.run()
        also_own, also_server = spent_ms()
        self.costs.append((also_own - own, also_server - server + ended_ms() - ended))

    @property
    def cost(self) -> float:
        return median(map(sum, self.costs))

    @property
    def parts(self) -> str:
        ours, theirs = zip(*self.costs, strict=True)
        return f"{median(ours):.2f} + {median(theirs):.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=10, help="How often each search is measured.")
    options = parser.parse_args()
    searches, pages = list(read_searches()), list(pages_of_all())
    everything = [*searches, *pages]
    for each in everything:
        for _ in range(WARM_UPS):
            each.run()
    for _ in range(options.repeat):
        for each in everything:
            each.measure()
    say("search | boards | CPU ms ours + PostgreSQL | cold ms")
    cold = [measure_cold(each) for each in searches]
    for each, first in zip(searches, cold, strict=True):
        say(f"{each.name} | {each.run().total:,} | {each.parts} | {first:.1f}")
    costs = [each.cost for each in searches]
    say(f"warm: {summary(costs)} of processor time")
    say(f"cold: {summary(cold)}")
    say(f"\npage | boards | CPU ms ours + PostgreSQL | ratio to {ALL_BOARDS}")
    for each in pages:
        say(f"{each.name} | {each.run().total:,} | {each.parts} | {each.cost / pages[0].cost:.2f}")
    print_sizes()


def condition_of(text: str) -> Condition:
    return BoardSelection({}, search=SearchText(text)).condition(get_label_cache(get_revision()))


def read_searches() -> Iterator[Search]:
    """Yield each search of the file. Name those that the parser refuses, and those that are too much work."""
    for text in QUERIES.read_text(encoding="utf-8").splitlines():
        if text.startswith("#"):
            continue
        try:
            search = Search(text, partial(find_page, condition_of(text), 0, LIMIT))
            search.run()
        except ValidationFailed as error:
            (reason,) = error.meta["fields"]["q"]
            say(f"refused: {text}: {reason['message']}")
        else:
            yield search


def pages_of_all() -> Iterator[Search]:
    """Yield what is compared with the first page of all boards, and that page first of all."""
    boards = count_boards(IS_PUBLISHED)
    yield Search(ALL_BOARDS, partial(find_page, IS_PUBLISHED, 0, LIMIT))
    for name, row in {"middle": boards // 2, "last": max(0, boards - LIMIT)}.items():
        yield Search(f"{name} page of all boards", partial(find_page, IS_PUBLISHED, row, LIMIT))
    for name, text in OF_ALL.items():
        yield Search(f"{name}, {text}", partial(find_page, condition_of(text), 0, LIMIT))
    for text in TOP:
        yield Search(f"filter and sort=top, {text}", partial(find_top, condition_of(text), 0, LIMIT))


def measure_cold(search: Search) -> float:
    """Return the milliseconds of a search on a new connection, when other pages are in the buffers."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT setting::integer, pg_relation_size('boards_publishedboard') / 8192 FROM pg_settings"
            " WHERE name = 'shared_buffers'"
        )
        buffers, pages = cursor.fetchone()
        # A range of ctid, unlike a plain scan, takes all buffers. A page in use stays for five rounds.
        for start in range(0, 6 * buffers, pages):
            last = min(pages, 6 * buffers - start)
            cursor.execute(f"SELECT count(*) FROM boards_publishedboard WHERE ctid >= '(0,0)' AND ctid < '({last},0)'")
    connection.close()
    connection.ensure_connection()
    started = time.monotonic()
    search.run()
    return (time.monotonic() - started) * 1000


def print_sizes() -> None:
    """Print what the tables of the index take, with their own indexes, for a million boards."""
    boards, sizes = count_boards(IS_PUBLISHED), {}
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute("SELECT pg_total_relation_size(%s)", [table])
            sizes[table] = cursor.fetchone()[0] / boards
    say("\ntable | MB for a million boards")
    for table, size in {**sizes, "all": sum(sizes.values())}.items():
        say(f"{table} | {size:.1f}")


def ended_ms() -> int:
    """Return the processor time of all processes of PostgreSQL that have ended, as parallel workers do."""
    pid = connection.connection.info.backend_pid
    first_process = stat_fields(int(stat_fields(pid)[1]))
    return (int(first_process[13]) + int(first_process[14])) * TICK_MS


def summary(costs: list[float]) -> str:
    p95 = quantiles(costs, n=20, method="inclusive")[-1]
    return f"median {median(costs):.1f} ms, p95 {p95:.1f} ms, most {max(costs):.1f} ms"


if __name__ == "__main__":
    main()
