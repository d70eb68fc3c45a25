"""`python -m bench.exact_counts`: searches while boards change and are folded, each beside a plain scan.

Threads publish, change, vote on and delete boards on the database of DATABASE_URL, which is empty or of an
earlier run. On PostgreSQL another folds them into small segments. Others search for random conditions and
the guide's examples, and compare counts and pages with a plain scan of the boards in the same snapshot. It
exits with 1 when any differs, or the index differs from the boards at the end.
"""

import argparse
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from threading import Event
from typing import Any
from uuid import UUID

from django.core.management import call_command
from django.db import OperationalError, ProgrammingError, connection, connections, transaction
from django.http import Http404
from django.utils import timezone

from accounts.models import Account, AuctionSystem
from bench.load.realistic_boards import AUCTIONS, auction_of, random_deal, random_layout, random_record
from bench.load.seed import ACCOUNTS, account_id, prepare
from bench.scratch import say
from boards import bulk
from boards.filters.queries import condition_of
from boards.models import Board, DeadPosition, IndexRow, Segment
from boards.records import record_of
from boards.search import segments, slots
from boards.search.checking import find_wrong
from boards.search.conditions import ChangedSince, Condition, Tagged, every
from boards.search.finding import EITHER, IS_PUBLISHED, count_boards, find_after, find_page
from boards.search.top import find_top
from boards.search.votes import refresh_votes
from boards.services import change_board, publish_board
from config.api.errors import ApiError
from deals.bridge.board import BoardRecord
from deals.models import Deal
from tests.boards.search.plain import PlainBoard, plain_keys, plain_top
from tests.boards.search.test_finding import random_condition
from tests.boards.search.test_searching import EXAMPLES
from themes.label_cache import get_label_cache, get_revision
from themes.models import Theme
from voting.models import Vote
from voting.services import cast_vote

SITE = "Exact counts"
"""The site of each board. A database with boards of another one is not this program's."""

ALIVE, FEWEST = 400, 40
SEARCHERS = 2
PAUSE_SECONDS = 0.02
"""Between two changes of a thread. Searches would wait for Python otherwise."""
FOLD_SECONDS = 0.15
"""Between two folds, which are seconds apart in a service: a search that lost ten segments in a row would fail."""
WRITERS = {"postgresql": 3, "sqlite": 1}
SNAPSHOTS = {"postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "sqlite": "BEGIN"}
CONDITIONS_OF_SNAPSHOT = 5
CAPACITIES = (25, 60, 150, 32_000)
"""How many boards a segment may have. A fold of another one than the last splits segments or merges them."""


class Writer:
    """Changes boards at random, in each of the ways in which the service does."""

    def __init__(self) -> None:
        self.choice = random.Random()
        self.themes = list(Theme.objects.order_by("identifier")[:6])
        self.systems = list(AuctionSystem.objects.order_by("pk"))
        self.done: Counter[str] = Counter()
        self.changes: dict[str, Callable[[], object]] = {
            "publish": self.publish,
            "change": self.change,
            "set texts": lambda: bulk.set_texts(self.some(), {"title": str(self.choice.random())}),
            "add a theme": lambda: bulk.add_theme(self.some(), self.choice.choice(self.themes)),
            "unpublish": lambda: bulk.unpublish_boards(self.some()),
            "publish again": lambda: bulk.publish_drafts(self.some(drafts=True)),
            "delete": self.delete,
            "vote": self.vote,
            "type of a theme": self.change_type,
        }
        self.kinds = [*self.changes, "change", "publish"]

    def work(self) -> None:
        """Make one change. What another writer was faster with is counted by its error."""
        name = self.choice.choice(self.kinds) if Board.objects.count() > FEWEST else "publish"
        is_rolled_back = self.choice.random() < 0.1
        try:
            with transaction.atomic() if is_rolled_back else nullcontext():
                self.changes[name]()
                if is_rolled_back:
                    transaction.set_rollback(True)
        except (ApiError, Http404, Board.DoesNotExist, OperationalError, ProgrammingError) as error:
            name = f"given up: {type(error).__name__}"
            connection.close_if_unusable_or_obsolete()  # as at the end of a request
        self.done[f"{name}, rolled back" if is_rolled_back else name] += 1
        time.sleep(PAUSE_SECONDS)

    def some(self, *, drafts: bool = False) -> list[UUID]:
        """Return the ids of one board to four."""
        boards = Board.objects.drafts() if drafts else Board.objects.all()
        ids = list(boards.order_by().values_list("pk", flat=True))
        return self.choice.sample(ids, min(len(ids), self.choice.randint(1, 4)))

    def publish(self) -> None:
        if Board.objects.count() >= ALIVE:
            self.delete()
        layout = random_layout(self.choice)
        record = random_record(self.choice.randrange(1_000), layout, self.choice)
        is_solved = self.choice.random() < 0.7
        deal = random_deal(layout, timezone.now(), self.choice) if is_solved else Deal(cards=layout.cards)
        deal.save(force_insert=True)
        publish_board(
            deal=deal,
            record=self.vary(record),
            owner_id=account_id(self.choice.randrange(3)),
            themes=self.choice.sample(self.themes, self.choice.randint(0, 3)),
            auction_system=self.choice.choice([None, *self.systems]),
        )

    def vary(self, record: BoardRecord) -> BoardRecord:
        """Return the record with another auction, result and texts. Some have no auction."""
        auction, contract = auction_of(self.choice.choice(AUCTIONS), record.dealer)
        return replace(
            record,
            auction=self.choice.choice([auction, auction, None]),
            contract=contract,
            opening_lead="",
            play=(),
            tricks=self.choice.choice([None, *range(14)]),
            site=SITE,
            title=str(self.choice.random()),
            room=self.choice.choice(["", "Open", "Closed"]),
            difficulty=self.choice.choice(["", "beginner", "expert"]),
            date=self.choice.choice(["", "2026.11.20", "2026.11.??", "2026.??.??", record.date]),
        )

    @transaction.atomic
    def change(self) -> None:
        board = Board.objects.select_for_update(of=("self",)).get(pk=self.some()[0])
        change_board(
            board=board,
            record=self.vary(record_of(board)),
            owner_id=account_id(self.choice.randrange(3)),
            auction_system=self.choice.choice([None, *self.systems]),
            themes=self.choice.choice([None, self.choice.sample(self.themes, 2)]),
            published=self.choice.choice([None, None, True, False]),
        )

    def delete(self) -> None:
        one, *others = self.some()
        bulk.delete_boards(others)
        with transaction.atomic():
            Board.objects.select_for_update().get(pk=one).delete()

    def vote(self) -> None:
        account = Account.objects.get(pk=account_id(self.choice.randrange(ACCOUNTS)))
        value = self.choice.choice([None, Vote.Value.UP, Vote.Value.UP, Vote.Value.DOWN])
        cast_vote(account=account, board_id=self.some()[0], value=value)

    @transaction.atomic
    def change_type(self) -> None:
        theme = Theme.objects.select_for_update().get(pk=self.choice.choice(self.themes).pk)
        theme.type = self.choice.choice(["convention", "defence", "declarer_play"])
        theme.save()


class Folder:
    """Folds rows and dead positions into segments of changing sizes."""

    def __init__(self) -> None:
        self.choice = random.Random()
        self.done: Counter[str] = Counter()

    def work(self) -> None:
        before, capacity = Segment.objects.count(), self.choice.choice(CAPACITIES)
        try:
            if connection.vendor == "postgresql" and self.choice.random() < 0.3:
                self.done["votes refreshed"] += refresh_votes()
            self.done["folds"] += segments.fold(least=1, capacity=capacity)
        except (segments.SegmentsAreWritten, OperationalError) as error:
            self.done[f"fold given up: {type(error).__name__}"] += 1
        after = Segment.objects.count()
        self.done["folds with more segments"] += after > before
        self.done["folds with fewer segments"] += after < before
        time.sleep(FOLD_SECONDS)


class Searcher:
    """Compares searches with a plain scan."""

    def __init__(self) -> None:
        self.choice = random.Random()
        self.done: Counter[str] = Counter()
        self.known: dict[tuple[Any, ...], PlainBoard] = {}
        labels = get_label_cache(get_revision())
        self.examples = [condition_of(text, labels, account_id(0)) for text in EXAMPLES]

    def work(self) -> None:
        with snapshot():
            boards = self.read_boards()
            conditions = [self.choose(boards) for _ in range(CONDITIONS_OF_SNAPSHOT)] if boards else []
            for condition in conditions:
                self.compare(condition, boards)
        for condition in conditions:
            self.page_while_segments_change(condition)

    def read_boards(self) -> list[PlainBoard]:
        """Return all boards of this snapshot. Those that have not changed are not made again."""
        themes: dict[UUID, set[UUID]] = {}
        for board_id, theme_id in Board.themes.through.objects.values_list("board_id", "theme_id"):
            themes.setdefault(board_id, set()).add(theme_id)
        names = ("pk", "updated_at", "published_at", "up_votes", "down_votes")
        columns = Board.objects.order_by().values_list(*names)
        versions = {row[0]: (*row, frozenset(themes.get(row[0], ()))) for row in columns}
        missing = [pk for pk, version in versions.items() if version not in self.known]
        made = {board.pk: PlainBoard(board) for board in Board.objects.filter(pk__in=missing).with_details()}
        self.known = {version: made.get(pk) or self.known[version] for pk, version in versions.items()}
        return [*self.known.values()]

    def choose(self, boards: list[PlainBoard]) -> Condition:
        if self.choice.random() < 0.2:
            return every([EITHER, self.choice.choice(self.examples)])
        condition = random_condition(self.choice, boards)
        if self.choice.random() < 0.2:
            condition = every([condition, ChangedSince(self.choice.choice(boards).board.updated_at)])
        return every([self.choice.choice([EITHER, EITHER, IS_PUBLISHED, Tagged(("is:draft",))]), condition])

    def compare(self, condition: Condition, boards: list[PlainBoard]) -> None:
        keys, limit = plain_keys(condition, boards), self.choice.randint(1, 30)
        middle, cursor = self.choice.randint(0, len(keys)), self.choice.choice(boards).key
        rest = [key for key in keys if key < cursor]
        published = every([IS_PUBLISHED, condition])
        top = plain_top(published, boards)
        self.done["conditions"] += 1
        self.check("count", condition, count_boards(condition), len(keys))
        self.check("first page", condition, find_page(condition, 0, limit), (len(keys), keys[:limit], False))
        page = len(keys), keys[middle : middle + limit], False
        self.check("page", condition, find_page(condition, middle, limit), page)
        after = len(keys), rest[:limit], len(rest) > limit
        self.check("cursor", condition, find_after(condition, cursor, limit), after)
        page = len(top), top[middle : middle + limit], False
        self.check("top", published, find_top(published, middle, limit), page)

    def check(self, kind: str, condition: Condition, found: object, expected: object) -> None:
        self.done["comparisons"] += 1
        if found != expected:
            self.done["different"] += 1
            say(f"DIFFERENT {kind}: {condition}\n  found {found!s:.400}\n  expected {expected!s:.400}")

    def page_while_segments_change(self, condition: Condition) -> None:
        """Search outside of a snapshot, so that a fold may replace a segment between two statements."""
        total, keys, _ = find_page(condition, 3, 20)
        self.done["searches without a snapshot"] += 1
        if len(keys) != max(0, min(20, total - 3)) or keys != sorted(set(keys), reverse=True):
            self.done["different"] += 1
            say(f"WRONG without a snapshot: {condition}\n  {total} boards, {keys}")


@contextmanager
def snapshot() -> Iterator[None]:
    """Let all statements see the database as it is now, whatever is committed meanwhile."""
    with connection.cursor() as cursor:
        cursor.execute(SNAPSHOTS[connection.vendor])
        try:
            yield
        finally:
            cursor.execute("COMMIT")


def repeat(work: Callable[[], object], stop: Event, enough: Callable[[], bool]) -> None:
    """Work until it is enough, or another thread has stopped them all."""
    try:
        while not stop.is_set() and not enough():
            work()
    except BaseException:
        stop.set()
        raise
    finally:
        connections.close_all()


def prepare_database() -> None:
    call_command("migrate", verbosity=0)
    if Board.objects.exclude(site=SITE).exists():
        raise SystemExit("This database has boards. Give DATABASE_URL an empty one.")
    if not Account.objects.filter(pk=account_id(0)).exists():
        prepare()
    writer = Writer()
    while Board.objects.count() < ALIVE // 2:
        writer.publish()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--comparisons", type=int, default=10_000)
    parser.add_argument("--without", action="append", default=[], help="A kind of change that nobody makes.")
    options = parser.parse_args()
    prepare_database()
    slots.MAX_ROWS = 60  # so that slots need several folds
    writers = [Writer() for _ in range(WRITERS[connection.vendor])]
    searchers, folder, stop = [Searcher() for _ in range(SEARCHERS)], Folder(), Event()
    for writer in writers:
        writer.kinds = [name for name in writer.kinds if name not in options.without]
    done: Counter[str] = Counter()
    enough = lambda: sum(each.done["comparisons"] for each in searchers) >= options.comparisons  # noqa: E731
    with ThreadPoolExecutor(len(writers) + SEARCHERS + 1) as pool:
        running = [pool.submit(repeat, each.work, stop, enough) for each in (*writers, folder, *searchers)]
    for future in running:
        future.result()
    for each in (*writers, folder, *searchers):
        done += each.done
    done["indexed wrongly at the end"] = sum(map(len, find_wrong()))
    done["different"] += done["indexed wrongly at the end"]
    for name, count in sorted(done.items()):
        say(f"{name}: {count:,}")
    rows, dead = IndexRow.objects.count(), DeadPosition.objects.count()
    say(f"At the end: {Segment.objects.count()} segments, {rows} rows, {dead} dead positions.")
    raise SystemExit(1 if done["different"] else 0)


if __name__ == "__main__":
    main()
