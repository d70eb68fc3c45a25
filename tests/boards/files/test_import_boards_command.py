"""`manage.py import_boards`: what it prints, stores and refuses."""

import re
from contextlib import nullcontext
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from boards.models import Board
from bridge.formats.lin.writer import write_lin
from bridge.formats.pbn.writer import write_pbn
from deals.models import Deal
from tests import factories
from tests.boards.admin.pages import pbn
from tests.boards.files.test_import import UNKNOWN_HAND

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write(tmp_path / "two.pbn", pbn(factories.record(), factories.record(number=2)))


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def run(*files: Path, complaint: str = "", **options: Any) -> tuple[str, str]:
    """Run the command, which fails with a complaint if there is one. Return its output and its standard error."""
    out, err = StringIO(), StringIO()
    with pytest.raises(CommandError, match=complaint) if complaint else nullcontext() as failure:
        call_command("import_boards", *files, stdout=out, stderr=err, **options)
    assert failure is None or failure.value.returncode == 1
    return out.getvalue(), err.getvalue()


def test_it_imports_a_file_as_drafts_of_the_account_system_and_can_be_repeated(file: Path) -> None:
    summary = f"{file}: 2 boards created, 0 existed; 2 deals created, 0 existed; 0 records refused.\n"
    assert run(file) == (summary, "")
    assert Board.objects.filter(owner="system", published_at=None).count() == 2
    assert run(file) == (f"{file}: 0 boards created, 2 existed; 0 deals created, 2 existed; 0 records refused.\n", "")
    assert Board.objects.count() == Deal.objects.count() == 2


def test_a_dry_run_reports_what_would_be_new_and_stores_nothing(file: Path) -> None:
    write(file, file.read_bytes() + UNKNOWN_HAND.encode() + write_pbn(factories.record(number=3)).encode() * 2)
    complaint = r"^1 record refused; the lines above say why\. Nothing is stored\.$"
    said = "{0}: {1} boards would be created, {2} exist; {1} deals would be created, {2} exist; "
    said += "1 record would be refused.\n"
    out, err = run(file, complaint=complaint, dry_run=True)
    assert out == said.format(file, 3, 0) and "record 3: unknown_hand" in err
    assert not Deal.objects.exists()
    run(file, complaint="1 record refused")
    assert run(file, complaint=complaint, dry_run=True)[0] == said.format(file, 0, 3)


def test_it_publishes_boards_of_several_files_with_themes_and_an_owner(file: Path, tmp_path: Path) -> None:
    factories.account("ada")
    themes = [factories.theme("stayman"), factories.theme("transfers")]
    other = write(tmp_path / "no-ending", write_lin(factories.record(number=3)).encode())
    out, _ = run(file, other, publish=True, user="ada", theme=["stayman", str(themes[1].pk)])
    assert [line.split(": ")[0] for line in out.splitlines()] == [str(file), str(other)]
    boards = Board.objects.published().filter(owner="ada")
    assert [set(board.themes.all()) for board in boards] == [set(themes)] * 3


def test_it_names_bad_records_by_line_keeps_the_good_ones_and_fails(file: Path, tmp_path: Path) -> None:
    line = write(file, file.read_bytes() + UNKNOWN_HAND.encode()).read_bytes().count(b"\n") - 1
    later = write(tmp_path / "later.pbn", pbn(factories.record()))
    complaint = r"^1 record refused; the lines above say why\. All others are stored\.$"
    out, err = run(file, later, complaint=complaint)
    assert err == f"{file}:{line}: record 3: unknown_hand: East's hand is missing.\n"
    first, second = out.splitlines()
    assert first.endswith("2 boards created, 0 existed; 2 deals created, 0 existed; 1 record refused.")
    assert second.startswith(f"{later}: 1 board created") and Board.objects.count() == 3


def test_it_names_the_first_warnings_and_counts_all(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boards.files.reports.MAX_WARNINGS", 1)
    summary, warnings = run(write(file, file.read_bytes().replace(b'[Vulnerable "', b'[Vulnerable "X')))
    assert "2 repaired or shortened" in summary
    first, others = warnings.splitlines()
    assert "record 1" in first and "vulnerability_dropped" in first
    assert others == f"{file}: 1 more warning."


def test_it_says_once_what_was_done_to_several_records(file: Path) -> None:
    _, warnings = run(write(file, file.read_bytes().replace(b'[Vulnerable "', b'[Vulnerable "X')))
    (line,) = warnings.splitlines()
    assert re.search(r":\d+: 2 records, boards 1, 2, lines \d+, \d+: warning: vulnerability_dropped: 'XNone' is ", line)
    assert line.endswith(" The others are alike.")


def test_it_names_an_unknown_theme_or_account_and_a_file_it_cannot_read(file: Path, tmp_path: Path) -> None:
    for theme_type in ("convention", "lesson"):
        factories.theme("overcalls", type=theme_type)
    run(file, theme=["nothing"], complaint="No theme has the id or identifier nothing.")
    run(file, theme=["overcalls"], complaint="Several themes have the identifier overcalls. Give the id instead.")
    run(file, user="nobody", complaint="There is no account nobody.")
    run(tmp_path / "nothing.pbn", complaint=r"nothing\.pbn: No such file or directory\.")
    run(tmp_path, complaint=r"Is a directory\.")
    assert not Deal.objects.exists()
