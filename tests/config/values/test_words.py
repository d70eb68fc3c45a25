from config.values.words import format_count


def test_only_one_thing_is_singular() -> None:
    assert [format_count(count, "board") for count in (0, 1, 2)] == ["0 boards", "1 board", "2 boards"]


def test_thousands_are_separated() -> None:
    assert format_count(1_004_112, "board") == "1,004,112 boards"
