from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.http import QueryDict
from rest_framework.exceptions import ValidationError
from tqdm import tqdm

from boards.files.exporting import header, walk, written
from boards.filters import BoardQuery, published_boards
from boards.querysets import BoardQuerySet
from deals.bridge.files import FileFormat

FILTERS = {
    "--theme": "theme",
    "--theme-type": "themeType",
    "--dealer": "dealer",
    "--vulnerability": "vulnerability",
    "--auction-system": "auctionSystem",
    "--user": "userId",
}
"""Options and the query parameters of GET /api/boards that they are."""


class Command(BaseCommand):
    help = "Write the published boards, newest first, into a PBN or LIN file. Unfinished files are never left behind."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="its ending, .pbn or .lin, is the format")
        for option, parameter in FILTERS.items():
            parser.add_argument(option, dest=parameter, help=str(BoardQuery().fields[parameter].help_text))
        parser.add_argument("--overwrite", action="store_true", help="replace FILE if it is there")
        parser.add_argument(
            "--dry-run", action="store_true", help="say how many boards there are, and write nothing"
        )

    def handle(self, *args: Any, file: Path, dry_run: bool, overwrite: bool, **options: Any) -> None:
        file_format = self.file_format(file)
        boards = self.boards(options)
        count = boards.count()
        if dry_run:
            self.stdout.write(f"{file}: would hold {count} boards.")
            return
        if file.exists() and not overwrite:
            raise CommandError(f"{file} is there already: name another file, or give --overwrite.")
        try:
            count = self.write(file, boards, count, file_format)
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}.") from None
        self.stdout.write(f"{file}: {count} boards.")

    def file_format(self, file: Path) -> FileFormat:
        try:
            return FileFormat(file.suffix.lower().removeprefix("."))
        except ValueError:
            raise CommandError(f"{file}: the name must end in .pbn or .lin.") from None

    def boards(self, options: dict[str, Any]) -> BoardQuerySet:
        query = QueryDict(mutable=True)
        query.update({name: options[name] for name in FILTERS.values() if options[name]})
        try:
            return published_boards(query)
        except ValidationError as error:
            bad: dict[str, Any] = error.get_full_details()  # type: ignore[assignment]  # of a serializer: by field
            names = ", ".join(option for option, name in FILTERS.items() if name in bad)
            raise CommandError(f"This can be the value of no board: {names}.") from None

    def write(self, file: Path, boards: BoardQuerySet, total: int, file_format: FileFormat) -> int:
        """How many were written; published in the meantime counts, so it need not be `total`."""
        count = 0
        unfinished = file.with_name(f"{file.name}.unfinished")
        try:
            with (
                unfinished.open("w", encoding="utf-8", newline="") as out,
                tqdm(unit=" boards", total=total, disable=None) as bar,
            ):
                out.write(header(file_format))
                for chunk in walk(boards):
                    out.writelines(written(board, file_format) for board in chunk)
                    bar.update(len(chunk))
                    count += len(chunk)
            unfinished.replace(file)
        finally:
            unfinished.unlink(missing_ok=True)
        return count
