"""Texts of teachers' files on the page of a board."""

import pytest
from django.test import Client

from boards.models.names import full_name_of
from bridge.auction import Auction, Call
from bridge.seats import Seat
from tests import factories
from tests.pages.opening import open_page, page_of

pytestmark = pytest.mark.django_db

TEXTS = {"event": "Lessons", "commentary": "Lead the <i>\\HK</i> &amp; &lt;win&gt;."}


def test_titles_and_explanations_are_shown_with_suits_and_given_back_as_they_were_written(client: Client) -> None:
    auction = Auction(Seat.NORTH, (Call("1S", True, r"5+\S &amp; <b>11+</b>"), *[Call("Pass")] * 3))
    board = factories.board(seed=1, number=1, auction=auction, title=r"Open 1!s or 1\H", **TEXTS)
    page = page_of(client, board)
    assert page.texts("h1") == ["Open 1♠ or 1♥"]
    assert page.texts("li", id="note-1")[0].startswith("5+♠︎spades & 11+ ↩")
    assert "Lead the ♥K & <win>." in page.texts("p")
    assert "Open 1♠ or 1♥" in open_page(client, f"/events/{board.event_slug}").links()
    assert full_name_of(board) == "Open 1♠ or 1♥ · Board 1 of Lessons"
    machines = factories.board(seed=2, commentary="Shape 1534 4333 3325 5422")
    assert "What happened" not in page_of(client, machines).texts("h2")
    pbn = client.get(f"/api/boards/{board.pk}.pbn").content.decode()
    assert r'[Description "Open 1!s or 1\\H"]' in pbn and r"5+\\S &amp; <b>11+</b>" in pbn


def test_a_lesson_opens_part_by_part_and_draws_the_hands_of_each_once(client: Client) -> None:
    parts = (
        "[show S]\nWhat now? [BID 5\\D]\nOne ace: 5\\D. [NEXT]\n[show NS] <b>See</b> dummy.\n[show NESW] All is seen."
    )
    board = factories.board(seed=1, commentary=parts)
    page = page_of(client, board)
    assert [text for text in page.texts("summary") if text.startswith("Part")] == [
        *("Part 1 of 4 · South", "Part 2 of 4 · South", "Part 3 of 4 · North, South", "Part 4 of 4 · all four hands")
    ]
    assert page.html.count("<details open>") == 1 and page.texts("h2")[2] == "Commentary"
    assert {"What now?", "One ace: 5♦.", "See dummy.", "All is seen."} <= set(page.texts("p"))
    assert page.texts("p").count("East: hidden") == 2, "with South, and with North and South"
    assert "[" not in "".join(page.texts("p"))
    pbn = client.get(f"/api/boards/{board.pk}.pbn").content.decode()
    assert "{[show S]\r\nWhat now? [BID 5\\D]" in pbn and "\r\n[show NS] <b>See" in pbn


def test_practice_asks_the_student_of_a_file_unless_the_reader_names_a_seat(client: Client) -> None:
    board = factories.board(seed=5, number=1, calls="1NT Pass 3NT Pass Pass Pass", student="W")
    path = f"/practice/{board.pk}"
    west = open_page(client, path)
    assert west.texts("a", **{"aria-current": "true"})[-1] == "West"
    assert west.texts("h1") == ["You are West. What do you call?"]
    assert (west.links()["West"], west.links()["South"]) == (f"{path}?seat=west&step=3", f"{path}?seat=south&step=3")
    assert open_page(client, west.links()["South"]).texts("a", **{"aria-current": "true"})[-1] == "South"
    assert client.get("/practice").headers["Location"] == path
    assert client.get("/practice?seat=north").headers["Location"] == f"{path}?seat=north"
    assert '[Student "W"]' in client.get(f"/api/boards/{board.pk}.pbn").content.decode()
    assert "Student: West" in [
        f"{dt}: {dd}" for dt, dd in zip(*map(page_of(client, board).texts, ("dt", "dd")), strict=True)
    ]
