"""The bytes of the pages of a long evening."""

import pytest
from django.test import Client

from tests.boards.events.evenings import table
from tests.boards.events.test_evening import PAGE, SHEET, solve
from tests.boards.events.test_event_pages import open_page
from tests.system.test_every_page import size_of

pytestmark = pytest.mark.django_db


def test_an_evening_of_thirty_tables_weighs_at_most_sixty_kilobytes_on_every_page(client: Client) -> None:
    teams = [f"Team of the town number {number}" for number in range(30)]
    for number in range(1, 33):
        for home, visit in zip(teams, [*teams[1::2], *teams[::2]], strict=True):
            tricks = 8 + (number + len(home)) % 4
            table(number, number, "4HX", "NESW"[number % 4], tricks, home_team=home, visit_team=visit, table=home)
    solve(**{name: ["NS 4SX-1", "EW 5H"] for name in ("None", "NS", "EW", "All")})
    for path in (PAGE, SHEET, f"{SHEET}?page=2"):
        page = open_page(client, path)
        styles = sum(size_of(found["href"]) for found in page.head(rel="stylesheet"))
        assert len(page.html.encode()) + styles <= 60_000, path
