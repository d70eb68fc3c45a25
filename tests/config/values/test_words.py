from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from config.values.words import format_age, format_count


def test_only_one_thing_is_singular() -> None:
    assert [format_count(count, "board") for count in (0, 1, 2)] == ["0 boards", "1 board", "2 boards"]


def test_thousands_are_separated() -> None:
    assert format_count(1_004_112, "board") == "1,004,112 boards"


def test_an_age_has_one_unit(subtests: pytest.Subtests) -> None:
    for ago, text in [
        (timedelta(seconds=-5), "just now"),
        (timedelta(seconds=59), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(hours=3, minutes=59), "3 hours ago"),
        (timedelta(days=400), "1 year ago"),
    ]:
        with subtests.test(ago=ago), time_machine.travel("2026-11-21T10:00:00Z", tick=False):
            assert format_age(timezone.now() - ago).replace("\xa0", " ") == text
