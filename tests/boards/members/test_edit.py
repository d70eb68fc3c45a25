"""A member edits a board of their own."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import Account
from boards.models import Board, PublicationReview
from boards.ownership import digest_of
from tests import factories
from tests.config.admin.opened_pages import OpenedForm
from tests.members import signed_in

pytestmark = pytest.mark.django_db


def path_of(board: Board) -> str:
    return f"/boards/{board.pk}/edit"


def open_form(client: Client, board: Board) -> dict[str, Any]:
    """Return what a zia_client would send of the form when nobody changes anything."""
    page = client.get(path_of(board)).content.decode()
    return OpenedForm(page[page.index('<form method="post">') :]).sent


def test_a_draft_gets_what_was_typed(zia_client: Client, zia: Account) -> None:
    stayman, acol = factories.theme("stayman"), factories.auction_system("acol")
    board = factories.board(owner=zia, published=False)
    sent = open_form(zia_client, board)
    typed = {"title": "Count", "difficulty": "expert", "commentary": "One\r\n\r\nTwo", "auction_system": "acol"}
    response = zia_client.post(path_of(board), {**sent, **typed, "themes": [str(stayman.pk)]})
    assert (response.status_code, response["Location"]) == (303, f"/boards/{board.pk}")
    board.refresh_from_db()
    assert (board.title, board.difficulty, board.commentary) == ("Count", "expert", "One\n\nTwo")
    assert (board.auction_system, list(board.themes.all())) == (acol, [stayman])
    again = open_form(zia_client, board)
    assert again["themes"] == [str(stayman.pk)] and again["auction_system"] == ["acol"]
    before = Board.objects.values().get()
    assert zia_client.post(path_of(board), again).status_code == 303
    assert Board.objects.values().get() == before


def test_saving_what_a_program_has_stored_changes_nothing(zia_client: Client, zia: Account) -> None:
    """A form shows neither tabs nor spaces at the ends of lines."""
    board = factories.board(owner=zia, title="A  title", commentary="One  \nTwo\tand\n")
    before = Board.objects.values().get()
    assert zia_client.post(path_of(board), open_form(zia_client, board)).status_code == 303
    assert Board.objects.values().get() == before and not PublicationReview.objects.exists()


def test_the_form_of_a_published_board_says_before_what_a_change_does(
    zia_client: Client, zia: Account, settings: Any, subtests: pytest.Subtests
) -> None:
    for mode in ("off", "open", "review"):
        settings.MEMBER_PUBLISHING = mode
        board = factories.board(owner=zia)
        with subtests.test(mode):
            page = zia_client.get(path_of(board)).content.decode()
            assert ("readers see it no longer" in page) == (mode == "review")
            assert ("only staff change it" in page) == (mode == "off")
            response = zia_client.post(path_of(board), {"title": "Other", "seen": digest_of(board)})
            assert response.status_code == (403 if mode == "off" else 303)
            board.refresh_from_db()
            assert board.title == ("" if mode == "off" else "Other")
            assert (board.published_at is None) == (mode == "review")
            assert PublicationReview.objects.count() == (mode == "review")
            if mode == "review":
                page = zia_client.get(response["Location"]).content.decode()
                assert "Saved. It is a draft and waits for staff." in page


def test_two_tabs_lose_nothing(zia_client: Client, zia: Account) -> None:
    board = factories.board(owner=zia, published=False)
    first, second = open_form(zia_client, board), open_form(zia_client, board)
    zia_client.post(path_of(board), {**first, "title": "First", "commentary": "Same"})
    conflict = zia_client.post(path_of(board), {**second, "title": "<Second>", "commentary": "Same"})
    page = conflict.content.decode()
    assert conflict.status_code == 409 and "Nothing has been saved yet" in page
    assert "<dt>Title</dt><dd>First</dd>" in page and 'value="&lt;Second&gt;"' in page
    assert "<dt>Commentary</dt>" not in page
    board.refresh_from_db()
    assert board.title == "First"
    sent = OpenedForm(page[page.index('<form method="post">') :]).sent
    assert zia_client.post(path_of(board), sent).status_code == 303
    board.refresh_from_db()
    assert (board.title, board.commentary) == ("<Second>", "Same")


def test_what_is_wrong_stands_beside_its_field_and_nothing_typed_is_lost(zia_client: Client, zia: Account) -> None:
    board = factories.board(owner=zia, published=False)
    sent = open_form(zia_client, board)
    for name, value in {"title": "x" * 201, "commentary": "y" * 20_001, "difficulty": "odd"}.items():
        response = zia_client.post(path_of(board), {**sent, "title": "Kept", name: value})
        page = response.content.decode()
        assert response.status_code == 400 and f'id="id_{name}_error"' in page, name
        assert ("Kept" if name != "title" else value) in page
    for name in ("themes", "auction_system"):
        assert zia_client.post(path_of(board), {**sent, name: "nothing"}).status_code == 400
    board.refresh_from_db()
    assert (board.title, board.commentary) == ("", "")


def test_the_board_of_somebody_else_is_not_there_whether_it_is_shown_or_not(zia_client: Client) -> None:
    other = factories.account()
    for board in (factories.board(owner=other, title="T"), factories.board(owner=other, published=False, title="T")):
        body = {"title": "Mine", "seen": digest_of(board)}
        assert zia_client.get(path_of(board)).status_code == 404
        assert zia_client.post(path_of(board), body).status_code == 404
    assert set(Board.objects.values_list("title", flat=True)) == {"T"}
    assert zia_client.get(f"/boards/{factories.NOBODYS_ID}/edit").status_code == 404


def test_the_rights_of_staff_stay_outside_this_door(db: None) -> None:
    boss = signed_in(factories.account("boss", role="admin"))
    board = factories.board(owner=factories.account(), published=False)
    assert boss.get(path_of(board)).status_code == 404
    assert boss.get(f"/boards/{board.pk}").status_code == 404
