"""`python -m bench.load.seed 100000`: fill the empty database of DATABASE_URL with that many boards.

The same number makes the same rows. Blocks of boards are made and copied by as many processes as there are cores.
"""

import multiprocessing
import os
import random
import sys
import time
from collections.abc import Iterable, Sequence
from typing import Any

from django.core.management import call_command
from django.db import connection, connections, transaction
from django.db.models import AutoField, Model

from accounts.identifiers import SYSTEM
from accounts.models import Account, AuctionSystem
from bench.load.realistic_boards import FIRST_PUBLISHED_AT, random_board
from bench.scratch import say
from boards.catalogue.refreshing import make_row
from boards.events.naming import spell_events, store_events
from boards.models import Board, PublishedBoard, take_numbers
from boards.searching.subjects import subject_of
from deals.models import Deal
from search.facts import make_row as make_index_row
from search.index.folding import fold_all
from search.models import IndexRow
from themes.models import Theme
from voting.models import Vote

BLOCK = 5_000
THEMES = 200
ACCOUNTS = 1_000
OWNERS = 10
OWNED_SHARE = 0.05
VOTED_SHARE = 0.1
MAX_VOTES_OF_BOARD = 5


def account_id(number: int) -> str:
    return f"bench-{number:04}"


def main(count: int) -> None:
    started = time.monotonic()
    prepare()
    take_numbers(count)
    connections.close_all()
    blocks = [(start, min(BLOCK, count - start)) for start in range(0, count, BLOCK)]
    with multiprocessing.Pool(os.cpu_count()) as pool:
        for done, _ in enumerate(pool.imap_unordered(seed_block, blocks), start=1):
            if done % 20 == 0:
                say(f"  {done * BLOCK:,} boards after {time.monotonic() - started:.0f} s")
    fold_all()
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute("VACUUM ANALYZE")
    say(f"Seeded {count:,} boards in {time.monotonic() - started:.1f} s.")


def prepare() -> None:
    """Migrate, and store what all boards share: themes, auction systems, accounts."""
    call_command("migrate", verbosity=0)
    call_command("load_reference_data", verbosity=0)
    Theme.objects.bulk_create(
        Theme(
            type=("convention", "declarer_play", "defence")[number % 3],
            identifier=f"bench_{number}",
            labels={"en": f"Theme {number}", "nl": f"Thema {number}", "fr": f"Thème {number}"},
        )
        for number in range(Theme.objects.count(), THEMES)
    )
    Account.objects.bulk_create(
        Account(id=account_id(number), display_name=f"Player {number}", password="!") for number in range(ACCOUNTS)
    )


def seed_block(block: tuple[int, int]) -> None:
    """Make and store the boards of a block. The block's first number is the seed."""
    start, size = block
    choice = random.Random(start)
    themes = list(Theme.objects.order_by("type", "identifier"))
    systems = list(AuctionSystem.objects.all())
    boards, votes, links, published, rows = [], [], [], [], []
    for number in range(start, start + size):
        values = random_votes(choice)
        owner = account_id(choice.randrange(OWNERS)) if choice.random() < OWNED_SHARE else SYSTEM
        counts = values.count("up"), values.count("down")
        board = random_board(number, owner, choice.choice(systems), counts, choice)
        boards.append(board)
        votes += [
            Vote(board_id=board.pk, account_id=account_id(voter), value=value, **same_times(board))
            for voter, value in zip(choice.sample(range(ACCOUNTS), len(values)), values, strict=True)
        ]
        of_board = choice.sample(themes, 2)
        links += [Board.themes.through(board_id=board.pk, theme_id=theme.pk) for theme in of_board]
        published.append(published_row(board, of_board))
        rows.append(make_index_row(subject_of(board)))
    with transaction.atomic(), connection.cursor() as cursor:
        # Without checks of foreign keys: all rows are made together.
        cursor.execute("SET LOCAL session_replication_role = replica")
        copy_rows(Deal, [board.deal for board in boards])
        copy_rows(Board, boards)
        copy_rows(Board.themes.through, links)
        copy_rows(Vote, votes)
        store_events(published)
        copy_rows(PublishedBoard, published)
        copy_rows(IndexRow, rows)
    spell_events(published)


def published_row(board: Board, themes: list[Theme]) -> PublishedBoard:
    """Return what readers get of a board that is not stored yet, so its themes are where a prefetch leaves them."""
    board._prefetched_objects_cache = {"themes": sorted(themes, key=lambda theme: (theme.type, theme.identifier))}
    return make_row(board)


def random_votes(choice: random.Random) -> list[str]:
    """Return the votes of a board: none for most."""
    if choice.random() >= VOTED_SHARE:
        return []
    return [choice.choice(("up", "up", "down")) for _ in range(choice.randint(1, MAX_VOTES_OF_BOARD))]


def same_times(board: Board) -> dict[str, Any]:
    at = board.published_at or FIRST_PUBLISHED_AT
    return {"created_at": at, "updated_at": at}


def copy_rows(model: type[Model], rows: Iterable[Model] | Sequence[Model]) -> None:
    """Store the rows with PostgreSQL's COPY, about ten times as fast as INSERT. Keys of AutoField are left to it."""
    fields = [field for field in model._meta.concrete_fields if not isinstance(field, AutoField)]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    with connection.cursor() as cursor, cursor.copy(f'COPY "{model._meta.db_table}" ({columns}) FROM STDIN') as copy:
        for row in rows:
            copy.write_row([field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields])


if __name__ == "__main__":
    main(int(sys.argv[1]))
