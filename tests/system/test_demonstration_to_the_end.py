"""What tests/pages/practice/test_to_the_end.py does with three boards, with all boards that a new service has."""

from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from boards.models import Board
from tests.pages.practice.test_to_the_end import faults, ways_to_questions

pytestmark = pytest.mark.django_db


def test_each_question_of_each_board_of_the_demonstration_is_answered_to_its_end(client: Client, settings: Any) -> None:
    """Answer on the two pages that reply themselves, and then by the other ways in turn, one for each board."""
    settings.PRACTICE_RATE_PER_CLIENT = settings.PRACTICE_RATE_IN_TOTAL = ""
    call_command("load_reference_data", verbosity=0)
    call_command("load_demonstration", verbosity=0)
    found: list[str] = []
    for number, board in enumerate(Board.objects.published().select_related("deal")):
        home, today, *others = ways_to_questions(board).items()
        found += faults(client, board, (home, today, others[number % len(others)]))
    assert not found, "\n".join(found)
