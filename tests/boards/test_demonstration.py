"""The boards in boards/data: forty to teach with, and an evening of eight deals at two tables."""

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from bridge.board import TEXTS, BoardRecord
from bridge.decisions import first_question
from bridge.formats.pbn.writer import HEADER, write_pbn
from bridge.play import tricks_won
from bridge.vulnerability import board_dealer, board_vulnerability
from tests.bridge.formats.pbn.files import READING

ROOT = Path(__file__).parents[2]
DATA = ROOT / "boards" / "data"


def read(name: str) -> list[BoardRecord]:
    return READING.strictly.read_all((DATA / f"{name}.pbn").read_bytes())


def data(path: Path) -> Any:
    return json.loads(path.read_text())


BOARDS, FRIDAY = read("demonstration"), read("friday_pairs")
THEMES: dict[int, str] = {
    int(number): about["theme"] for number, about in data(DATA / "demonstration.json").items() if "theme" in about
}
REFERENCE_THEMES = {theme["identifier"] for theme in data(ROOT / "themes" / "data" / "themes.json")["themes"]}
OF_TEAMS = {"stage", "home_team", "visit_team", "room", "adjustment"}
"""What only a match of teams or a ruling has. The demonstration has a teaching set and an evening of pairs."""
GAMES = {"C": 5, "D": 5, "H": 4, "S": 4, "NT": 3}


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


def test_every_board_is_legal_dealt_as_in_a_club_and_survives_being_written_and_read_again() -> None:
    for boards in (BOARDS, FRIDAY):
        assert READING.strictly.read_all("".join([HEADER, *map(write_pbn, boards)]).encode()) == boards
    for board in (*BOARDS, *FRIDAY):
        board.check()
        assert board.auction and board.auction.complete and board.board_number
        assert board.dealer is board_dealer(board.board_number)
        assert board.vulnerability is board_vulnerability(board.board_number)
        played = kind(board) != "passed out"
        assert (bool(board.opening_lead), board.tricks is not None) == (played, played)
        assert board.score is not None


def test_each_text_that_a_board_may_have_can_be_seen() -> None:
    seen = {name for name in TEXTS if any(getattr(board, name) for board in (*BOARDS, *FRIDAY))}
    assert seen == TEXTS.keys() - OF_TEAMS
    assert {board.difficulty for board in BOARDS} == {*TEXTS["difficulty"].choices}


def test_there_are_forty_boards_with_a_deal_a_title_and_a_comment_of_their_own_and_the_promised_variety() -> None:
    assert [board.board_number for board in BOARDS] == list(range(1, 41))
    assert len({board.layout for board in (*BOARDS, *FRIDAY)}) == 40 + 8
    assert len({board.title for board in BOARDS}) == 40 and all(board.commentary for board in BOARDS)
    kinds = Counter(map(kind, BOARDS))
    assert kinds["passed out"] == 1
    assert kinds >= Counter(partscore=6, game=15, slam=2, doubled=2)
    assert sum(map(beaten, BOARDS)) >= 5


def test_the_themes_exist_and_an_auction_shows_its_theme() -> None:
    evening = data(DATA / "friday_pairs.json")
    assert {*THEMES.values(), *(about["theme"] for about in evening.values())} <= REFERENCE_THEMES
    assert len(set(THEMES.values())) == 12 and len(THEMES) >= 15
    assert {*THEMES} <= {*range(1, 41)} and {*map(int, evening)} <= {*range(1, 9)}
    words = {"stayman": "Stayman", "jacoby_transfer": "Transfer", "negative_double": "Negative", "rkcb": "key-card"}
    for board in BOARDS:
        theme = THEMES.get(board.board_number or 0, "")
        assert board.auction
        calls = [call.call for call in board.auction.calls]
        assert words.get(theme, "") in " ".join(call.explanation for call in board.auction.calls)
        assert theme != "takeout_double" or "X" in calls
        assert theme != "sacrifice" or (kind(board) == "doubled")
        assert theme != "weak_two" or next(call for call in calls if call != "Pass") in ("2D", "2H", "2S")


def test_eight_deals_of_one_evening_are_played_at_two_tables_in_two_systems() -> None:
    of_evening = {(board.event, board.site, board.date) for board in FRIDAY}
    assert of_evening == {("Friday pairs", "Demonstration club", "2026.11.20")}
    tables: dict[int | None, list[BoardRecord]] = defaultdict(list)
    for board in FRIDAY:
        tables[board.board_number].append(board)
    assert sorted(tables, key=str) == list(range(1, 9))
    for first, second in tables.values():
        assert (first.table, second.table) == ("1", "2")
        assert (first.layout, first.title) == (second.layout, second.title)
        assert first.score != second.score
        assert first.commentary and second.commentary != first.commentary
    systems = {board.table: board.auction_system for board in FRIDAY}
    assert systems == {"1": "SAYC", "2": "Acol"}
    known = data(ROOT / "accounts" / "data" / "auction_systems.json")
    assert {alias for system in known for alias in system.get("aliases", ())} >= {*systems.values()}


def test_plays_are_whole_or_end_with_a_claim() -> None:
    whole = [board for board in FRIDAY if len(board.play) == 52]
    claims = [board for board in FRIDAY if 4 <= len(board.play) < 52]
    assert (len(whole), len(claims)) == (7, 1)
    for board in whole:
        assert board.contract and tricks_won(board.contract, board.play) == board.tricks


def test_practice_asks_a_seat_that_does_more_than_pass_or_leads() -> None:
    """But for the board that everybody passes. South alone passes on all boards about Stayman but one."""
    for record in (*BOARDS, *FRIDAY):
        assert record.auction
        asked, calls = first_question(record), [call.call for call in record.auction.calls]
        assert asked, record.title
        own = calls[record.dealer.clockwise().index(asked.seat) :: 4]
        assert {*own} != {"Pass"} or {*calls} == {"Pass"} or asked.reason == "lead", record.title
