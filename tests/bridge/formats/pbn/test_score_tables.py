"""Score tables: one record of a PBN file gives all tables that played its board."""

from bridge.formats.outcomes import GivenPoints, ReadBoard, SkippedRecord
from bridge.formats.rankings import GivenRanking
from bridge.layout import Layout
from bridge.seats import Seat
from tests.bridge.formats.pbn.files import DEAL, READING
from tests.bridge.formats.reading import CARDS, content, refused

HEAD = f'[Event "Friday pairs"][Date "2026.11.20"][Board "3"]\n{DEAL}'
COLUMNS = (
    r"Section\3R;Table\2R;PairId_NS\2R;PairId_EW\2R;Contract\4L;Declarer\1R;Result\2R;Lead\3L;Score_NS\5R;Score_EW\5R"
)
TOTALS = '[TotalScoreTable "Rank;PairId;Names\\20L"]\n1 "4" "A; B [C"\n[OptimumResultTable "Declarer;Result"]\nN 9\n'
SPADE, CLUB = (next(card for card in Layout(CARDS).cards_held_by(Seat.EAST) if card[0] == suit) for suit in "SC")


def scored(*rows: str, columns: str = COLUMNS, head: str = HEAD) -> str:
    """Return a record with a score table; its first row is in line 4."""
    return f'{head}[ScoreTable "{columns}"]\n' + "\n".join(rows) + "\n"


def tables(text: str) -> list[str]:
    """Return what the tables of a file bid and made, and who sat there."""
    return [
        f"{board.table}: {board.pair_ns} v {board.pair_ew}, {board.contract}={board.tricks} {board.opening_lead}"
        + board.adjustment
        for board in READING.read_all(text)
    ]


def test_each_row_is_a_table_of_the_board() -> None:
    rows = f'"A" 1  4  9 3N   N  9 {SPADE}  "400"     -', '"B" 2  4  8 PASS -  -  *      "0"     -'
    text = scored(*rows, head=HEAD + "{Well bid}\n") + TOTALS
    assert tables(text) == [f"1: A4 v A9, 3NT by North=9 {SPADE}", "2: B4 v B8, Pass=None "]
    first, second = READING.read_all(text)
    for board in (first, second):
        assert (board.event, board.date, board.board_number, board.layout.cards) == (
            *("Friday pairs", "2026.11.20", 3, CARDS),
        )
    assert (first.commentary, second.commentary) == ("Well bid", "")
    outcomes = READING.outcomes(text + "\n" + text)
    assert [each.record for each in outcomes if not isinstance(each, GivenRanking)] == [1, 2, 3, 4]


def test_a_section_stands_before_the_pairs_and_never_makes_two_of_them_one() -> None:
    """Of sections that end in a digit the digits alone do not tell whether a program has written them itself."""
    columns = "Section;PairId_NS;PairId_EW;Contract;Declarer;Result"
    for section, numbers, pairs in (
        ("1", ("12", "2", "1", "1-3"), ["1-12", "1-2", "1-1", "1-3"]),
        ("11", ("2", "12", "11", "11-3"), ["11-2", "11-12", "11-11", "11-3"]),
        ("A1", ("2", "12"), ["A1-2", "A1-12"]),
        ("A", ("12", "A2", "a3", "4A"), ["A12", "A2", "a3", "4A"]),
        ("-", ("12", "2"), ["12", "2"]),
    ):
        rows = [f"{section} {number} 90 1NT N 7" for number in numbers]
        assert [each.pair_ns for each in READING.read_all(scored(*rows, columns=columns))] == pairs, section
        ranks = "".join(f"{rank} {section} {number}\n" for rank, number in enumerate(numbers, start=1))
        outcomes = READING.outcomes(f'{HEAD}[TotalScoreTable "Rank;Section;PairId"]\n{ranks}')
        (ranking,) = (each for each in outcomes if isinstance(each, GivenRanking))
        assert [place.pair for place in ranking.places] == pairs, "as its tables call them"


SHORT_NAMES = {
    "Section B": "B12",
    "GroupB": "B12",
    "Saal1": "1-12",
    "Section 11": "11-12",
    "Kategorie-A1": "1-12",
    "Ladies Pairs": "LP12",
    "Nord-Sektion": "NS12",
    "Section North": "SN12",
    "Section South": "SS12",
}


def test_a_section_with_a_long_name_goes_by_a_short_one() -> None:
    for name, pair in SHORT_NAMES.items():
        row = f'"{name}" 12 90 1NT N 7'
        board = READING.board(scored(row, columns="Section;PairId_NS;PairId_EW;Contract;Declarer;Result"))
        assert (board.content.pair_ns, board.warnings) == (pair, ()), name


def test_a_section_of_a_single_long_word_leaves_its_pairs_out_rather_than_mix_them() -> None:
    rows = [f"{name} 12 90 1NT N 7" for name in ("Goldgruppe", "Grauegruppe")]
    boards = [
        READING.board(scored(row, columns="Section;PairId_NS;PairId_EW;Contract;Declarer;Result")) for row in rows
    ]
    assert {board.content.pair_ns for board in boards} == {""}
    assert [each.code for board in boards for each in board.warnings] == ["text_dropped"] * 4


def test_columns_come_in_any_order_and_names_with_blanks_cost_nothing_that_stands_before_them() -> None:
    columns = r"Rank\\1R;Declarer;Contract\\3L;Result;PairId_NS;Multiplicity;Names_NS\\17;Names_EW"
    assert tables(scored("- S 4Hx 8 12 1 Ann Other - Bo Other   Cy - Di", columns=columns)) == [
        ": 12 v , 4HX by South=8 "
    ]
    assert tables(scored("Ann 4", columns="Names;Result")) == [":  v , None=None "]
    (board,) = READING.outcomes(scored("- S 2H 8 12 40 Ann - Bo", columns=columns))
    assert isinstance(board, ReadBoard) and [each.code for each in board.warnings] == ["tables_left_out"]


def test_a_row_without_a_contract_is_an_adjusted_score_or_was_not_played() -> None:
    columns = "PairId_NS;Contract;Score_NS;Score_EW;Percentage_NS;Percentage_EW"
    for row, adjustment in (
        *(('- "60%" "40%" - -', "A60-40"), ("- A60 A40 - -", "A60-40"), ("A6040 - - - -", "A6040")),
        *(("- AVE+ AVE- - -", "AVE+/AVE-"), ("- - - 60 40", "A60-40"), ("- AVE AVE - -", "AVE")),
    ):
        assert READING.record(scored(f"7 {row}", columns=columns)).adjustment == adjustment, row
    for row in ('- "Bye" "Bye" 60 40', "- - - - -", "* 420 - 80 20"):
        deal, skipped = READING.outcomes(scored(f"7 {row}", columns=columns))
        assert content(deal).contract is None and isinstance(skipped, SkippedRecord)
        assert (skipped.record, skipped.board, skipped.line, skipped.code) == (2, "3", 4, "not_played"), row


def test_the_records_own_table_is_one_of_the_rows_and_not_doubled() -> None:
    rows = f"- 1 4 9 1NT N 8 {SPADE} - -", f"- 2 5 8 1N N 7 {CLUB} - -", "- 3 6 7 1N N 7 - - -"
    own = '[Contract "1NT"][Declarer "N"][Result "{}"][Auction "N"]\n1NT AP\n'
    first, *others = READING.read_all(scored(*rows, head=HEAD + own.format(8)))
    assert (first.table, first.opening_lead, len(others)) == ("1", SPADE, 2)
    assert first.auction and not any(other.auction for other in others)
    of_none, *others = READING.read_all(scored(*rows, head=HEAD + own.format(6)))
    assert (of_none.table, of_none.tricks, len(others)) == ("", 6, 3)
    of_two, *rest = READING.outcomes(scored(*rows, head=HEAD + own.format(7)))
    assert isinstance(of_two, ReadBoard) and [each.code for each in of_two.warnings] == ["auction_dropped"]
    assert (of_two.content.table, of_two.content.auction, len(rest)) == ("1", None, 2)


def test_a_row_that_cannot_be_read_costs_no_other() -> None:
    broken, sound, no_seat = READING.outcomes(scored("- 1 4 9 3N", "- 2 5 8 3N N 9 - - -", "- 3 6 7 3N 9 - - - -"))
    assert refused(broken) == (1, "3", 4, "malformed_table") and content(sound).tricks == 9
    assert isinstance(no_seat, ReadBoard) and {each.line for each in no_seat.warnings} == {6}
    for error in READING.strictly.outcomes(scored("- 1 4 9 3N N 14 - - -")):
        assert refused(error) == (1, "3", 4, "impossible_result")


def test_the_points_of_a_row_are_those_that_the_file_gives_its_table() -> None:
    columns = "PairId_NS;Contract;Declarer;Result;MP_NS;MP_EW;IMP_NS"
    rows = ("1 1NT N 7 2,5 1.5 *", "2 1NT N 8 - - -3")
    given = [each.points for each in READING.outcomes(scored(*rows, columns=columns)) if isinstance(each, ReadBoard)]
    assert given == [GivenPoints(True, 2.5, 1.5), GivenPoints(False, -3, None)]
