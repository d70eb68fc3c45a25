from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from accounts.identifiers import SYSTEM
from accounts.models import Account
from boards.files.dry_run import forecast_import
from boards.files.importing import ImportReport, import_boards
from boards.services import Placement
from deals.bridge.errors import RecordError
from themes.models import Theme


class Command(BaseCommand):
    help = "Import PBN and LIN files. Repeatable: boards that are there already are not made again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", type=Path)
        parser.add_argument(
            "--theme", action="append", default=[], help="a theme's id or identifier; may be repeated"
        )
        parser.add_argument("--user", default=SYSTEM, help="the id of the account the boards belong to")
        parser.add_argument(
            "--publish", action="store_true", help="show the boards to everybody; else they are drafts"
        )
        parser.add_argument("--dry-run", action="store_true", help="say what would be new, and store nothing")

    def handle(self, *args: Any, files: list[Path], dry_run: bool, publish: bool, **options: Any) -> None:
        placement = Placement(self.account(options["user"]), [self.theme(name) for name in options["theme"]])
        read = partial(self.forecast, placement) if dry_run else partial(self.load, placement, publish)
        for path in files:
            try:
                with path.open("rb") as file:
                    failed = read(path, file)
            except OSError as error:
                raise CommandError(f"{path}: {error.strerror}.") from None
            for bad in failed:
                self.stderr.write(f"{path}:{bad.line}: record {bad.record}: {bad.code}: {bad.message}")

    def load(self, placement: Placement, publish: bool, path: Path, file: BinaryIO) -> list[RecordError]:
        report, done = ImportReport(), 0
        with tqdm(unit=" boards", disable=None) as bar:
            for report in import_boards(file=file, placement=placement, publish=publish):
                bar.update(len(report.board_ids) - done)
                done = len(report.board_ids)
        self.stdout.write(
            f"{path}: {report.boards} new boards, {len(report.board_ids) - report.boards} known; "
            f"{report.created} new deals, {report.existing} known; {len(report.failed)} records refused."
        )
        return report.failed

    def forecast(self, placement: Placement, path: Path, file: BinaryIO) -> list[RecordError]:
        with tqdm(unit=" boards", disable=None) as bar:
            done = 0
            for forecast in forecast_import(file=file, owner_id=placement.owner_id):
                bar.update(len(forecast.boards) - done)
                done = len(forecast.boards)
        boards, deals = list(forecast.boards.values()), list(forecast.deals.values())
        self.stdout.write(
            f"{path}: would make {sum(boards)} new boards, {boards.count(False)} known; "
            f"{sum(deals)} new deals, {deals.count(False)} known; {len(forecast.failed)} records refused."
        )
        return forecast.failed

    def account(self, name: str) -> str:
        if not Account.objects.filter(pk=name).exists():
            raise CommandError(f"There is no account {name}.")
        return name

    def theme(self, name: str) -> Theme:
        found = list(Theme.objects.with_id_or_identifier(name)[:2])
        if len(found) != 1:
            raise CommandError(
                f"{'Several themes have' if found else 'No theme has'} the id or identifier {name}."
            )
        return found[0]
