"""What people read of the commentaries of teachers and dealing programs."""

from bridge.board import TEXTS
from bridge.lessons import MAX_PARTS, LessonPart, read_lesson
from bridge.seats import Seat

MACHINES = "086BE702A41C93D5F0E1B2A37788\nShape 1534 4333 3325 5422\nHCP N:12 E:8 S:11 W:9\nLosers: 7.5 8 7 8"
S, NS, ALL = (Seat.SOUTH,), (Seat.NORTH, Seat.SOUTH), tuple(Seat)


def test_lines_of_dealing_programs_are_no_commentary() -> None:
    assert read_lesson(MACHINES) == []
    assert read_lesson(f"{MACHINES}\nOpen 1!s.\n\nWhy?\nHCP 12") == [LessonPart("Open 1♠.\n\nWhy?")]
    text = "Shape 5422 is best.\nHCP in the long suit\nFACE\n12 HCP\nLosers"
    assert read_lesson(text) == [LessonPart(text)]


def test_directives_divide_a_commentary_and_say_which_hands_each_part_shows() -> None:
    lesson = (
        "[show S]\n\nPartner asks. [AUCTION off] What now? [BID 5\\D]\n\nOne ace: 5\\D. [NEXT]\n\n"
        "[SHOW SN] [PLAY W:SK,N:S2] [showcards E:S7 S:SA] Your \\SA wins.\n\n[RESET]\n\nNow? [choose-card any:D2,D3]\n"
        "[clear-commentary]\n[ROTATE][show all]\nAll is seen.[ACCEPT 6S Pass]"
    )
    assert read_lesson(lesson) == [
        LessonPart("Partner asks.  What now?", S),
        LessonPart("One ace: 5♦.", S),
        LessonPart("Your ♠A wins.\n\nNow?", NS),
        LessonPart("All is seen.", ALL),
    ]
    for text in ("See [page 3], [show page 3] and [nextday].", "A [bid", "[x] [Play.now]"):
        assert read_lesson(text) == [LessonPart(text)]
    assert read_lesson("[show NS] [NEXT]") == []


def test_a_commentary_has_a_limited_number_of_parts_and_loses_no_text() -> None:
    parts = read_lesson("[show S]x[NEXT]y[show N]" * 200)
    assert len(parts) == MAX_PARTS and "".join(part.text for part in parts) == "xy" * 200


def test_words_of_teachers_for_difficulty_and_student_are_read_where_they_are_plain() -> None:
    difficulty, student = TEXTS["difficulty"], TEXTS["student"]
    words = ("Easy", "BASIC", "2", "3", "Hard", "5", "Expert", "mixed")
    levels = ["beginner"] * 3 + ["intermediate", "advanced", "expert", "expert", "mixed"]
    assert [difficulty.read(word) for word in words] == levels
    assert [student.read(word) for word in ("s", "W", "North", "NS")] == ["S", "W", "N", "NS"]
