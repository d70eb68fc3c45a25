from pathlib import Path
from typing import Any, cast

from django.apps import apps
from django.core.management.base import BaseCommand, CommandError

from boards.demonstration import THEMES
from boards.importing import import_boards
from boards.models import Board
from boards.services import Placement
from themes.models import Theme


class Command(BaseCommand):
    help = "Load and publish the demonstration boards under their themes. Repeatable."

    def handle(self, *args: Any, **options: Any) -> None:
        path = Path(apps.get_app_config("boards").path) / "data" / "demonstration.pbn"
        with path.open("rb") as file:
            *_, report = import_boards(file=file, placement=Placement(), publish=True)
        if report.failed:
            raise CommandError(f"{path}: {report.failed[0].message}")
        for board in Board.objects.filter(pk__in=report.board_ids, board_number__in=THEMES):
            board.themes.add(*Theme.objects.filter(identifier=THEMES[cast(int, board.board_number)]))
        self.stdout.write(f"Demonstration: {report.boards} new boards, {len(report.board_ids)} in all.")
