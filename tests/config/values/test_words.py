from datetime import timedelta

import time_machine
from django.utils import timezone

from config.values.words import format_age, format_count


def test_only_one_thing_is_singular_and_thousands_are_separated() -> None:
    written = [format_count(count, "board") for count in (0, 1, 2, 1_004_112)]
    assert written == ["0 boards", "1 board", "2 boards", "1,004,112 boards"]


@time_machine.travel("2026-11-21T10:00:00Z", tick=False)
def test_an_age_has_one_unit() -> None:
    for ago, text in (
        *((timedelta(seconds=-5), "just now"), (timedelta(seconds=59), "just now")),
        *((timedelta(minutes=1), "1 minute ago"), (timedelta(hours=3, minutes=59), "3 hours ago")),
        (timedelta(days=400), "1 year ago"),
    ):
        assert format_age(timezone.now() - ago).replace("\xa0", " ") == text
