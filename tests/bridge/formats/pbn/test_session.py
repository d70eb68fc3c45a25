"""Event, date, site and board number: how files write them, and the titles that stand for those left blank."""

from bridge.formats.outcomes import ReadBoard
from tests.bridge.formats.pbn.files import DEAL, READING

TITLES = '% PBN 2.1\n%HRTitleEvent "Tuesday pairs"\n%HRTitleDate Monday, October 6, 2025\n%HRTitleSite\tDelft\n'
BLANK = '[Event ""][Site "?"][Date "????.??.??"]'
TITLED = ("Tuesday pairs", "2025.10.06", "Delft")


def sessions(text: str) -> list[tuple[str, str, str]]:
    return [(each.event, each.date, each.site) for each in READING.read_all(text)]


def warnings(text: str) -> list[tuple[int, str]]:
    outcomes = READING.outcomes(text)
    return [(each.line, each.code) for board in outcomes if isinstance(board, ReadBoard) for each in board.warnings]


def test_titles_of_the_session_name_the_games_behind_them_where_their_tags_are_blank() -> None:
    own = '[Event "Own"][Site "Here"][Date "2026.01.01"]'
    for between in ("", "\n"):
        text = TITLES + between + BLANK + DEAL + "\n" + DEAL + "\n" + own + DEAL
        assert sessions(text) == [TITLED, TITLED, ("Own", "2026.01.01", "Here")]
    others = '\n%HRTitleEvent ""\n%HRTitleDate 0\n%HRTitleSite "Home"\n'
    assert sessions(TITLES.replace("\n", "\r") + DEAL + others + DEAL) == [TITLED, ("", "", "Home")]
    assert sessions(TITLES.replace("Tuesday", "x" * 300) + DEAL)[0][0] == ""
    assert not warnings(TITLES + BLANK + DEAL)


def test_a_path_and_an_identifier_are_no_names_of_an_event_and_that_is_said_once() -> None:
    for event in (
        *(r"P:\\bba\\D", r"\\\\server\\deals", "/home/club/deals", "1234567", "0123456789abcdef"),
        "{6f1c2d3e-0a1b-4c5d-8e9f-001122334455}",
    ):
        text = f'[Event "{event}"]\n{DEAL}\n' * 3
        assert sessions(text) == [("", "", "")] * 3, event
        assert warnings(text) == [(1, "text_dropped")], event
        assert [each.code for each in READING.strictly.outcomes(text)] == ["text_dropped"] * 3
        assert sessions(TITLES + text)[2] == TITLED
    for event in ("20260309", "12", "Club: A/B", "deadbeefdeadbeef", "and/or/not"):
        assert sessions(f'[Event "{event}"]{DEAL}')[0][0] == event


def test_dates_are_read_by_the_order_that_their_file_has_shown_and_else_kept_as_texts() -> None:
    dates = ["03/04/2026", "03/23/2026", "03/04/2026", "2026.23.03", "2015.02.30", "last year", "????.??.??"]
    text = "\n".join(f'[Date "{date}"]\n{DEAL}' for date in dates)
    read = ["2026.04.03", "2026.03.23", "2026.03.04", "2026.03.23", "2015.02.30", "last year", "????.??.??"]
    assert [date for _, date, _ in sessions(text)] == read
    assert warnings(text) == [(10, "date_guessed"), (13, "date_unread"), (16, "date_unread")]
    assert READING.refusal(f'{DEAL}[Date "2015.02.30"]').code == "date_unread"


def test_a_board_number_is_read_where_one_is_certain() -> None:
    numbers = {"5": 5, " 12 ": 12, "5/32": 5, "A5": 5, "Board 9": 9, "12.": 12, "#7": 7, "Bd. 3 of 24": 3}
    assert {text: READING.record(f'{DEAL}[Board "{text}"]').board_number for text in numbers} == numbers
    for text in ("0", "-1", "123456", "5-32", "12a", "Round 5"):
        board, codes = READING.warned(f'{DEAL}[Board "{text}"]')
        assert (board.board_number, codes) == (None, ["board_number_unread"]), text


def test_no_player_is_named_where_a_number_should_stand_nor_in_what_is_said() -> None:
    for tags in (
        '[PairNS "John Smith"]', '[North "John Smith"][North "Ann Lee"]', '[AdjustedScore "Director John Smith"]',
        '[PairEW "John Smith"][PairEW "Ann Lee"]', '[Event "C:\\\\Users\\\\John Smith\\\\evening.pbn"]',
    ):  # fmt: skip
        (outcome,) = READING.outcomes(f"{DEAL}{tags}\n")
        assert "Smith" not in str(outcome) and "Lee" not in str(outcome), tags
    for pair in ("3", "12NS", "A3", "(B) 4", "2-10", "3 NS"):
        assert READING.record(f'{DEAL}[PairNS "{pair}"]\n').pair_ns == pair
