"""The ranking that a file gives: what is read of it, and that names of players are not."""

from bridge.formats.outcomes import ReadBoard
from bridge.formats.rankings import MAX_PLACES, GivenPlace, GivenRanking
from tests.bridge.formats.pbn import files as pbn
from tests.bridge.formats.reading import Reading, content
from tests.bridge.formats.usebio_files import READING as USEBIO
from tests.bridge.formats.usebio_files import TABLE, board, document, hand_set

HEAD = f'[Event "Friday pairs"][Site "Delft"][Date "2026.11.20"][Stage "Final"][Board "3"]\n{pbn.DEAL}'


def rankings(reading: Reading, text: str) -> list[GivenRanking]:
    return [outcome for outcome in reading.outcomes(text) if isinstance(outcome, GivenRanking)]


def totals(columns: str, *rows: str, head: str = HEAD) -> str:
    return f'{head}[TotalScoreTable "{columns}"]\n' + "\n".join(rows) + "\n"


def test_a_table_of_totals_is_the_ranking_of_the_event_of_its_board() -> None:
    columns = r"+Rank\2R;PairId\2R;Names\40L;NrBoards\2R;TotalMP\6R;MeanPercentage\5R"
    rows = '1 4 "Ann A; Bo B" 24 310.5 61.61', '2= 7 "C; D" 22 - 55', '2= 12 "E; F" - "290,5" 55.0'
    text = totals(columns, *rows)
    ranking, outcome = pbn.READING.outcomes(text)
    assert ranking == GivenRanking(
        *(1, 3, "Friday pairs", "2026.11.20", "Delft", "Final", "MP"),
        (
            GivenPlace(1, "4", "", 24, 310.5, 61.61),
            GivenPlace(2, "7", "", 22, None, 55),
            GivenPlace(2, "12", "", None, 290.5, 55),
        ),
    )
    assert content(outcome).board_number == 3 and "Ann" not in f"{ranking}{outcome}"
    assert rankings(pbn.READING, text.replace("[Board", '[Date "2026.11.21"][Board')) == [ranking], "the first counts"


def test_a_record_may_be_a_ranking_alone_and_columns_say_section_direction_team_and_unit() -> None:
    head = '[Event "Teams"][Section "A"]\n'
    for columns, row, unit, place in (
        ("Rank;PairId;Section;Direction;TotalIMP", "3 5 B E-W -12.5", "IMP", GivenPlace(3, "B5", "EW", None, -12.5)),
        ("Rank;Team;TotalVP", r'1st "The \"Lions\"" 88.25', "VP", GivenPlace(1, 'The "Lions"', points=88.25)),
        ("Rank;PairId;TotalScore;Percentage", "1 1-3 900 150", "", GivenPlace(1, "1-3", points=900)),
    ):
        ranking, board = pbn.READING.outcomes(totals(columns, row, head=head) + "\n" + HEAD)
        assert isinstance(ranking, GivenRanking) and isinstance(board, ReadBoard)
        assert (ranking.record, board.record, ranking.unit, ranking.places) == (1, 2, unit, (place,))
        assert ranking.stage == ("" if "Section" in columns else "Section A"), "a column of sections is of all"


def test_rows_and_tables_that_say_no_place_are_left_out_and_cost_no_board() -> None:
    columns = "Rank;PairId;Names;TotalMP"
    rows = "x 4 A 1", "1 Ann B 1", "2 5 Ann Other 1", "3", "4 8 C 12", "-", '"5 9'
    (ranking,) = rankings(pbn.READING, totals(columns, *rows))
    assert ranking.places == (GivenPlace(2, "5"), GivenPlace(4, "8", points=12)), "no value behind a name with blanks"
    for text in (totals("PairId;TotalMP", "4 310"), totals("Rank;Names", "1 A"), totals("#", "1 4"), totals(columns)):
        (outcome,) = pbn.READING.outcomes(text)
        assert content(outcome).board_number == 3, text
    (ranking,) = rankings(pbn.READING, totals("Rank;PairId", *(f"{each} {each}" for each in range(1, 2000))))
    assert len(ranking.places) == MAX_PLACES


def participants(*pairs: str, around: str = "", names: str = "PAIR") -> str:
    people = "<PLAYER><PLAYER_NAME>Person One</PLAYER_NAME><PLACE>9</PLACE></PLAYER>"
    return (
        f"<PARTICIPANTS>{around}" + "".join(f"<{names}{pair}{people}</{names}>" for pair in pairs) + "</PARTICIPANTS>"
    )


def pair(number: int | str, place: str, points: str = "", percentage: str = "", direction: str = "") -> str:
    return (
        f"><PAIR_NUMBER>{number}</PAIR_NUMBER><DIRECTION>{direction}</DIRECTION><BOARDS_PLAYED>24</BOARDS_PLAYED>"
        f"<PLACE>{place}</PLACE><TOTAL_SCORE>{points}</TOTAL_SCORE><PERCENTAGE>{percentage}</PERCENTAGE>"
    )


def test_the_places_of_usebio_are_the_ranking_of_the_part_in_which_they_stand() -> None:
    pairs = pair(1, "1", "310", "61.5", "NS"), pair(4, "2=", "55.25", "55.25", "NS"), pair(4, "1", "9", "60", "EW")
    text = document(participants(*pairs, pair(9, "", "", "40")) + board(TABLE), hand_set())
    outcome, ranking = USEBIO.outcomes(text)
    assert isinstance(ranking, GivenRanking) and isinstance(outcome, ReadBoard)
    places = GivenPlace(1, "1", "NS", 24, 310, 61.5), GivenPlace(2, "4", "NS", 24, None, 55.25)
    assert ranking == GivenRanking(
        *(2, 5, "Monday pairs", "2025.11.03", "Delft bridge", "", "MP"), (*places, GivenPlace(1, "4", "EW", 24, 9, 60))
    )
    assert "Person" not in str(ranking)
    (of_one_field,) = rankings(
        USEBIO,
        text.replace(
            "<PARTICIPANTS><PAIR><PAIR_NUMBER>1", "<WINNER_TYPE>1</WINNER_TYPE><PARTICIPANTS><PAIR><PAIR_NUMBER>1"
        ),
    )
    assert {place.side for place in of_one_field.places} == {""}
    sections = "".join(
        f'<SECTION SECTION_ID="{name}">{participants(pair(1, "1"))}{board(TABLE)}</SECTION>' for name in "AB"
    )
    assert [each.stage for each in rankings(USEBIO, document(sections, hand_set()))] == ["Section A", "Section B"]


def test_a_team_of_usebio_has_its_name_and_a_place_without_a_rank_is_none() -> None:
    team = ' TEAM_ID="3" TEAM_NAME="The &quot;Lions&quot;"><PLACE>2</PLACE><TOTAL_SCORE>88</TOTAL_SCORE>'
    (ranking,) = rankings(USEBIO, document(participants(team, names="TEAM"), hand_set()))
    assert ranking.places == (GivenPlace(2, 'The "Lions"', points=88),)
    for nothing in (
        pair(1, "-"),
        pair(1, "first"),
        pair("Person", "1"),
        pair("", "1"),
        ' TEAM_ID="4"><PLACE>1</PLACE>',
    ):
        assert rankings(USEBIO, document(participants(nothing), hand_set())) == [], nothing
