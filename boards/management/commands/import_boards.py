from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from accounts.identifiers import SYSTEM
from accounts.models import Account
from boards.files.importing import import_boards
from boards.files.options import ImportOptions
from boards.files.previews import DryRunReport, RemarkGroup, dry_run_import, group_remarks
from boards.files.reports import ImportReport, ReadingReport
from boards.files.serializers import ImportQuery
from bridge.formats.outcomes import RecordWarning
from config.values.words import format_count
from themes.models import Theme


class Command(BaseCommand):
    help = "Import bridge files: PBN, LIN and others. Safe to repeat: existing boards are not created again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "files", nargs="+", metavar="FILE", type=Path, help="A bridge file: PBN, LIN, a ZIP of them, and others."
        )
        parser.add_argument("--theme", action="append", default=[], help="A theme's id or identifier. May be repeated.")
        parser.add_argument("--user", default=SYSTEM, help="The id of the account that owns the boards.")
        for name in ("publish", "strict"):
            parser.add_argument(f"--{name}", action="store_true", help=str(ImportQuery().fields[name].help_text))
        parser.add_argument(
            "--renumbered",
            action="store_true",
            help="Do not compare dealer and vulnerability with the board numbers.",
        )
        parser.add_argument("--dry-run", action="store_true", help="Report what would be new, and store nothing.")

    def handle(self, *args: Any, files: list[Path], dry_run: bool, publish: bool, **options: Any) -> None:
        import_options = ImportOptions(
            owner_id=self.account(options["user"]),
            themes=[self.theme(name) for name in options["theme"]],
            publish=publish,
            strict=options["strict"],
            renumbered=options["renumbered"],
        )
        refused = 0
        for path in files:
            try:
                with path.open("rb") as file, tqdm(unit=" boards", disable=None) as progress:
                    summary, report = (run_dry if dry_run else run)(file, import_options, progress)
            except OSError as error:
                raise CommandError(f"{path}: {error.strerror}.") from None
            self.stdout.write(f"{path}: {summary}")
            for group in group_remarks([*report.failed, *report.warnings]):
                self.stderr.write(f"{path}:{group.first.line}: {describe(group)}")
            if unnamed := report.warnings_count - len(report.warnings):
                self.stderr.write(f"{path}: {format_count(unnamed, 'more warning')}.")
            refused += len(report.failed)
        if refused:
            raise CommandError(
                f"{format_count(refused, 'record')} refused; the lines above say why. "
                f"{'Nothing is stored.' if dry_run else 'All others are stored.'}"
            )

    def account(self, account_id: str) -> str:
        if not Account.objects.filter(pk=account_id).exists():
            raise CommandError(f"There is no account {account_id}.")
        return account_id

    def theme(self, name: str) -> Theme:
        try:
            return Theme.objects.get_by_id_or_identifier(name)
        except (Theme.DoesNotExist, Theme.MultipleObjectsReturned) as error:
            raise CommandError(str(error)) from error


def describe(group: RemarkGroup) -> str:
    """Return "record 3, board 12: warning: passes_added: …", without the board when the file gives no number.

    Of several records, return how many they are, and the first boards and lines.
    """
    remark = group.first
    board = f", board {remark.board}" if remark.board else ""
    kind = "warning: " if isinstance(remark, RecordWarning) else ""
    where = f"record {remark.record}{board}" if group.count == 1 else f"{group.count:,} records, {group.where}"
    return f"{where}: {kind}{remark.code}: {group.message}"


def run(file: BinaryIO, options: ImportOptions, progress: tqdm) -> tuple[str, ReadingReport]:
    report = import_boards(file, options, on_progress=lambda report: show(progress, len(report.board_ids)))
    existed = len(report.board_ids) - report.boards - report.corrected_count
    merged = f" ({report.merged_count} completed)" * bool(report.merged)
    boards = f"{format_count(report.boards, 'board')} created", f"{existed} existed{merged}"
    deals = f"{format_count(report.created, 'deal')} created, {report.existing} existed"
    return summarise(report, boards, deals, "refused"), report


def run_dry(file: BinaryIO, options: ImportOptions, progress: tqdm) -> tuple[str, ReadingReport]:
    report = dry_run_import(file, options, on_progress=lambda report: show(progress, len(report.boards)))
    new, known = list(report.boards.values()), list(report.deals.values())
    existing = new.count(False) - report.corrected_count
    boards = f"{format_count(sum(new), 'board')} would be created", f"{existing} exist"
    deals = f"{format_count(sum(known), 'deal')} would be created, {known.count(False)} exist"
    return summarise(report, boards, deals, "would be refused"), report


def summarise(report: ImportReport | DryRunReport, boards: tuple[str, str], deals: str, refused: str) -> str:
    """Say what came of a file: its new and its known boards, its deals, and what was said of its records."""
    corrected = f"{report.corrected_count} corrected, " * bool(report.corrected)
    mended = f"{report.mended_count} repaired or shortened, " * bool(report.mended_count)
    skipped = f"{report.skipped_count} skipped, " * bool(report.skipped)
    rankings = f"{format_count(report.rankings.count, 'ranking')}; " * bool(report.rankings.count)
    records = f"{rankings}{mended}{skipped}{format_count(len(report.failed), 'record')} {refused}"
    return f"{boards[0]}, {corrected}{boards[1]}; {deals}; {records}. {report.points.sentence()}".rstrip()


def show(progress: tqdm, count: int) -> None:
    progress.update(count - progress.n)
