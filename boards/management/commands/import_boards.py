from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from accounts.identifiers import SYSTEM
from accounts.models import Account
from boards.files.dry_run import dry_run_import
from boards.files.importing import import_boards
from config.values.words import format_count
from deals.bridge.errors import RecordError
from themes.models import Theme


class Command(BaseCommand):
    help = "Import PBN and LIN files. Safe to repeat: boards that exist are not created again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", type=Path, help="A PBN or LIN file.")
        parser.add_argument(
            "--theme", action="append", default=[], help="A theme's id or identifier. May be repeated."
        )
        parser.add_argument("--user", default=SYSTEM, help="The id of the account that owns the boards.")
        parser.add_argument(
            "--publish", action="store_true", help="Publish the boards. Otherwise new boards are drafts."
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="Report what would be new, and store nothing."
        )

    def handle(self, *args: Any, files: list[Path], dry_run: bool, publish: bool, **options: Any) -> None:
        owner_id = self.account(options["user"])
        themes = [self.theme(name) for name in options["theme"]]
        for path in files:
            try:
                with path.open("rb") as file:
                    summary, failed = (
                        run_dry(file, owner_id=owner_id)
                        if dry_run
                        else run(file, owner_id=owner_id, themes=themes, publish=publish)
                    )
            except OSError as error:
                raise CommandError(f"{path}: {error.strerror}.") from None
            self.stdout.write(f"{path}: {summary}")
            for record in failed:
                self.stderr.write(
                    f"{path}:{record.line}: record {record.record}: {record.code}: {record.message}"
                )

    def account(self, account_id: str) -> str:
        """Return the account's id. Raise CommandError when there is no such account."""
        if not Account.objects.filter(pk=account_id).exists():
            raise CommandError(f"There is no account {account_id}.")
        return account_id

    def theme(self, name: str) -> Theme:
        """Return the theme with this id or identifier. Raise CommandError unless there is exactly one."""
        try:
            return Theme.objects.get_by_id_or_identifier(name)
        except (Theme.DoesNotExist, Theme.MultipleObjectsReturned) as error:
            raise CommandError(str(error)) from error


def run(file: BinaryIO, **options: Any) -> tuple[str, list[RecordError]]:
    """Import the file. Return a summary and the records that were refused."""
    with tqdm(unit=" boards", disable=None) as progress:
        report = import_boards(
            file=file, on_progress=lambda report: show(progress, len(report.board_ids)), **options
        )
    summary = (
        f"{format_count(report.boards, 'board')} created, {len(report.board_ids) - report.boards} existed; "
        f"{format_count(report.created, 'deal')} created, {report.existing} existed; "
        f"{format_count(len(report.failed), 'record')} refused."
    )
    return summary, report.failed


def run_dry(file: BinaryIO, *, owner_id: str) -> tuple[str, list[RecordError]]:
    """Look up what an import would create. Return a summary and the records that would be refused."""
    with tqdm(unit=" boards", disable=None) as progress:
        report = dry_run_import(
            file=file,
            owner_id=owner_id,
            on_progress=lambda report: show(progress, len(report.boards)),
        )
    boards, deals = list(report.boards.values()), list(report.deals.values())
    summary = (
        f"{format_count(sum(boards), 'board')} would be created, {boards.count(False)} exist; "
        f"{format_count(sum(deals), 'deal')} would be created, {deals.count(False)} exist; "
        f"{format_count(len(report.failed), 'record')} would be refused."
    )
    return summary, report.failed


def show(progress: tqdm, count: int) -> None:
    """Move the progress bar to this number of boards."""
    progress.update(count - progress.n)
