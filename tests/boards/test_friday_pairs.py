"""The evening in boards/data: eight deals at two tables, in two systems, legal and with plays to step through."""

import json
from collections import defaultdict
from pathlib import Path

from deals.bridge.board import BoardRecord
from deals.bridge.formats.pbn.writer import HEADER, write_pbn
from deals.bridge.play import tricks_won
from deals.bridge.vulnerability import board_dealer, board_vulnerability
from deals.double_dummy import Table
from tests.boards.test_demonstration import BOARDS as TEACHING_BOARDS
from tests.boards.test_demonstration import FILE as TEACHING_FILE
from tests.boards.test_demonstration import REFERENCE_THEMES
from tests.deals.bridge.formats.pbn.files import READING
from tests.deals.solver.solvers import ask_tables, real_solver

FILE = TEACHING_FILE.with_name("friday_pairs.pbn")
ABOUT = json.loads(FILE.with_suffix(".json").read_text())
BOARDS = READING.strictly.read_all(FILE.read_bytes())
SYSTEMS = Path(__file__).parents[2] / "accounts" / "data" / "auction_systems.json"


def test_every_board_is_legal_and_survives_being_written_and_read_again() -> None:
    for board in BOARDS:
        board.check()
        assert board.auction and board.auction.complete
        assert board.dealer is board_dealer(board.board_number or 0)
        assert board.vulnerability is board_vulnerability(board.board_number or 0)
    written = "".join([HEADER, *map(write_pbn, BOARDS)]).encode()
    assert READING.strictly.read_all(written) == BOARDS


def test_eight_deals_of_one_evening_are_played_at_two_tables() -> None:
    assert {(board.event, board.site, board.date) for board in BOARDS} == {
        ("Friday pairs", "Demonstration club", "2026.11.20")
    }
    tables: dict[int | None, list[BoardRecord]] = defaultdict(list)
    for board in BOARDS:
        tables[board.board_number].append(board)
    assert sorted(tables, key=str) == list(range(1, 9))
    for first, second in tables.values():
        assert (first.table, second.table) == ("1", "2")
        assert (first.layout, first.title) == (second.layout, second.title)
        assert first.score != second.score
        assert first.commentary and second.commentary != first.commentary
    assert not {board.layout for board in BOARDS} & {board.layout for board in TEACHING_BOARDS}


def test_each_table_plays_one_of_the_site_s_bidding_systems() -> None:
    systems = {board.table: board.auction_system for board in BOARDS}
    assert systems == {"1": "SAYC", "2": "Acol"}
    known = {alias for system in json.loads(SYSTEMS.read_text()) for alias in system.get("aliases", ())}
    assert known >= {board.auction_system for board in BOARDS}


def test_plays_are_whole_or_end_with_a_claim() -> None:
    whole = [board for board in BOARDS if len(board.play) == 52]
    claims = [board for board in BOARDS if 4 <= len(board.play) < 52]
    assert (len(whole), len(claims)) == (7, 1)
    for board in whole:
        assert board.contract and tricks_won(board.contract, board.play) == board.tricks
    assert all(board.opening_lead and board.tricks is not None for board in BOARDS)


def test_the_results_are_those_of_good_play_but_where_a_commentary_says_what_went_wrong() -> None:
    with real_solver() as solver:
        solutions = ask_tables(solver, [board.layout.cards for board in BOARDS], seconds=300)
    strange = {}
    for board, solution in zip(BOARDS, solutions, strict=True):
        assert solution and board.contract and board.contract.declarer
        tricks = Table(solution["double_dummy"]).tricks()[board.contract.declarer][str(board.contract.denomination)]
        if board.tricks != tricks:
            strange[board.board_number, board.table] = (board.tricks, tricks)
    assert strange == {(1, "1"): (10, 9), (7, "1"): (7, 9)}


def test_the_themes_of_a_board_exist() -> None:
    assert {about["theme"] for about in ABOUT.values()} <= REFERENCE_THEMES
    assert {*map(int, ABOUT)} <= {*range(1, 9)}
