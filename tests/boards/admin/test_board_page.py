"""The page of a board in the admin: what was dealt, bid and played, as people write it."""

import re
from html import unescape
from random import Random

import pytest
from django.contrib.auth.models import Group, Permission
from django.test import Client

from boards.models import Board
from bridge.board import TEXTS
from tests import factories
from tests.boards.admin.pages import unsaid
from tests.bridge.strategies import random_play

pytestmark = pytest.mark.django_db


def page_of(client: Client, board: Board) -> str:
    response = client.get(f"/admin/boards/board/{board.pk}/change/")
    assert response.status_code == 200
    return response.content.decode()


def shown(page: str) -> str:
    """Return what the eye reads of the fields that nobody changes, with one space for each gap."""
    text = " ".join(re.findall(r'<div class="readonly">(.*?)</div>\n', page, re.DOTALL))
    text = re.sub(r"<i>.*?</i>|\ufe0e", "", text)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split())


def test_auction_play_contract_and_lead_stand_as_people_write_them(boss: Client) -> None:
    calls = "Pass 1H Pass 4H Pass Pass Pass"
    record = factories.record(5, 2, calls)
    play = random_play(record.layout, record.contract, 6, Random(5))
    board = factories.board(5, number=2, calls=calls, play=play, tricks=11)
    text = shown(page_of(boss, board))
    assert not unsaid(text, "West North East South Pass 1 ♥ Pass 4 ♥ Pass Pass Pass", "♥ by South ✓ made +1 N-S +650")
    symbols = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
    seen = [f"{symbols[card[0]]} {card[1].replace('T', '10')}" for card in play]
    trick = " ".join(each if each[0] != seen[0][0] or not place else each[2:] for place, each in enumerate(seen[:4]))
    assert f"West led {trick} " in text
    assert text.count(" led ") == 2
    assert '["' not in text


def test_a_board_of_which_little_is_known_has_dashes_and_a_lead_alone_is_no_play(boss: Client) -> None:
    board = factories.board(calls="1NT Pass Pass Pass")
    Board.objects.update(auction=[["1NT", True, "15-17 <b>"], "Pass", "Pass", "Pass"], play=["SA"])
    text = shown(page_of(boss, board))
    assert " led " not in text
    assert not unsaid(text, "1NT !", ": 15-17")
    assert shown(page_of(boss, factories.board())).count("–") >= 4


def test_the_date_is_typed_as_programs_have_it_with_help_and_read_in_words(boss: Client, helper: Client) -> None:
    board = factories.board(number=7, date="2026.11.21")
    assert not unsaid(page_of(boss, board), 'value="2026.11.21"', "unknown parts are question marks: 2026.11.??")
    group = Group.objects.get(name="support")
    group.permissions.remove(Permission.objects.get(codename="change_board"))
    page = page_of(helper, board)
    assert "21 November 2026" in shown(page)
    assert "2026.11.21" not in shown(page)


def test_a_text_that_is_added_for_files_alone_is_shown_and_not_edited(
    boss: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """docs/contributing.md adds one with **OF_FILES, whatever else is said of it: shared, with choices, identifying."""
    board = factories.board(number=7)
    with monkeypatch.context() as patched:
        for name in TEXTS:
            patched.setattr(Board._meta.get_field(name), "editable", False)
        page = page_of(boss, board)
    for name in TEXTS:
        field = page[page.index(f"field-{name}") :]
        assert f'name="{name}"' not in page and '<div class="readonly">' in field[: field.index("form-row")], name


def test_the_list_shows_the_number_on_the_board(boss: Client) -> None:
    factories.board(number=27)
    assert '<td class="field-no">27</td>' in boss.get("/admin/boards/board/").content.decode()
