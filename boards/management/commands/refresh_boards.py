from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from boards.catalogue import refreshing
from config.values.words import format_count


class Command(BaseCommand):
    help = (
        "Compare the stored JSON of published boards with the boards, and repair differences. Run it with --missing"
        " after an update. Safe to repeat and to run beside the service."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        choice = parser.add_mutually_exclusive_group()
        choice.add_argument("--check", action="store_true", help="Change nothing. Fail when something differs.")
        choice.add_argument(
            "--missing",
            action="store_true",
            help="Only make JSON that is missing or that this version of the program cannot use.",
        )

    def handle(self, *args: Any, check: bool, missing: bool, **options: Any) -> None:
        boards, wrong = self.check_boards(mend=not check, missing=missing)
        done = "differ" if check else "mended"
        self.stdout.write(f"{format_count(boards, 'board')} compared, {wrong} {done}.")
        if rankings := refreshing.check_rankings(mend=not check):
            done = "found" if check else "deleted"
            self.stdout.write(f"{format_count(rankings, 'ranking')} of no published boards {done}.")
        if check and (wrong or rankings):
            raise CommandError("Run refresh_boards without --check to repair this.")

    def check_boards(self, *, mend: bool, missing: bool) -> tuple[int, int]:
        boards = refreshing.boards_without_json() if missing else refreshing.boards_to_check()
        compared = wrong = 0
        with tqdm(unit=" boards", total=boards.count(), disable=None) as progress:
            for ids in refreshing.iterate_ids(boards):
                wrong += refreshing.check_rows(ids, mend=mend)
                compared += len(ids)
                progress.update(len(ids))
        return compared, wrong
