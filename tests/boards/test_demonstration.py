"""The forty teaching boards in boards/data are legal, show their themes and have the promised variety."""

import json
from collections import Counter
from pathlib import Path

from deals.bridge.board import TEXTS, BoardRecord
from deals.bridge.formats.pbn.writer import HEADER, write_pbn
from deals.bridge.vulnerability import board_dealer, board_vulnerability
from tests.deals.bridge.formats.pbn.files import READING

ROOT = Path(__file__).parents[2]
FILE = ROOT / "boards" / "data" / "demonstration.pbn"
THEMES: dict[int, str] = {
    int(number): about["theme"]
    for number, about in json.loads(FILE.with_suffix(".json").read_text()).items()
    if "theme" in about
}
REFERENCE_THEMES = {
    theme["identifier"] for theme in json.loads((ROOT / "themes" / "data" / "themes.json").read_text())["themes"]
}
BOARDS = READING.strictly.read_all(FILE.read_bytes())
FRIDAY = READING.strictly.read_all((ROOT / "boards" / "data" / "friday_pairs.pbn").read_bytes())
OF_TEAMS = {"stage", "home_team", "visit_team", "room"}
"""What only a match of teams has. The demonstration has a teaching set and an evening of pairs."""
GAMES = {"C": 5, "D": 5, "H": 4, "S": 4, "NT": 3}


def calls(board: BoardRecord) -> list[str]:
    assert board.auction
    return [call.call for call in board.auction.calls]


def explanations(board: BoardRecord) -> str:
    assert board.auction
    return " ".join(call.explanation for call in board.auction.calls)


def kind(board: BoardRecord) -> str:
    contract = board.contract
    assert contract
    if contract.level is None or contract.denomination is None:
        return "passed out"
    if contract.doubled:
        return "doubled"
    game = contract.level >= GAMES[contract.denomination]
    return "slam" if contract.level >= 6 else "game" if game else "partscore"


def beaten(board: BoardRecord) -> bool:
    needed = board.contract.tricks_needed if board.contract else None
    return needed is not None and board.tricks is not None and board.tricks < needed


def test_every_board_survives_being_written_and_read_again() -> None:
    written = "".join([HEADER, *map(write_pbn, BOARDS)]).encode()
    assert READING.strictly.read_all(written) == BOARDS


def test_every_board_is_legal_and_its_auction_complete() -> None:
    for board in BOARDS:
        board.check()
        assert board.auction
        assert board.auction.complete


def test_there_are_forty_boards_dealt_and_numbered_as_in_a_club() -> None:
    assert [board.board_number for board in BOARDS] == list(range(1, 41))
    assert all(board.dealer is board_dealer(board.board_number or 0) for board in BOARDS)
    assert all(board.vulnerability is board_vulnerability(board.board_number or 0) for board in BOARDS)
    assert len({board.layout for board in BOARDS}) == 40


def test_every_board_that_is_played_has_a_lead_and_a_result() -> None:
    for board in BOARDS:
        played = kind(board) != "passed out"
        assert bool(board.opening_lead) is played
        assert (board.tricks is not None) is played
        assert board.score is not None


def test_every_board_has_a_title_of_its_own_and_a_comment() -> None:
    assert len({board.title for board in BOARDS}) == 40
    assert all(board.commentary for board in BOARDS)


def test_each_text_that_a_board_may_have_can_be_seen() -> None:
    seen = {name for name in TEXTS if any(getattr(board, name) for board in (*BOARDS, *FRIDAY))}
    assert seen == TEXTS.keys() - OF_TEAMS


def test_there_are_boards_for_everybody() -> None:
    assert {board.difficulty for board in BOARDS} == {*TEXTS["difficulty"].choices}


def test_the_boards_have_the_promised_variety_of_contracts_and_results() -> None:
    kinds = Counter(map(kind, BOARDS))
    assert kinds["passed out"] == 1
    assert kinds["partscore"] >= 6
    assert kinds["game"] >= 15
    assert kinds["slam"] >= 2
    assert kinds["doubled"] >= 2
    assert sum(map(beaten, BOARDS)) >= 5


def test_the_themes_exist_and_many_boards_have_one() -> None:
    assert set(THEMES.values()) <= REFERENCE_THEMES
    assert len(set(THEMES.values())) == 12
    assert set(THEMES) <= set(range(1, 41))
    assert len(THEMES) >= 15


def test_the_auction_of_a_board_shows_its_theme() -> None:
    words = {
        "stayman": "Stayman",
        "jacoby_transfer": "Transfer",
        "negative_double": "Negative",
        "rkcb": "Roman key-card",
    }
    for board in BOARDS:
        theme = THEMES.get(board.board_number or 0, "")
        assert words.get(theme, "") in explanations(board)
        assert theme != "takeout_double" or "X" in calls(board)
        assert theme != "sacrifice" or (kind(board) == "doubled")
        assert theme != "weak_two" or next(call for call in calls(board) if call != "Pass") in ("2D", "2H", "2S")
