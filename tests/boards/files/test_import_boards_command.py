from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from boards.models import Board
from deals.bridge.board import BoardRecord
from deals.bridge.formats.lin.writer import write_lin
from deals.bridge.formats.pbn.writer import HEADER, write_pbn
from deals.models import Deal
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write(tmp_path / "two.pbn", factories.record(), factories.record(number=2))


def write(path: Path, *records: BoardRecord) -> Path:
    path.write_bytes((HEADER + "".join(map(write_pbn, records))).encode())
    return path


def run_with_refusals(*files: Path, complaint: str, **options: Any) -> tuple[str, str]:
    """Run the command, which fails with this complaint. Return what it printed before."""
    out, err = StringIO(), StringIO()
    with pytest.raises(CommandError, match=complaint) as failure:
        call_command("import_boards", *files, stdout=out, stderr=err, **options)
    assert failure.value.returncode == 1
    return out.getvalue(), err.getvalue()


def run(*files: Path, **options: Any) -> tuple[str, str]:
    """Run the command. Return its standard output and its standard error."""
    out, err = StringIO(), StringIO()
    call_command("import_boards", *files, stdout=out, stderr=err, **options)
    return out.getvalue(), err.getvalue()


def test_it_imports_a_file_as_drafts_of_the_account_system_and_prints_a_summary(file: Path) -> None:
    summary = f"{file}: 2 boards created, 0 existed; 2 deals created, 0 existed; 0 records refused.\n"
    assert run(file) == (summary, "")
    assert Board.objects.filter(owner="system", published_at=None).count() == 2


def test_it_recognises_lin_by_the_files_content(tmp_path: Path) -> None:
    path = tmp_path / "no-ending"
    path.write_text("".join(map(write_lin, [factories.record(), factories.record(number=2)])))
    assert run(path) == (f"{path}: 2 boards created, 0 existed; 2 deals created, 0 existed; 0 records refused.\n", "")


def test_a_dry_run_reports_what_would_be_new_and_stores_nothing(file: Path) -> None:
    with file.open("ab") as more:
        more.write(b'[Deal "N:AKQJ.T98.765.432 - - -"]\r\n\r\n')
        more.write(write_pbn(factories.record(number=3)).encode() * 2)
    complaint = r"^1 record refused; the lines above say why\. Nothing is stored\.$"
    out, err = run_with_refusals(file, complaint=complaint, dry_run=True)
    assert out == (
        f"{file}: 3 boards would be created, 0 exist; 3 deals would be created, 0 exist; 1 record would be refused.\n"
    )
    assert "record 3: unknown_hand" in err
    assert not Deal.objects.exists()
    run_with_refusals(file, complaint="1 record refused")
    out, _ = run_with_refusals(file, complaint=complaint, dry_run=True)
    assert out == (
        f"{file}: 0 boards would be created, 3 exist; 0 deals would be created, 3 exist; 1 record would be refused.\n"
    )


def test_it_can_be_repeated(file: Path) -> None:
    run(file)
    summary = f"{file}: 0 boards created, 2 existed; 0 deals created, 2 existed; 0 records refused.\n"
    assert run(file) == (summary, "")
    assert Board.objects.count() == Deal.objects.count() == 2


def test_it_publishes_boards_with_themes_and_an_owner(file: Path) -> None:
    factories.account("ada")
    themes = [factories.theme("stayman"), factories.theme("transfers")]
    run(file, publish=True, user="ada", theme=["stayman", str(themes[1].pk)])
    boards = Board.objects.published().filter(owner="ada").newest_first()
    assert [board.board_number for board in boards] == [1, 2]
    assert [set(board.themes.all()) for board in boards] == [set(themes)] * 2


def test_it_takes_several_files(file: Path, tmp_path: Path) -> None:
    other = write(tmp_path / "one.pbn", factories.record(number=3))
    out, _ = run(file, other)
    assert [line.split(": ")[0] for line in out.splitlines()] == [str(file), str(other)]
    assert Board.objects.count() == 3


def test_it_names_bad_records_by_line_keeps_the_good_ones_and_fails(file: Path) -> None:
    with file.open("ab") as more:
        more.write(b'[Deal "N:AKQJ.T98.765.432 - - -"]\r\n')
    complaint = r"^1 record refused; the lines above say why\. All others are stored\.$"
    out, err = run_with_refusals(file, complaint=complaint)
    line = file.read_bytes().count(b"\n")
    assert err == f"{file}:{line}: record 3: unknown_hand: East's hand is not given.\n"
    assert out.endswith("2 boards created, 0 existed; 2 deals created, 0 existed; 1 record refused.\n")
    assert Board.objects.count() == 2


def test_it_names_the_first_warnings_and_counts_all(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boards.files.importing.MAX_WARNINGS", 1)
    file.write_bytes(file.read_bytes().replace(b'[Vulnerable "', b'[Vulnerable "X'))
    summary, warnings = run(file)
    assert "2 repaired or shortened" in summary
    first, others = warnings.splitlines()
    assert "record 1" in first and "vulnerability_dropped" in first
    assert others == f"{file}: 1 more warning."


def test_a_refused_record_does_not_keep_the_files_after_it_out(file: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.pbn"
    bad.write_bytes(b'[Deal "N:AKQJ.T98.765.432 - - -"]\r\n' * 2)
    out, _ = run_with_refusals(bad, file, complaint="^2 records refused;")
    assert len(out.splitlines()) == 2
    assert Board.objects.count() == 2


REFUSED: tuple[tuple[dict[str, Any], str], ...] = (
    ({"theme": ["nothing"]}, "No theme has the id or identifier nothing."),
    ({"theme": ["overcalls"]}, "Several themes have the identifier overcalls. Give the id instead."),
    ({"user": "nobody"}, "There is no account nobody."),
)


def test_it_refuses_an_unknown_theme_or_account_and_stores_nothing(file: Path) -> None:
    for theme_type in ("convention", "lesson"):
        factories.theme("overcalls", type=theme_type)
    for options, complaint in REFUSED:
        with pytest.raises(CommandError, match=complaint):
            run(file, **options)
    assert not Deal.objects.exists()


def test_it_names_a_file_it_cannot_read(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"nothing\.pbn: No such file or directory\."):
        run(tmp_path / "nothing.pbn")
    with pytest.raises(CommandError, match=r"Is a directory\."):
        run(tmp_path)
