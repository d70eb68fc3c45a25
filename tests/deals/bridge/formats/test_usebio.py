"""USEBIO: tables, hands, results, and where errors are."""

from dataclasses import replace
from io import BytesIO

from hypothesis import given
from pytest import Subtests, mark

from deals.bridge.board import BoardRecord
from deals.bridge.contract import Contract
from deals.bridge.formats.files import read_boards
from deals.bridge.formats.outcomes import ReadBoard, RecordError, SkippedRecord
from deals.bridge.layout import Layout
from deals.bridge.seats import Seat
from deals.bridge.vulnerability import Vulnerability, board_dealer
from tests.bridge_strategies import records
from tests.deals.bridge.formats.test_archives import pack
from tests.deals.bridge.formats.usebio_files import (
    CARDS,
    OTHER_CARDS,
    READING,
    TABLE,
    WHOLE,
    board,
    document,
    hand_set,
    hands,
    usebio,
)
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


def test_a_line_of_a_board_is_a_table_with_the_hands_of_its_number() -> None:
    assert READING.record(WHOLE) == BOARD


def test_each_table_is_a_board_and_no_player_is_named() -> None:
    other = TABLE.replace(">1<", ">2<").replace(">4<", ">5<")
    boards = READING.read_all(document(board(TABLE, other), hand_set()))
    assert boards == [BOARD, replace(BOARD, table="2 v 5")]
    assert "Person" not in str(boards)


@moderate
@given(record=records())
def test_any_board_is_read_from_usebio(record: BoardRecord) -> None:
    number = record.board_number
    read = READING.read_all(usebio(record))
    expected = replace(
        DEAL_ALONE,
        layout=record.layout,
        dealer=board_dealer(number) if number else Seat.NORTH,
        vulnerability=record.vulnerability,
        board_number=number,
    )
    if record.contract:
        expected = replace(expected, contract=record.contract, opening_lead=record.opening_lead, tricks=record.tricks)
    assert read == [expected]


def test_hands_are_read_wherever_they_stand() -> None:
    cases = [
        document(board(TABLE, more=hands())),
        document(board(TABLE) + hand_set()),
        document(board(TABLE, number="07"), hand_set()),
        changed("North</", "n</"),
        changed(">AKQJ<", "> a K q J<"),
        changed(">T98<", ">1098<"),
        changed("<HAND><DIRECTION>East", "<X><DIRECTION>East").replace("AKQ</CLUBS></HAND>", "AKQ</CLUBS></X>"),
        WHOLE.replace("USEBIO", "usebio").replace("HANDSET", "HandSet").replace("CONTRACT", "Contract"),
        WHOLE.replace("\n", "\r\n"),
    ]
    wrong = [(text, got) for text in cases if (got := READING.record(text)) != BOARD]
    assert wrong == []


def test_a_void_is_read_however_it_is_written(subtests: Subtests) -> None:
    for void in ["", "-", "---", "—", "void", None]:
        with subtests.test(void=void):
            cards = "N:AKQJT987.65432.. 65432.AKQJT987.. ..65432.AKQJT987 ..AKQJT987.65432"
            text = hand_set(cards)
            for suit in ("SPADES", "CLUBS"):
                text = text.replace(f"<{suit}></{suit}>", "" if void is None else f"<{suit}>{void}</{suit}>")
            assert READING.record(document("", text)).layout == Layout.parse(cards)


def test_a_deal_that_no_table_played_is_a_board_too() -> None:
    not_played = board("<NS_PAIR_NUMBER>1</NS_PAIR_NUMBER><CONTRACT></CONTRACT><SCORE>0</SCORE>")
    skipped, deal = READING.outcomes(document(not_played, hand_set()))
    assert isinstance(skipped, SkippedRecord) and (skipped.line, skipped.code) == (7, "not_played")
    assert isinstance(deal, ReadBoard) and deal.content == DEAL_ALONE


def test_an_adjusted_score_is_passed_over_and_named(subtests: Subtests) -> None:
    for adjusted in ["A60-40", "A6040", "a50", "A", "AVE+", "Av-", "ADJ", "60%"]:
        for place in [">2Sx<", ">570<"]:
            with subtests.test(adjusted=adjusted, place=place):
                text = document(board(TABLE.replace(place, f">{adjusted}<"), TABLE), hand_set())
                for reading in (READING, READING.strictly):
                    skipped, other = reading.outcomes(text)
                    assert isinstance(skipped, SkippedRecord)
                    assert (skipped.board, skipped.line, skipped.code) == ("7", 7, "adjusted_score")
                    assert f"({adjusted})" in skipped.message
                    assert isinstance(other, ReadBoard) and other.content == BOARD


@mark.parametrize(("contract", "code"), [("", "adjusted_score"), ("NP", "adjusted_score"), ("AP", "")])
def test_a_score_of_a_board_without_a_contract_may_be_adjusted_too(contract: str, code: str) -> None:
    score = "0" if contract == "AP" else "A5050"
    text = WHOLE.replace(">2Sx<", f">{contract}<").replace(">570<", f">{score}<")
    outcome = READING.outcomes(text)[0]
    assert getattr(outcome, "code", "") == code


@mark.parametrize("contract", ["", "NP", "not played"])
def test_a_board_that_was_not_played_is_passed_over(contract: str) -> None:
    skipped, deal = READING.outcomes(changed(">2Sx<", f">{contract}<"))
    assert isinstance(skipped, SkippedRecord) and (skipped.line, skipped.code) == (7, "not_played")
    assert isinstance(deal, ReadBoard) and deal.content == DEAL_ALONE


def test_tables_without_hands_are_passed_over() -> None:
    skipped, deal = READING.outcomes(document(board(TABLE, number="8"), hand_set()))
    assert isinstance(skipped, SkippedRecord)
    assert (skipped.record, skipped.board, skipped.line, skipped.code) == (1, "8", 7, "no_deal")
    assert isinstance(deal, ReadBoard) and deal.content.board_number == 7


def test_a_hand_set_holds_for_what_it_stands_in() -> None:
    sessions = "".join(
        f'<SESSION SESSION_ID="{number}">{board(TABLE)}{hand_set(cards)}</SESSION>'
        for number, cards in ((1, CARDS), (2, OTHER_CARDS))
    )
    boards = READING.read_all(document(sessions, hand_set(OTHER_CARDS)))
    layouts = [Layout.parse(CARDS), Layout.parse(OTHER_CARDS), Layout.parse(OTHER_CARDS)]
    assert [each.layout for each in boards] == layouts
    assert [each.stage for each in boards] == ["Session 1", "Session 2", ""]


def test_different_deals_of_one_number_are_no_tables_but_are_kept() -> None:
    error, *deals = READING.outcomes(document(board(TABLE), hand_set() + hand_set(OTHER_CARDS)))
    assert isinstance(error, RecordError) and (error.board, error.line, error.code) == ("7", 7, "deals_differ")
    assert [each.content.layout.cards for each in deals if isinstance(each, ReadBoard)] == [CARDS, OTHER_CARDS]
    assert READING.read_all(document(board(TABLE), hand_set() * 2)) == [BOARD]


def test_results_are_read_as_programs_write_them(subtests: Subtests) -> None:
    for change, contract, tricks, lead in [
        ((">9<", ">+1<"), "2SX by North", 9, "CA"),
        ((">9<", ">=<"), "2SX by North", 8, "CA"),
        ((">9<", ">-3<"), "2SX by North", 5, "CA"),
        ((">2Sx<", ">2 S xx<"), "2SXX by North", 9, "CA"),
        ((">2Sx<", ">2NT<"), "2NT by North", 9, "CA"),
        ((">N</PLAYED", ">South</PLAYED"), "2SX by South", 9, ""),
        ((">2Sx<", ">PASS<"), "Pass", None, ""),
        ((">AC<", ">10S<"), "2SX by North", 9, "ST"),
        ((">AC<", ">s10<"), "2SX by North", 9, "ST"),
        ((">AC<", "><"), "2SX by North", 9, ""),
        ((">AC<", ">-<"), "2SX by North", 9, ""),
    ]:
        with subtests.test(change=change):
            (outcome,) = READING.outcomes(changed(*change))
            assert isinstance(outcome, ReadBoard)
            content = outcome.content
            assert (str(content.contract), content.tricks, content.opening_lead) == (contract, tricks, lead)
            assert outcome.is_doubtful == (change[1] == ">South</PLAYED")  # West leads then, and has no ace of clubs.


def test_what_contradicts_is_left_out_with_its_line(subtests: Subtests) -> None:
    for change, warnings in [
        ((">2Sx<", ">9S<"), [("result_dropped", 11), ("contract_dropped", 8)]),
        ((">N</PLAYED", ">?</PLAYED"), [("result_dropped", 11), ("contract_dropped", 8)]),
        ((">9<", ">14<"), [("result_dropped", 11)]),
        ((">AC<", ">ZZ<"), [("play_dropped", 10)]),
        ((">AC<", ">AS<"), [("play_dropped", 10)]),
    ]:
        with subtests.test(change=change):
            outcome = READING.board(changed(*change))
            assert sorted((each.code, each.line) for each in outcome.warnings) == sorted(warnings)
            assert {each.board for each in outcome.warnings} == {"7"}
            assert outcome.content.layout == BOARD.layout
            assert READING.refusal(changed(*change)).code not in ("", "not_played")


def test_hands_that_are_wrong_are_an_error_of_each_table() -> None:
    text = document(board(TABLE, TABLE), hand_set().replace(">AKQJ<", ">AKQT<"))
    outcomes = READING.outcomes(text)
    assert [(each.record, each.board, each.code) for each in outcomes if isinstance(each, RecordError)] == [
        (1, "7", "duplicate_card"),
        (2, "7", "duplicate_card"),
    ]
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
    table = TABLE[TABLE.index("<CONTRACT") :]
    section = f'<SECTION SECTION_ID="B"><MATCH>{pairs}{board(table)}</MATCH></SECTION>'
    expected = replace(BOARD, stage="Section B", table="B 1 v 4")
    assert READING.record(document(section, hand_set())) == expected


def test_dates_are_read_as_each_version_writes_them() -> None:
    cases = [("03/11/2025", "2025.11.03"), ("3.1.2025", "2025.01.03"), ("2025-11-03", "2025.11.03"), ("May", "May")]
    wrong = [
        (written, got)
        for written, date in cases
        if (got := READING.record(changed("03/11/2025", written)).date) != date
    ]
    assert wrong == []


def test_it_is_recognised_by_its_content_in_a_zip_too() -> None:
    for data in (WHOLE.encode(), pack(("results.xml", WHOLE.encode())), f"<usebio >{WHOLE[22:]}".encode()):
        outcome = next(read_boards(BytesIO(data)))
        assert isinstance(outcome, (ReadBoard, RecordError)) and outcome.board in ("7", "")
    (outcome,) = read_boards(BytesIO(WHOLE.encode()))
    assert isinstance(outcome, ReadBoard) and outcome.content == BOARD
    (error,) = read_boards(BytesIO(b"<USEBIO><CLUB/></USEBIO>"))
    assert isinstance(error, RecordError) and error.code == "not_a_bridge_file"
