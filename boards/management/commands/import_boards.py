from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.identifiers import SYSTEM
from accounts.models import Account
from boards.importing import ImportReport, import_pbn
from boards.services import Placement
from themes.models import Theme


class Command(BaseCommand):
    help = "Import PBN files. Repeatable: boards that are there already are not made again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", type=Path)
        parser.add_argument(
            "--theme", action="append", default=[], help="a theme's id or identifier; may be repeated"
        )
        parser.add_argument("--user", default=SYSTEM, help="the id of the account the boards belong to")
        parser.add_argument(
            "--publish", action="store_true", help="show the boards to everybody; else they are drafts"
        )

    def handle(self, *args: Any, files: list[Path], publish: bool, **options: Any) -> None:
        placement = Placement(self.account(options["user"]), [self.theme(name) for name in options["theme"]])
        for path in files:
            try:
                self.load(path, placement, publish)
            except OSError as error:
                raise CommandError(f"{path}: {error.strerror}.") from None

    def load(self, path: Path, placement: Placement, publish: bool) -> None:
        report = ImportReport()
        with path.open("rb") as file:
            for report in import_pbn(file=file, placement=placement, publish=publish):
                if self.stderr.isatty():
                    self.stderr.write(f"\r{path}: {len(report.board_ids)} boards", ending="")
        if self.stderr.isatty():
            self.stderr.write("")
        for failed in report.failed:
            self.stderr.write(
                f"{path}:{failed.line}: record {failed.record}: {failed.code}: {failed.message}"
            )
        known = len(report.board_ids) - report.boards
        self.stdout.write(
            f"{path}: {report.boards} new boards, {known} known; {report.created} new deals, "
            f"{report.existing} known; {len(report.failed)} records refused."
        )

    def account(self, name: str) -> str:
        if not Account.objects.filter(pk=name).exists():
            raise CommandError(f"There is no account {name}.")
        return name

    def theme(self, name: str) -> Theme:
        found = list(Theme.objects.named(name)[:2])
        if len(found) != 1:
            raise CommandError(
                f"{'Several themes have' if found else 'No theme has'} the id or identifier {name}."
            )
        return found[0]
