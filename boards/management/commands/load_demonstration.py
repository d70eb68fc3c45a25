import json
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from boards.catalogue.refreshing import refresh
from boards.files.importing import import_boards
from boards.models import Board
from config.values.words import format_count
from themes.models import Theme


class Command(BaseCommand):
    help = "Load and publish the demonstration boards under their themes. Safe to repeat."

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        data = Path(apps.get_app_config("boards").path) / "data"
        path = data / "demonstration.pbn"
        with path.open("rb") as file:
            report = import_boards(file=file, publish=True)
        if report.failed:
            raise CommandError(f"{path}: {report.failed[0].message}")
        themes = json.loads((data / "demonstration_themes.json").read_text(encoding="utf-8"))
        for board in Board.objects.filter(pk__in=report.board_ids, board_number__in=themes):
            board.themes.add(*Theme.objects.filter(identifier=themes[str(board.board_number)]))
        refresh(report.board_ids)
        created = format_count(report.boards, "board")
        self.stdout.write(f"Demonstration: {created} created, {len(report.board_ids)} in all.")
