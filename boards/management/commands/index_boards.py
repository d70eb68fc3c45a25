from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from boards.models import Board
from boards.searching.checking import find_all, find_missing, find_wrong, mend
from config.values.words import format_count
from search.index.folding import FOLD_FROM, fold, fold_all
from search.models import SEGMENT_BITS


class Command(BaseCommand):
    help = (
        "Compare the index of boards with the boards, and repair differences. Run it with --missing after an update."
        " Safe to repeat and to run beside the service: searches stay correct meanwhile."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        choice = parser.add_mutually_exclusive_group()
        choice.add_argument("--check", action="store_true", help="Change nothing. Fail when something differs.")
        choice.add_argument(
            "--missing",
            action="store_true",
            help="Only index boards that are missing or were indexed by another version of the program.",
        )
        choice.add_argument("--anew", action="store_true", help="Index all boards again.")

    def handle(self, *args: Any, check: bool, missing: bool, anew: bool, **options: Any) -> None:
        find = find_missing if missing else find_all if anew else find_wrong
        differing = self.run(find(), change=not check)
        if not check:
            fold_all(least=FOLD_FROM)
        done = "differ" if check else "indexed"
        self.stdout.write(f"{format_count(Board.objects.count(), 'board')}, {differing} {done}.")
        if check and differing:
            raise CommandError("Run index_boards without --check to repair this.")

    def run(self, chunks: Iterator[list[int]], *, change: bool) -> int:
        differing = 0
        with tqdm(unit=" boards", disable=None) as progress:
            for numbers in chunks:
                if change and numbers:
                    mend(numbers)
                    fold(least=SEGMENT_BITS // 2, rows=SEGMENT_BITS)
                differing += len(numbers)
                progress.update(len(numbers))
        return differing
