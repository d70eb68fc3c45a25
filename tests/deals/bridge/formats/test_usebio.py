"""USEBIO: tables, hands, results, and where errors are."""

from dataclasses import replace
from io import BytesIO
from itertools import product

from hypothesis import given

from deals.bridge.board import BoardRecord
from deals.bridge.contract import Contract
from deals.bridge.formats.files import read_boards
from deals.bridge.formats.outcomes import ReadBoard, RecordError, SkippedRecord
from deals.bridge.layout import Layout
from deals.bridge.seats import Seat
from deals.bridge.vulnerability import Vulnerability, board_dealer
from tests.bridge_strategies import records
from tests.deals.bridge.formats.reading import CARDS, content, refused
from tests.deals.bridge.formats.test_archives import pack
from tests.deals.bridge.formats.usebio_files import (
    OTHER_CARDS,
    READING,
    TABLE,
    WHOLE,
    board,
    document,
    hand_set,
    usebio,
)
from tests.deals.bridge.formats.usebio_files import hands as hands_of
from tests.deals.bridge.moderate import moderate

BOARD = BoardRecord(
    layout=Layout.parse(CARDS),
    dealer=Seat.SOUTH,
    vulnerability=Vulnerability.ALL,
    board_number=7,
    contract=Contract.parse("2SX", Seat.NORTH),
    opening_lead="CA",
    tricks=9,
    event="Monday pairs",
    site="Delft bridge",
    date="2025.11.03",
    scoring="MP",
    table="1 v 4",
)
DEAL_ALONE = replace(BOARD, contract=None, opening_lead="", tricks=None, table="")


def changed(old: str, new: str) -> str:
    assert old in WHOLE
    return WHOLE.replace(old, new)


def skipped(outcome: object) -> tuple[str, int, str]:
    assert isinstance(outcome, SkippedRecord)
    return outcome.board, outcome.line, outcome.code


def test_each_line_of_a_board_is_a_table_with_the_hands_of_its_number_and_no_player_is_named() -> None:
    assert READING.record(WHOLE) == BOARD
    other = TABLE.replace(">1<", ">2<").replace(">4<", ">5<")
    boards = READING.read_all(document(board(TABLE, other), hand_set()))
    assert boards == [BOARD, replace(BOARD, table="2 v 5")]
    assert "Person" not in str(boards)


@moderate
@given(record=records())
def test_any_board_is_read_from_usebio(record: BoardRecord) -> None:
    number = record.board_number
    expected = replace(
        DEAL_ALONE,
        layout=record.layout,
        dealer=board_dealer(number) if number else Seat.NORTH,
        vulnerability=record.vulnerability,
        board_number=number,
    )
    if record.contract:
        expected = replace(expected, contract=record.contract, opening_lead=record.opening_lead, tricks=record.tricks)
    assert READING.record(usebio(record)) == expected


def test_hands_are_read_wherever_they_stand() -> None:
    for text in (
        document(board(TABLE, more=hands_of())),
        document(board(TABLE) + hand_set()),
        document(board(TABLE, number="07"), hand_set()),
        changed("North</", "n</"),
        changed(">AKQJ<", "> a K q J<"),
        changed(">T98<", ">1098<"),
        changed("<HAND><DIRECTION>East", "<X><DIRECTION>East").replace("AKQ</CLUBS></HAND>", "AKQ</CLUBS></X>"),
        WHOLE.replace("USEBIO", "usebio").replace("HANDSET", "HandSet").replace("CONTRACT", "Contract"),
        WHOLE.replace("\n", "\r\n"),
    ):
        assert READING.record(text) == BOARD, text


def test_a_void_is_read_however_it_is_written() -> None:
    cards = "N:AKQJT987.65432.. 65432.AKQJT987.. ..65432.AKQJT987 ..AKQJT987.65432"
    for void in ("", "-", "---", "—", "void", None):
        text = hand_set(cards)
        for suit in ("SPADES", "CLUBS"):
            text = text.replace(f"<{suit}></{suit}>", "" if void is None else f"<{suit}>{void}</{suit}>")
        assert READING.record(document("", text)).layout == Layout.parse(cards), void


def test_a_table_that_did_not_play_is_passed_over_and_its_deal_is_a_board_too() -> None:
    no_contract = board("<NS_PAIR_NUMBER>1</NS_PAIR_NUMBER><CONTRACT></CONTRACT><SCORE>0</SCORE>")
    contracts = [changed(">2Sx<", f">{contract}<") for contract in ("", "NP", "not played")]
    for text in (document(no_contract, hand_set()), *contracts):
        table, deal = READING.outcomes(text)
        assert skipped(table) == ("7", 7, "not_played")
        assert content(deal) == DEAL_ALONE


def test_an_adjusted_score_is_passed_over_and_named() -> None:
    for adjusted, place in product(("A60-40", "A6040", "a50", "A", "AVE+", "Av-", "ADJ", "60%"), (">2Sx<", ">570<")):
        text = document(board(TABLE.replace(place, f">{adjusted}<"), TABLE), hand_set())
        for reading in (READING, READING.strictly):
            table, other = reading.outcomes(text)
            assert skipped(table) == ("7", 7, "adjusted_score") and f"({adjusted})" in str(table), adjusted
            assert content(other) == BOARD
    for contract in ("", "NP"):
        assert skipped(READING.outcomes(changed(">2Sx<", f">{contract}<").replace(">570<", ">A5050<"))[0])[2] == (
            "adjusted_score"
        )
    assert content(READING.outcomes(changed(">2Sx<", ">AP<").replace(">570<", ">0<"))[0])


def test_tables_without_hands_are_passed_over() -> None:
    table, deal = READING.outcomes(document(board(TABLE, number="8"), hand_set()))
    assert skipped(table) == ("8", 7, "no_deal") and content(deal).board_number == 7


def test_a_hand_set_holds_for_what_it_stands_in() -> None:
    sessions = "".join(
        f'<SESSION SESSION_ID="{number}">{board(TABLE)}{hand_set(cards)}</SESSION>'
        for number, cards in ((1, CARDS), (2, OTHER_CARDS))
    )
    boards = READING.read_all(document(sessions, hand_set(OTHER_CARDS)))
    assert [(each.layout.cards, each.stage) for each in boards] == [
        *((CARDS, "Session 1"), (OTHER_CARDS, "Session 2"), (OTHER_CARDS, "")),
    ]


def test_different_deals_of_one_number_are_no_tables_but_are_kept() -> None:
    error, *deals = READING.outcomes(document(board(TABLE), hand_set() + hand_set(OTHER_CARDS)))
    assert refused(error) == (1, "7", 7, "deals_differ")
    assert [content(each).layout.cards for each in deals] == [CARDS, OTHER_CARDS]
    assert READING.read_all(document(board(TABLE), hand_set() * 2)) == [BOARD]


def test_results_are_read_as_programs_write_them() -> None:
    for old, new, contract, tricks, lead in (
        *((">9<", ">+1<", "2SX by North", 9, "CA"), (">9<", ">=<", "2SX by North", 8, "CA")),
        *((">9<", ">-3<", "2SX by North", 5, "CA"), (">2Sx<", ">2 S xx<", "2SXX by North", 9, "CA")),
        *((">2Sx<", ">2NT<", "2NT by North", 9, "CA"), (">2Sx<", ">PASS<", "Pass", None, "")),
        (">N</PLAYED", ">South</PLAYED", "2SX by South", 9, ""),  # West leads then, and has no ace of clubs.
        *((">AC<", ">10S<", "2SX by North", 9, "ST"), (">AC<", ">s10<", "2SX by North", 9, "ST")),
        *((">AC<", "><", "2SX by North", 9, ""), (">AC<", ">-<", "2SX by North", 9, "")),
    ):
        outcome = READING.board(changed(old, new))
        read = outcome.content
        assert (str(read.contract), read.tricks, read.opening_lead) == (contract, tricks, lead), new
        assert outcome.is_doubtful == ("South" in new)


def test_what_contradicts_is_left_out_with_its_line() -> None:
    no_contract = [("contract_dropped", 8), ("result_dropped", 11)]
    for old, new, warnings in (
        *((">2Sx<", ">9S<", no_contract), (">N</PLAYED", ">?</PLAYED", no_contract)),
        (">9<", ">14<", [("result_dropped", 11)]),
        *((">AC<", ">ZZ<", [("play_dropped", 10)]), (">AC<", ">AS<", [("play_dropped", 10)])),
    ):
        outcome = READING.board(changed(old, new))
        assert sorted((each.code, each.line) for each in outcome.warnings) == warnings, new
        assert {each.board for each in outcome.warnings} == {"7"}
        assert outcome.content.layout == BOARD.layout
        assert READING.refusal(changed(old, new)).code not in ("", "not_played")


def test_hands_that_are_wrong_are_an_error_of_each_table() -> None:
    text = document(board(TABLE, TABLE), hand_set().replace(">AKQJ<", ">AKQT<"))
    errors = [(each.record, each.board, each.code) for each in READING.outcomes(text) if isinstance(each, RecordError)]
    assert errors == [(1, "7", "duplicate_card"), (2, "7", "duplicate_card")]
    two_hands = hand_set().replace("North", "x").replace("East", "y")
    assert READING.refusal(document(board(TABLE), two_hands)).code == "unknown_hand"


def test_a_match_of_teams_has_their_names_and_the_directions() -> None:
    teams = "".join(
        f'<TEAM TEAM_ID="{number}" TEAM_NAME="{name}"><PLAYER><PLAYER_NAME>Person</PLAYER_NAME></PLAYER></TEAM>'
        for number, name in ((1, "Reds &amp; Co"), (2, "Blues"))
    )
    lines = [f"<DIRECTION>{side}</DIRECTION>{TABLE[TABLE.index('<CONTRACT') :]}" for side in ("NS", "EW")]
    match = "<MATCH><ROUND_NUMBER>3</ROUND_NUMBER><TEAM>1</TEAM><OPPOSING_TEAM>2</OPPOSING_TEAM>{}</MATCH>"
    event = f"<PARTICIPANTS>{teams}</PARTICIPANTS>{match.format(board(*lines))}"
    first = replace(BOARD, stage="Round 3", home_team="Reds & Co", visit_team="Blues", table="NS")
    assert READING.read_all(document(event, hand_set())) == [first, replace(first, table="EW")]


def test_a_match_of_pairs_in_a_section_has_their_numbers() -> None:
    pairs = "<NS_PAIR_NUMBER>1</NS_PAIR_NUMBER><EW_PAIR_NUMBER>4</EW_PAIR_NUMBER>"
    table = board(TABLE[TABLE.index("<CONTRACT") :])
    section = f'<SECTION SECTION_ID="B"><MATCH>{pairs}{table}</MATCH></SECTION>'
    expected = replace(BOARD, stage="Section B", table="B 1 v 4")
    assert READING.record(document(section, hand_set())) == expected


def test_dates_are_read_as_each_version_writes_them() -> None:
    days = ("03/11/2025", "2025.11.03"), ("3.1.2025", "2025.01.03"), ("2025-11-03", "2025.11.03")
    for written, date in (*days, ("May", "May")):
        assert READING.record(changed("03/11/2025", written)).date == date, written


def test_it_is_recognised_by_its_content_in_a_zip_too() -> None:
    for data in (WHOLE.encode(), pack(("results.xml", WHOLE.encode())), f"<usebio >{WHOLE[22:]}".encode()):
        outcome = next(read_boards(BytesIO(data)))
        assert isinstance(outcome, (ReadBoard, RecordError)) and outcome.board in ("7", "")
    assert [content(each) for each in read_boards(BytesIO(WHOLE.encode()))] == [BOARD]
