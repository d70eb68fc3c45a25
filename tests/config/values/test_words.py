from config.values.words import format_count


def test_only_one_thing_is_singular() -> None:
    assert [format_count(count, "board") for count in (0, 1, 2, 9760)] == [
        "0 boards",
        "1 board",
        "2 boards",
        "9,760 boards",
    ]
