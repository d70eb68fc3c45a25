"""The points that a file gives its tables, held against ours."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

import pytest
from rest_framework.test import APIClient

from boards.files.options import ImportOptions
from boards.files.points import PointsCheck
from boards.files.previews import dry_run_import, preview_of
from boards.models import Upload
from bridge.formats.files import read_boards
from bridge.formats.outcomes import ReadBoard
from tests.boards.files.test_import import imported
from tests.bridge.formats.usebio_files import board, document, hand_set

RESULTS = {"-100": "6", "90": "7", "120": "8", "150": "9", "A60-40": ""}
"""The tricks of one no trump by North by the score, and a score of the director."""

Rows = Sequence[tuple[str, str, str]]


def evening(*boards: Rows, points: str = "MATCH_POINTS", method: str = "MATCH_POINTS") -> bytes:
    """Return a document of boards: a score and both sides' points for each table."""
    numbers = range(7, 7 + len(boards))
    lines = [
        board(*(line(pair, *row, points) for pair, row in enumerate(rows, 1)), number=str(number))
        for number, rows in zip(numbers, boards, strict=True)
    ]
    text = document("".join(lines), "".join(hand_set(number=str(number)) for number in numbers))
    return text.replace("MATCH_POINTS</BOARD", f"{method}</BOARD").encode()


def line(pair: int, score: str, north_south: str, east_west: str, points: str) -> str:
    return (
        f"<NS_PAIR_NUMBER>{pair}</NS_PAIR_NUMBER><CONTRACT>1NT</CONTRACT><PLAYED_BY>N</PLAYED_BY>"
        f"<TRICKS>{RESULTS[score]}</TRICKS><SCORE>{score}</SCORE>"
        f"<NS_{points}>{north_south}</NS_{points}><EW_{points}>{east_west}</EW_{points}>"
    )


def check(file: bytes) -> PointsCheck:
    found = PointsCheck()
    for outcome in read_boards(BytesIO(file)):
        if isinstance(outcome, ReadBoard):
            found.add(outcome)
    return found


WHOLE: Rows = [("150", "4", "0"), ("120", "2", "2"), ("90", "0", "4")]
FEWER: Rows = [("150", "3.5", "0.5"), ("A60-40", "2.4", "1.6"), ("-100", "0.5", "3.5")]


def test_the_points_of_a_sound_file_agree_in_whatever_unit_it_counts() -> None:
    times_ten = [(score, f"{ours}0", f"{theirs}0") for score, ours, theirs in WHOLE]
    halves = [("150", "2", "0"), ("120", "1", "1"), ("90", "0", "2")]
    for file in (
        *(evening(WHOLE, FEWER), evening(WHOLE, [("150", "3.5", "0.5"), ("-100", "0.5", "3.5")])),
        *(evening(times_ten), evening(halves), evening(WHOLE, [("90", "2", "2")])),
        evening([("150", "6", "-6"), ("-100", "-6", "6")], points="CROSS_IMP_POINTS", method="CROSS_IMPS"),
        evening([("150", "3", "-3"), ("120", "0", "0"), ("90", "-3", "3")], points="IMPS", method="CROSS_IMPS"),
        evening([("150", "1", "-1"), ("120", "0", "0"), ("-100", "-6", "6")], points="BUTLER_POINTS", method="BUTLER"),
    ):
        found = check(file)
        assert found.compared > 1 and found.different == [], (file, found.different)


def test_a_table_that_is_missing_or_has_another_score_changes_the_points_of_its_board_and_each_is_named() -> None:
    missing = check(evening(WHOLE, WHOLE[1:]))
    assert missing.sentence() == "Points agree with the file: 4 of 5."
    assert [each[1:] for each in missing.different] == [("8", "1 v ?", "3.5", "2")]
    for rows in (WHOLE[:1], [], [*WHOLE] * 34):  # a single table, none, and more than pages compare
        assert check(evening(rows)).sentence() == "", len(rows)


@pytest.mark.django_db
def test_the_preview_and_the_answer_say_how_many_agree(service: APIClient) -> None:
    wrong = [("150", "2", "2"), ("120", "4", "0"), ("90", "0", "4")]
    file = evening(WHOLE, wrong)
    expected: dict[str, Any] = {
        "compared": 6,
        "agreed": 4,
        "different": [
            {"record": 4, "board": "8", "table": "1 v ?", "ours": "4", "theirs": "2"},
            {"record": 5, "board": "8", "table": "2 v ?", "ours": "2", "theirs": "4"},
        ],
    }
    assert dry_run_import(BytesIO(file), ImportOptions(owner_id="system")).points.as_json() == expected
    assert preview_of(Upload(owner_id="system", content=file))["points"] == expected
    assert imported(service, file)["points"] == expected
