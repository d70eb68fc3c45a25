"""`python -m bridge FILE`: what it says of files, on which stream, and with which exit status."""

import io
import re
import zipfile
from pathlib import Path

import pytest

import bridge
from bridge.__main__ import main

README = (Path(bridge.__file__).parent / "README.md").read_text(encoding="utf-8")
GOOD = '[Board "1"]\n[Deal "N:AKQJ.T98.765.432 T987.765.432.AKQ 654.32.AKQJ.T987 32.AKQJ4.T98.J65"]\n'
BAD = GOOD.replace("AKQJ4", "AKQJT")


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(name: str, data: str | bytes) -> str:
    Path(name).write_bytes(data.encode() if isinstance(data, str) else data)
    return name


def packed(**files: bytes) -> bytes:
    """Return a ZIP of PBN files by their names."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(f"{name}.pbn", content)
    return data.getvalue()


def test_the_first_example_of_the_readme_is_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    file = re.search(r"^```\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    shown = re.search(r"^    \$ python -m bridge evening\.pbn\n((?:    .+\n)+)", README, re.MULTILINE)
    assert file and shown
    assert main([written("evening.pbn", file[1])]) == 1
    assert capsys.readouterr() == (re.sub("^    ", "", shown[1], flags=re.MULTILINE), "")


def test_it_counts_boards_by_what_they_have_and_rankings(capsys: pytest.CaptureFixture[str]) -> None:
    played = '[Declarer "N"]\n[Contract "1NT"]\n[Result "7"]\n{Well.}\n'
    ranking = '[TotalScoreTable "Rank\\2R;PairId\\2R"]\n 1 3\n'
    assert main([written("two.pbn", f"{GOOD}{played}{ranking}\n{GOOD.replace('1', '2', 1)}")]) == 0
    out, _ = capsys.readouterr()
    assert out.splitlines() == [
        "two.pbn: PBN",
        "  2 boards, 1 ranking",
        "  Boards: 1 with a contract, 1 with a result, 1 with a commentary",
    ]


def test_it_tells_drafts_and_what_is_said_of_the_whole_file(capsys: pytest.CaptureFixture[str]) -> None:
    twice = '[Declarer "N"]\n[Contract "1NT"]\n[Contract "2NT"]\n'
    assert main([written("one.pbn", f'{GOOD}[Dealer "S"]\n{twice}')]) == 0
    out, _ = capsys.readouterr()
    assert "  Drafts: 1 board whose contradictions nothing decides\n" in out
    assert "    1 × tag_twice\n" in out


def test_it_shows_three_remarks_of_a_kind_and_all_when_told(capsys: pytest.CaptureFixture[str]) -> None:
    name = written("bad.pbn", "\n".join([BAD] * 5))
    assert main([name]) == 1
    few, _ = capsys.readouterr()
    assert few.count("HT is dealt twice") == 3
    assert "      line 8, board 1: HT is dealt twice, to North and West.\n      2 more: --all shows them\n" in few
    assert main(["--all", name]) == 1
    whole, _ = capsys.readouterr()
    assert whole.count("HT is dealt twice") == 5 and "--all" not in whole


def test_a_file_of_another_kind_is_an_error_with_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    for data, kind in ((b"", "empty"), (b"\x89PNG\r\n\x1a\n", "a picture"), (bytes(range(256)), "of an unknown kind")):
        assert main([written("odd", data)]) == 1
        out, err = capsys.readouterr()
        assert out == "" and err.startswith(f"odd: The file is {kind}"), kind


def test_it_knows_the_format_of_a_file_whose_beginning_says_little(capsys: pytest.CaptureFixture[str]) -> None:
    quoted = "".join(f"{'>' * 2000}{line}\n" for line in ["A letter"] * 60 + GOOD.splitlines())
    wide = f"{'A letter. ' * 5000}\n\n{GOOD}".encode("utf-16")
    for name, data in (("quoted.txt", quoted), ("wide.txt", wide)):
        assert main([written(name, data)]) in (0, 1)
        out, err = capsys.readouterr()
        assert out.startswith(f"{name}: PBN\n  1 board") and err == "", name


def test_what_cannot_be_opened_is_an_error_and_the_other_files_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    Path("folder").mkdir()
    assert main(["folder", "missing.pbn", written("good.pbn", GOOD)]) == 2
    out, err = capsys.readouterr()
    assert out.startswith("good.pbn: PBN\n  1 board\n")
    assert err == "folder: Is a directory.\nmissing.pbn: No such file or directory.\n"
    with pytest.raises(SystemExit, match="2"):
        main([])


def test_a_zip_file_that_would_fill_the_memory_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([written("bomb.zip", packed(a=bytes(20_000_000)))]) == 1
    out, _ = capsys.readouterr()
    assert "  0 boards, 1 refused\n" in out and "larger than 16 MiB unpacked" in out
    assert main([written("one.zip", packed(a=GOOD.encode(), b=BAD.encode()))]) == 1
    out, _ = capsys.readouterr()
    assert out.startswith("one.zip: ZIP\n  1 board, 1 refused\n") and "line 2, board 1: b.pbn: HT is dealt twice" in out


def test_no_text_of_a_file_or_its_name_moves_the_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    main([written("a\x1b[2J.pbn", BAD.replace('"1"', '"\x1b[31m7"'))])
    main(["\x1b]0;title\x07"])
    out, err = capsys.readouterr()
    assert "board [31m7" in out
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", out + err)
