"""Dealer and vulnerability are held against the board number, and a file is told of it once."""

from functools import partial

from bridge.formats.files import read_boards
from bridge.formats.outcomes import ReadBoard, RecordWarning
from tests.bridge.formats.reading import CARDS, Reading, refused

READING = Reading(partial(read_boards, renumbered=False))


def board(number: int, dealer: str, vulnerable: str) -> str:
    return f'[Board "{number}"]\n[Dealer "{dealer}"]\n[Vulnerable "{vulnerable}"]\n[Deal "{CARDS}"]\n\n'


def test_boards_that_differ_from_law_2_are_kept_as_they_are_and_named_in_one_warning() -> None:
    sound = board(1, "N", "None") + board(2, "E", "NS") + f'[Deal "{CARDS}"]\n\n'
    assert all(isinstance(each, ReadBoard) for each in READING.outcomes(sound))
    *kept, warning = READING.outcomes(sound + board(3, "N", "EW") + board(4, "W", "None"))
    assert isinstance(warning, RecordWarning) and len(kept) == 5
    assert all(isinstance(each, ReadBoard) and not each.warnings for each in kept)
    assert (warning.record, warning.board, warning.line, warning.code) == (4, "3", 13, "against_board_number")
    assert warning.message.startswith("Boards 3, 4: dealer or vulnerability does not match the board number. ")
    *_, warning = READING.outcomes("".join(board(number, "S", "All") for number in range(1, 5001)))
    assert isinstance(warning, RecordWarning) and warning.message.startswith("Boards 1, 2, 3 and 4,684 more: ")


def test_a_strict_reader_refuses_each_of_them_unless_they_are_renumbered() -> None:
    file = board(1, "N", "None") + board(7, "N", "All") + board(9, "N", "All")
    _, seven, nine = READING.strictly.outcomes(file)
    assert refused(seven) == (2, "7", 6, "against_board_number")
    assert refused(nine) == (3, "9", 11, "against_board_number")
    assert all(isinstance(each, ReadBoard) for each in read_all_as_renumbered(file))


def read_all_as_renumbered(file: str) -> list[object]:
    return [*Reading(partial(read_boards, renumbered=True)).strictly.outcomes(file)]
