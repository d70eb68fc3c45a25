"""Import real bridge files, export all boards, and import the export strictly: `python -m bench.public_files FOLDER`.

All files of the folder go into one empty database. Printed are, for each file and in sum, the boards, the warnings, the
records refused by their codes, and those passed over; then how many boards the database has, and whether an empty one
that reads their export strictly has the same. DATABASE_URL names the server.
"""

import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

from django.db import connection

from bench.scratch import say, scratch_database
from boards.files.exporting import file_header, write_board
from boards.files.importing import ImportReport, import_boards
from boards.models import Board
from boards.records import record_of
from deals.bridge.board import BoardRecord
from deals.bridge.files import FileFormat


def import_folder(folder: Path) -> Counter[str]:
    """Import each file, and say what came of its records."""
    totals: Counter[str] = Counter()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        before = Board.objects.count()
        with path.open("rb") as file:
            report = import_boards(file=file, publish=True)
        counts = counts_of(report, Board.objects.count() - before)
        totals += counts
        say(f"{path.relative_to(folder)}: {in_words(counts)}")
    return totals


def counts_of(report: ImportReport, new: int) -> Counter[str]:
    counts = Counter({"boards": len(report.board_ids), "of them new": new, "completed": len(report.merged)})
    counts.update(f"warned {warning.code}" for warning in report.warnings)
    counts.update(f"refused {error.code}" for error in report.failed)
    counts["passed over"] = report.skipped_count
    counts["records with a warning"] = len({warning.record for warning in report.warnings})
    return counts


def in_words(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {what}" for what, count in counts.most_common() if count)


def stored_records() -> Counter[BoardRecord]:
    """Return all boards, as PBN can say them: it has one word for an alert and an explanation."""
    return Counter(alerted(record_of(board)) for board in Board.objects.select_related("deal"))


def alerted(record: BoardRecord) -> BoardRecord:
    if record.auction is None:
        return record
    calls = tuple(replace(call, alert=call.alert or bool(call.explanation)) for call in record.auction.calls)
    return replace(record, auction=replace(record.auction, calls=calls))


def export(path: Path) -> None:
    with path.open("wb") as file:
        file.write(file_header(FileFormat.PBN).encode())
        for board in Board.objects.select_related("deal").order_by("pk").iterator():
            file.write(write_board(board, FileFormat.PBN).encode())


def main(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        exported = Path(scratch) / "all.pbn"
        with scratch_database():
            say(f"in sum, on {connection.vendor}: {in_words(import_folder(folder))}")
            before = stored_records()
            export(exported)
        with scratch_database(), exported.open("rb") as file:
            report = import_boards(file=file, publish=True, strict=True)
            after = stored_records()
        say(f"{before.total()} boards, {exported.stat().st_size} bytes of PBN, read again strictly:")
        say(in_words(counts_of(report, after.total())))
        lost, new = before - after, after - before
        say("identical" if before == after else f"NOT identical: {lost.total()} lost, {new.total()} others")
        for record in [*list(lost)[:3], *list(new)[:3]]:
            say(record)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
