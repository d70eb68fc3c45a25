"""`python -m bench.exactness`: whether counts are exact while boards change and a worker folds.

Writers store, change, publish, withdraw, delete and vote, each in a transaction of its own, some of which they take
back; a worker folds few rows at a time. Readers compare searches with plain queries of the boards, each in one snapshot
of a new database on DATABASE_URL's server. Printed are how many comparisons there were, and how many differed.
"""

import argparse
import random
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from django.db import OperationalError, connection, connections, transaction
from django.db.models import F, Q

from bench.scratch import new_database, say
from boards.catalogue.refreshing import refresh
from boards.models import Board
from boards.services.bulk import delete_boards, publish_drafts, unpublish_boards
from config.database.transactions import one_snapshot
from search.conditions import AllOf, Condition, Not, OneOf, Tagged, Votes
from search.facts import FACTS
from search.index.finding import IS_PUBLISHED, find_page
from search.index.folding import fold
from search.index.top import find_top
from tests import factories

NORTH = OneOf(FACTS["dealer"], ("N",))
SEARCHES: tuple[tuple[Condition, Q], ...] = (
    (IS_PUBLISHED, Q(published_at__isnull=False)),
    (AllOf((IS_PUBLISHED, NORTH)), Q(published_at__isnull=False, dealer="N")),
    (AllOf((Tagged(("is:draft",)), Not(NORTH))), Q(published_at=None) & ~Q(dealer="N")),
    (AllOf((IS_PUBLISHED, Votes(low=1))), Q(published_at__isnull=False, up_votes__gt=F("down_votes"))),
)
LIMIT = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--comparisons", type=int, default=10_000)
    options = parser.parse_args()
    with new_database():
        for number in range(300):
            factories.board(seed=number, number=1 + number % 16)
        counts: Counter[str] = Counter()
        tasks = [partial(write, 1), partial(write, 2), keep_folding, partial(read, options.comparisons)]
        with ThreadPoolExecutor(len(tasks)) as pool:
            list(pool.map(lambda task: run(task, counts), tasks))
        say(", ".join(f"{count:,} {name}" for name, count in counts.items()))


def run(task: Callable[[Counter[str]], None], counts: Counter[str]) -> None:
    try:
        task(counts)
    finally:
        counts["ended"] += 1
        connections.close_all()


def write(seed: int, counts: Counter[str]) -> None:
    choice = random.Random(seed)
    while not counts["ended"]:
        is_taken_back = choice.random() < 0.1
        try:
            with transaction.atomic():
                change(choice)
                transaction.set_rollback(is_taken_back)
        except OperationalError:  # a deadlock
            is_taken_back = True
        counts["changes taken back" if is_taken_back else "changes"] += 1


def change(choice: random.Random) -> None:
    ids = choice.sample([*Board.objects.order_by("pk").values_list("pk", flat=True)], 3)
    match choice.randrange(6):
        case 0:
            factories.board(number=1 + choice.randrange(16), published=choice.random() < 0.8)
        case 1:
            Board.objects.filter(pk__in=ids).update(dealer=choice.choice("NESW"))
            refresh(ids)
        case 2:
            unpublish_boards(ids)
        case 3:
            publish_drafts(ids)
        case 4 if Board.objects.count() > 250:
            delete_boards(ids[:1])
        case _:
            Board.objects.filter(pk=ids[0]).update(up_votes=choice.randint(0, 3))


def keep_folding(counts: Counter[str]) -> None:
    while not counts["ended"]:
        counts["folds"] += fold(least=5, rows=20)
        time.sleep(0.02)


def read(comparisons: int, counts: Counter[str]) -> None:
    """Compare the count, the first page, and the page with the most votes of each search, in one snapshot."""
    while counts["comparisons"] < comparisons:
        with one_snapshot(connection):
            pages = [(find_page(condition, 0, LIMIT), find_top(condition, 0, LIMIT)) for condition, _ in SEARCHES]
            plain = [read_plainly(boards) for _, boards in SEARCHES]
        for (newest, top), wanted in zip(pages, plain, strict=True):
            found = newest.total, newest.numbers, top.numbers
            counts["comparisons"] += len(wanted)
            counts["that differ"] += sum(one != other for one, other in zip(found, wanted, strict=True))


def read_plainly(condition: Q) -> tuple[int, list[int], list[int]]:
    boards = Board.objects.filter(condition)
    newest, top = (list(each.values_list("number", flat=True)) for each in (boards.newest_first(), boards.top_first()))
    return len(newest), newest[:LIMIT], top[:LIMIT]


if __name__ == "__main__":
    main()
