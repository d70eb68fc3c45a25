from collections.abc import Iterator
from io import StringIO
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from boards.files import exporting
from boards.files.exporting import ExportedBoard
from boards.management.commands import export_boards
from boards.models import Board
from boards.records import record_of
from deals.bridge.formats.files import read_boards
from deals.bridge.formats.outcomes import ReadBoard
from tests import factories

pytestmark = pytest.mark.django_db


def run(*arguments: Any, **options: Any) -> str:
    out = StringIO()
    call_command("export_boards", *arguments, stdout=out, **options)
    return out.getvalue()


def read(file: Path, **options: bool) -> list[Any]:
    with file.open("rb") as stream:
        return [each.content for each in read_boards(stream, **options) if isinstance(each, ReadBoard)]


@pytest.fixture
def boards(monkeypatch: pytest.MonkeyPatch) -> list[Board]:
    """Return the published boards, newest first. The exporter fetches two at a time."""
    monkeypatch.setattr(exporting, "CHUNK_SIZE", 2)
    factories.board(published=False)
    stored = [factories.board(number=number, calls="1NT Pass Pass Pass") for number in range(1, 6)]
    return stored[::-1]


def test_it_writes_all_published_boards_into_a_file_that_is_read_back(boards: list[Board], tmp_path: Path) -> None:
    for ending in ("pbn", "lin", "PBN"):
        file = tmp_path / f"{ending}-file" / f"boards.{ending}"
        file.parent.mkdir()
        assert run(file) == f"{file}: wrote 5 boards.\n"
        assert read(file, strict=True) == [record_of(board) for board in boards]
        assert list(file.parent.iterdir()) == [file]


def test_a_dup_file_has_the_cards_for_a_dealing_machine_unless_it_would_be_too_long(
    boards: list[Board], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "boards.dup"
    run(file)
    dealt = [(record.layout, record.board_number) for record in read(file)]
    assert dealt == [(board.deal.layout, number) for number, board in enumerate(boards, 1)]
    file.unlink()
    monkeypatch.setattr(export_boards, "MAX_BOARD_NUMBER", 4)
    with pytest.raises(CommandError, match="at most 4 boards, and these are 5"):
        run(file)
    assert list(tmp_path.iterdir()) == []


def test_the_boards_of_an_event_are_written_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for number in (3, 1, 2):
        board = factories.board(number=number, event="Friday pairs", date="2026.11.20")
    file = tmp_path / "event.pbn"
    run(file, "--event", board.event_slug, "--date-from", "2026-11-20", "--date-to", "2026-11-20")
    assert [record.board_number for record in read(file)] == [1, 2, 3]


def test_it_takes_the_filters_of_the_list(boards: list[Board], tmp_path: Path) -> None:
    assert run(tmp_path / "some.pbn", "--dealer", "N").endswith(": wrote 2 boards.\n")
    factories.theme("unused")
    assert run(tmp_path / "none.pbn", "--theme", "unused").endswith(": wrote 0 boards.\n")
    with pytest.raises(CommandError, match=r"valid value: --theme-type\."):
        run(tmp_path / "bad.pbn", "--theme-type", "a b")


def test_a_name_that_nothing_has_is_an_error_and_writes_no_file(boards: list[Board], tmp_path: Path) -> None:
    file = tmp_path / "b.pbn"
    file.write_text("mine")
    for option, dry_run in product(("--theme", "--theme-type", "--auction-system", "--user", "--event"), (False, True)):
        with pytest.raises(CommandError, match=f"{option}: nothing has the name staymann"):
            run(file, option, "staymann", overwrite=True, dry_run=dry_run)
        assert file.read_text() == "mine", option


def test_a_file_is_replaced_only_with_overwrite_and_never_in_a_dry_run(boards: list[Board], tmp_path: Path) -> None:
    file = tmp_path / "b.lin"
    assert run(file, dry_run=True) == f"{file}: would write 5 boards.\n" and not file.exists()
    file.write_text("mine")
    with pytest.raises(CommandError, match="already exists"):
        run(file)
    assert file.read_text() == "mine"
    run(file, overwrite=True)
    assert file.read_text().startswith("pn|")


def test_the_file_name_must_end_in_a_format_and_its_folder_exist(tmp_path: Path) -> None:
    for name in ("boards", "boards.txt"):
        with pytest.raises(CommandError, match=r"must end in \.pbn, \.lin or \.dup"):
            run(tmp_path / name)
    with pytest.raises(CommandError, match=r"b\.pbn: No such file or directory\."):
        run(tmp_path / "nowhere" / "b.pbn")


def test_a_failed_export_leaves_the_old_file_and_no_unfinished_one(
    boards: list[Board], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> Iterator[list[ExportedBoard]]:
        yield [ExportedBoard(record_of(boards[0]), "", None, "")]
        raise KeyboardInterrupt

    monkeypatch.setattr("boards.management.commands.export_boards.iterate_boards", broken)
    file = tmp_path / "b.pbn"
    file.write_text("mine")
    with pytest.raises(KeyboardInterrupt):
        run(file, overwrite=True)
    assert file.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [file]
