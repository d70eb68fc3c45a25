from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from tqdm import tqdm

from boards.catalogue.refreshing import refresh
from boards.models import Board
from config.values.words import format_count
from themes.models import Theme

CHUNK = 50


class Command(BaseCommand):
    help = (
        "Delete a theme, even one with too many boards for the admin. The boards stay and lose the theme, fifty in a"
        " transaction, so that votes need not wait long. If it is stopped, run it again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("theme", help="The theme's id or identifier.")
        parser.add_argument("--dry-run", action="store_true", help="Only report how many boards would lose it.")

    def handle(self, *args: Any, theme: str, dry_run: bool, **options: Any) -> None:
        try:
            found = Theme.objects.get_by_id_or_identifier(theme)
        except (Theme.DoesNotExist, Theme.MultipleObjectsReturned) as error:
            raise CommandError(str(error)) from error
        boards = Board.objects.filter(themes=found)
        total = boards.count()
        if dry_run:
            self.stdout.write(f"{found} would be deleted. {format_count(total, 'board')} would lose it.")
            return
        with tqdm(unit=" boards", total=total, disable=None) as progress:
            while ids := list(boards.order_by("pk").values_list("pk", flat=True)[:CHUNK]):
                take_off(found, ids)
                progress.update(len(ids))
        found.delete()
        self.stdout.write(f"{found} is deleted. {format_count(total, 'board')} lost it.")


@transaction.atomic
def take_off(theme: Theme, board_ids: Collection[UUID]) -> None:
    Board.themes.through.objects.filter(theme=theme, board__in=board_ids).delete()
    refresh(board_ids)
