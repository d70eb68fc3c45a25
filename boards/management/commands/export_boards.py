from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from django.contrib.auth.models import AnonymousUser
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.http import QueryDict
from rest_framework.exceptions import ValidationError
from tqdm import tqdm

from boards.files.exporting import ExportedBoard, file_header, iterate_boards
from boards.searching.filters import FILTERS
from boards.searching.parameters import BoardQuery, BoardSelection, parse_selection
from bridge.formats.dealing_machines import MAX_BOARD_NUMBER, write_dup
from bridge.formats.files import FileFormat
from bridge.layout import Layout
from config.api.errors import ValidationFailed
from config.values.words import format_count
from search.index.finding import count_boards
from themes.labels import get_label_cache, get_revision

OPTIONS = {
    **{each.option: each.name for each in FILTERS.values()},
    "--query": "q",
}
"""The options that filter, with the query parameters of GET /api/boards that they stand for."""


class Command(BaseCommand):
    help = (
        "Write the published boards, newest first, to a PBN, LIN or DUP file; those of one event in the order of their "
        "numbers. A failed export leaves no file behind."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file",
            metavar="FILE",
            type=Path,
            help="The file to write. Its ending, .pbn, .lin or .dup, sets the format. A .dup file is for dealing"
            " machines: it has the cards alone, each deal once, and numbers them one after another.",
        )
        for option, parameter in OPTIONS.items():
            parser.add_argument(option, dest=parameter, help=str(BoardQuery().fields[parameter].help_text))
        parser.add_argument("--overwrite", action="store_true", help="Replace FILE if it exists.")
        parser.add_argument(
            "--dry-run",
            action="store_true",
            help="Count the boards, or the deals of a .dup file, and write nothing.",
        )

    def handle(self, *args: Any, file: Path, dry_run: bool, overwrite: bool, **options: Any) -> None:
        file_format = None if file.suffix.lower() == ".dup" else self.file_format(file)
        selection = self.selection(options)
        dealt = {} if file_format else deal_once(iterate_boards(selection))
        count = count_boards(selection.condition(get_label_cache(get_revision()))) if file_format else len(dealt)
        noun = "board" if file_format else "deal"
        if dry_run:
            self.stdout.write(f"{file}: would write {format_count(count, noun)}.")
            return
        if file.exists() and not overwrite:
            raise CommandError(f"{file} already exists. Choose another file, or add --overwrite to replace it.")
        try:
            if file_format:
                count = self.write(file, iterate_boards(selection), count, file_format)
            else:
                self.write_deals(file, dealt)
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}.") from None
        self.stdout.write(f"{file}: wrote {format_count(count, noun)}.")

    def file_format(self, file: Path) -> FileFormat:
        try:
            return FileFormat(file.suffix.lower().removeprefix("."))
        except ValueError:
            raise CommandError(f"{file}: the file name must end in .pbn, .lin or .dup.") from None

    def selection(self, options: dict[str, Any]) -> BoardSelection:
        query = QueryDict(mutable=True)
        query.update({name: options[name] for name in OPTIONS.values() if options[name]})
        try:
            selection = parse_selection(query).for_caller(AnonymousUser())
        except ValidationFailed as error:
            (reason,) = error.meta["fields"]["q"]
            raise CommandError(f"--query: {reason['message']}") from None
        except ValidationError as error:
            errors: dict[str, Any] = error.get_full_details()  # type: ignore[assignment]  # of a serializer: by field
            names = ", ".join(option for option, name in OPTIONS.items() if name in errors)
            raise CommandError(f"These options do not have a valid value: {names}.") from None
        refuse_unknown_names(selection.filters)
        return selection

    def write(self, file: Path, chunks: Iterable[list[ExportedBoard]], total: int, file_format: FileFormat) -> int:
        """Write the file. Return how many boards it has: more or fewer than `total` when boards change meanwhile."""
        count = 0
        with replacing(file) as out, tqdm(unit=" boards", total=total, disable=None) as progress:
            out.write(file_header(file_format).encode())
            for chunk in chunks:
                out.writelines(board.write(file_format).encode() for board in chunk)
                progress.update(len(chunk))
                count += len(chunk)
        return count

    def write_deals(self, file: Path, dealt: Mapping[Layout, int | None]) -> None:
        """Write a DUP file, which has the number of its first board alone: say where the boards have other numbers."""
        numbers = list(dealt.values())
        first = numbers[0] if numbers and numbers[0] else 1
        end = first + len(numbers)
        if numbers != list(range(first, end)) or end > MAX_BOARD_NUMBER + 1:
            first = 1
            self.stderr.write(
                f"{file}: the deals are numbered from 1, in the order of their boards, whose own numbers are not"
                " consecutive. Dealer and vulnerability follow the new numbers."
            )
        with replacing(file) as out:
            out.write(write_dup(list(dealt), first))


def deal_once(chunks: Iterable[list[ExportedBoard]]) -> dict[Layout, int | None]:
    """Return the layouts of the boards, each once however many tables played it, with its first board's number.

    Raise CommandError when they are more than a DUP file has.
    """
    dealt: dict[Layout, int | None] = {}
    for board in chain.from_iterable(chunks):
        dealt.setdefault(board.record.layout, board.record.board_number)
        if len(dealt) > MAX_BOARD_NUMBER:
            raise CommandError(f"Too many deals: a .dup file has at most {MAX_BOARD_NUMBER}. Add a filter.")
    return dealt


@contextmanager
def replacing(file: Path) -> Iterator[BinaryIO]:
    """Open a file beside this one and put it in its place at the end. Leave none behind after an exception."""
    unfinished = file.with_name(f"{file.name}.unfinished")
    try:
        with unfinished.open("wb") as out:
            yield out
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)


def refuse_unknown_names(filters: Mapping[str, str]) -> None:
    """Raise CommandError for a name that nothing has: an empty file would hide the mistake."""
    labels = get_label_cache(get_revision())
    for name, value in filters.items():
        if not FILTERS[name].exists(value, labels):
            raise CommandError(f"{FILTERS[name].option}: {value} does not exist. No file was written.")
