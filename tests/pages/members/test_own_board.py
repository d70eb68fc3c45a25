"""The page and the form of a member's own board. test_ownership.py has the rules."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import Account
from boards.models import Board, PublicationReview
from boards.services import bulk
from boards.services.reviews import ask_to_publish
from tests import factories
from tests.boards.drafts import decline, draft_of
from tests.config.admin.opened_pages import OpenedForm
from tests.members import signed_in
from tests.pages.opening import text_of

pytestmark = pytest.mark.django_db


def test_the_page_of_a_board_tells_its_owner_alone_its_state(zia_client: Client, zia: Account, client: Client) -> None:
    board = draft_of(zia, title="Mine")
    path = f"/boards/{board.pk}"
    page = zia_client.get(path)
    text = page.content.decode()
    assert "Only you and staff see it." in text and f'href="{path}/edit"' in text and ">Delete</button>" in text
    assert ">Ask staff to publish</button>" in text and page["Cache-Control"] == "private, no-store"
    ask_to_publish(zia, [board.pk])
    assert "Waits for staff" in text_of(zia_client, path)
    decline(board)
    assert "Whose deal is this?" in text_of(zia_client, path)
    readers = client, signed_in(factories.account())
    assert [reader.get(path).status_code for reader in readers] == [404, 404]
    bulk.publish_drafts([board.pk])
    for reader in readers:
        shown = text_of(reader, path)
        assert not any(words in shown.partition("<main")[2] for words in ("/edit", "Whose deal", "account/boards"))
    assert "Report a problem" in text_of(client, path)
    assert ">Delete</button>" not in text_of(zia_client, path)


def path_of(board: Board) -> str:
    return f"/boards/{board.pk}/edit"


def sent_of(page: Any) -> dict[str, Any]:
    """Return what a browser would send of the form of a page when nobody changes anything."""
    text = page.content.decode()
    return OpenedForm(text[text.index('<form method="post" enctype') :]).sent


def test_a_draft_gets_what_was_typed(zia_client: Client, zia: Account) -> None:
    stayman, acol = factories.theme("stayman"), factories.auction_system("acol")
    board = factories.board(owner=zia, published=False)
    sent = sent_of(zia_client.get(path_of(board)))
    typed = {"title": "Count", "difficulty": "expert", "commentary": "One\r\n\r\nTwo", "auction_system": "acol"}
    response = zia_client.post(path_of(board), {**sent, **typed, "themes": [str(stayman.pk)]})
    assert (response.status_code, response["Location"]) == (303, f"/boards/{board.pk}")
    board.refresh_from_db()
    assert (board.title, board.difficulty, board.commentary) == ("Count", "expert", "One\n\nTwo")
    assert (board.auction_system, list(board.themes.all())) == (acol, [stayman])
    again = sent_of(zia_client.get(path_of(board)))
    assert again["themes"] == [str(stayman.pk)] and again["auction_system"] == ["acol"]
    before = Board.objects.values().get()
    assert zia_client.post(path_of(board), again).status_code == 303
    assert Board.objects.values().get() == before and not PublicationReview.objects.exists()


def test_the_form_of_a_published_board_says_what_a_change_does(zia_client: Client, zia: Account, settings: Any) -> None:
    for mode in ("off", "open", "review"):
        settings.MEMBER_PUBLISHING = mode
        board = factories.board(owner=zia)
        page = zia_client.get(path_of(board)).content.decode()
        said = "until staff have reviewed your change" in page, "only staff can change it" in page
        assert said == (mode == "review", mode == "off")
        response = zia_client.post(path_of(board), {"title": "Other"})
        assert response.status_code == (403 if mode == "off" else 303), mode
    shown = zia_client.get(response["Location"]).content.decode()
    assert "Saved. Readers see the old version until staff" in shown and "Your change waits for staff" in shown


def test_two_tabs_lose_nothing(zia_client: Client, zia: Account) -> None:
    board = factories.board(owner=zia, published=False)
    sent = sent_of(zia_client.get(path_of(board)))
    zia_client.post(path_of(board), {**sent, "title": "First", "commentary": "Same"})
    conflict = zia_client.post(path_of(board), {**sent, "title": "<Second>", "commentary": "Same"})
    page = conflict.content.decode()
    assert conflict.status_code == 409 and "Nothing has been saved yet" in page
    assert "<dt>Title</dt><dd>First</dd>" in page and 'value="&lt;Second&gt;"' in page
    assert "<dt>Commentary</dt>" not in page
    assert Board.objects.get().title == "First"
    assert zia_client.post(path_of(board), sent_of(conflict)).status_code == 303
    board.refresh_from_db()
    assert (board.title, board.commentary) == ("<Second>", "Same")


def test_two_tabs_that_change_different_fields_both_save(zia_client: Client, zia: Account) -> None:
    stayman, acol = factories.theme("stayman"), factories.auction_system("acol")
    board = factories.board(owner=zia, published=False)
    sent = sent_of(zia_client.get(path_of(board)))
    zia_client.post(path_of(board), {**sent, "title": "First", "themes": [str(stayman.pk)]})
    second = zia_client.post(path_of(board), {**sent, "auction_system": "acol", "commentary": "Second"})
    assert second.status_code == 303
    board.refresh_from_db()
    assert (board.title, board.commentary, board.auction_system) == ("First", "Second", acol)
    assert list(board.themes.all()) == [stayman]


def test_chosen_themes_and_a_longer_text_of_a_file_outlast_a_mistake(zia_client: Client, zia: Account) -> None:
    stayman = factories.theme("stayman")
    board = factories.board(owner=zia, published=False, commentary="x" * 20_001)
    sent = sent_of(zia_client.get(path_of(board)))
    mistaken = zia_client.post(path_of(board), {**sent, "title": "x" * 201, "themes": [str(stayman.pk)]})
    assert mistaken.status_code == 400
    assert zia_client.post(path_of(board), {**sent_of(mistaken), "title": "Right"}).status_code == 303
    board.refresh_from_db()
    assert (board.title, len(board.commentary), list(board.themes.all())) == ("Right", 20_001, [stayman])


def test_what_is_wrong_stands_beside_its_field_and_nothing_typed_is_lost(zia_client: Client, zia: Account) -> None:
    board = factories.board(owner=zia, published=False)
    sent = {**sent_of(zia_client.get(path_of(board))), "title": "Kept"}
    for name, value in {"title": "x" * 201, "commentary": "y" * 20_001, "difficulty": "odd"}.items():
        response = zia_client.post(path_of(board), {**sent, name: value})
        page = response.content.decode()
        assert response.status_code == 400 and f'id="id_{name}_error"' in page, name
        assert ("Kept" if name != "title" else value) in page
    for name in ("themes", "auction_system"):
        assert zia_client.post(path_of(board), {**sent, name: "nothing"}).status_code == 400
    board.refresh_from_db()
    assert (board.title, board.commentary) == ("", "")


def test_the_board_of_somebody_else_is_not_there_for_staff_either(zia_client: Client) -> None:
    other, boss = factories.account(), signed_in(factories.account("boss", role="admin"))
    for board in (factories.board(owner=other, title="T"), factories.board(owner=other, published=False, title="T")):
        for client in (zia_client, boss):
            assert client.get(path_of(board)).status_code == 404
            assert client.post(path_of(board), {"title": "Mine"}).status_code == 404
    assert boss.get(f"/boards/{board.pk}").status_code == 404
    assert set(Board.objects.values_list("title", flat=True)) == {"T"}
    assert zia_client.get(f"/boards/{factories.NOBODYS_ID}/edit").status_code == 404
