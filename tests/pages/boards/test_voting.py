"""Votes on the pages: the buttons of whoever is signed in, and what they do."""

import re
from typing import Any

import pytest
from django.test import Client

from boards.models import Board
from tests import factories
from tests.members import signed_in
from voting.models import Vote

BUTTON = re.compile(
    r'<button id="(\S+)" form="ballot" formaction="(\S+)" name="(up|down)" value="(\w+)" aria-pressed="(\w+)">'
    r".*?<i> ([^<]+)</i></button>"
)


@pytest.fixture
def board(db: None) -> Board:
    theme = factories.theme("stayman")
    return factories.board(themes=(theme,), votes=(2, 1))


@pytest.fixture
def mia(db: None) -> Client:
    return signed_in(factories.account("mia"))


def buttons(client: Client, path: str) -> list[tuple[str, ...]]:
    return BUTTON.findall(client.get(path).content.decode())


def press(client: Client, board: Board, path: str, name: str) -> Any:
    """Press a button of a board as a browser does, and return the answer."""
    page = client.get(path).content.decode()
    form = re.search(r'<form id="ballot" method="post">(.*?)</form>', page, re.S)
    assert form, page
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form[1]))
    action, value = next((each[1], each[3]) for each in BUTTON.findall(page) if each[2] == name)
    assert action == f"/boards/{board.pk}/vote"
    return client.post(action, {**fields, name: value})


def counts(board: Board) -> tuple[int, int]:
    board.refresh_from_db()
    return board.up_votes, board.down_votes


def test_a_vote_is_given_and_taken_back_on_each_page(board: Board, subtests: pytest.Subtests) -> None:
    mia = signed_in(factories.account("mia"), enforce_csrf_checks=True)
    for path in ("/", "/boards", "/boards?q=dealer=N", "/themes/stayman", f"/boards/{board.pk}"):
        with subtests.test(path):
            answer = press(mia, board, path, "up")
            assert answer.status_code == 303
            back, _, anchor = answer["Location"].partition("#")
            shown = {each[0]: each for each in buttons(mia, path)}
            assert back == path and anchor in shown
            assert counts(board) == (3, 1) and Vote.objects.get(account="mia").value == "up"
            up = next(each for each in shown.values() if each[2] == "up")
            assert up[3:5] == ("none", "true") and "One is yours" in up[5]
            press(mia, board, path, "down")
            assert counts(board) == (2, 2)
            press(mia, board, path, "down")
            assert counts(board) == (2, 1) and not Vote.objects.filter(account="mia").exists()


def test_strangers_see_no_button_and_are_led_to_sign_in(board: Board, client: Client) -> None:
    page = client.get(f"/boards/{board.pk}").content.decode()
    assert not BUTTON.findall(page) and f'href="/sign-in?next=/boards/{board.pk}"' in page
    answer = client.post(
        f"/boards/{board.pk}/vote", {"up": "up"}, headers={"referer": f"http://testserver/boards/{board.pk}"}
    )
    assert (answer.status_code, answer["Location"]) == (303, f"/sign-in?next=%2Fboards%2F{board.pk}")
    assert not Vote.objects.exists() and counts(board) == (2, 1)


def test_another_value_a_draft_and_an_unknown_board_are_refused(board: Board, mia: Client) -> None:
    for fields in ({"up": ""}, {"up": "sideways"}, {"up": "up\x00"}, {}):
        assert mia.post(f"/boards/{board.pk}/vote", fields).status_code == 400, fields
    for pk in (factories.board(published=False).pk, factories.NOBODYS_ID):
        assert mia.post(f"/boards/{pk}/vote", {"up": "up"}).status_code == 404
    assert counts(board) == (2, 1) and not Vote.objects.exists()


def test_it_leads_back_to_this_site_alone(board: Board, mia: Client) -> None:
    for back in ("//evil.example", "https://evil.example/", "/boards#x"):
        answer = mia.post(f"/boards/{board.pk}/vote", {"up": "up", "next": back})
        assert answer["Location"].partition("#")[0] in (f"/boards/{board.pk}", "/boards"), back
