"""The page on which a member writes what all tables of a deal say, and where readers find it."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import Account
from boards.models import Board, PublicationReview
from tests import factories
from tests.boards.admin.pages import unsaid
from tests.boards.events.evenings import SLUG, table
from tests.config.admin.opened_pages import OpenedForm
from tests.members import signed_in
from tests.pages.opening import text_of

pytestmark = pytest.mark.django_db

TYPED = {"deal_title": "Who keeps the heart?", "deal_commentary": "Look at the ten.\r\n\r\n[NEXT]\r\n\r\nAll did."}


def tables(owner: Account, **values: Any) -> list[Board]:
    boards = [table(1, 11, "1NT", "S", tricks, owner=owner, **values) for tricks in (6, 7)]
    return [table(1, 11, "2NT", "S", 8, owner=owner, title="Of one table", commentary="Ours.", **values), *boards]


def test_what_is_written_once_stands_on_the_evening_the_card_and_each_table(zia: Account, settings: Any) -> None:
    settings.MEMBER_PUBLISHING = "open"
    boards, client = tables(zia), signed_in(zia)
    page = f"/boards/{boards[1].pk}/story"
    assert f'href="{page}"' in text_of(client, f"/boards/{boards[1].pk}/edit")
    assert "You have 3 tables of this deal at Friday pairs." in text_of(client, page)
    answer = client.post(page, {**OpenedForm(text_of(client, page)).sent, **TYPED})
    assert (answer.status_code, answer["Location"]) == (303, f"/boards/{boards[1].pk}")
    for path in (f"/events/{SLUG}", "/boards", *(f"/boards/{board.pk}" for board in boards)):
        assert TYPED["deal_title"] in text_of(Client(), path), path
    for board in boards:
        shown = text_of(Client(), f"/boards/{board.pk}")
        assert shown.index("Look at the ten.") < shown.index("All did."), board
        assert ("Of one table" in shown, "Ours." in shown) == (bool(board.title), bool(board.title))
    own = text_of(Client(), f"/boards/{boards[0].pk}")
    assert own.index("All did.") < own.index("Ours.")
    assert TYPED["deal_title"] in text_of(Client(), f"/boards/{boards[1].pk}.txt")


def test_the_page_says_that_only_staff_write_where_readers_see_a_table(zia: Account, settings: Any) -> None:
    draft, *_ = tables(zia, published=False)
    client, page = signed_in(zia), f"/boards/{draft.pk}/story"
    for settings.MEMBER_PUBLISHING in ("review", "off"):
        assert client.post(page, {**OpenedForm(text_of(client, page)).sent, **TYPED}).status_code == 303
    table(1, 11, "3NT", "S", 9, owner=zia)
    for settings.MEMBER_PUBLISHING in ("review", "off"):
        assert not unsaid(client.get(page), "only staff can change the text that all its tables share")
        refused = client.post(page, {"deal_title": "Unseen by staff"})
        assert refused.status_code == 403 and "Tables of this deal are published" in refused.content.decode()
    assert set(Board.objects.values_list("deal_title", flat=True)) == {TYPED["deal_title"], ""}


def test_the_form_has_what_waits_and_a_window_that_was_opened_before_replaces_none_of_it(
    zia: Account, settings: Any
) -> None:
    settings.MEMBER_PUBLISHING = "review"
    (board, *_), client = tables(zia), signed_in(zia)
    page = f"/boards/{board.pk}/story"
    opened = OpenedForm(text_of(client, page)).sent
    assert client.post(page, {**opened, "deal_title": "Waits"}).status_code == 303
    assert not unsaid(client.get(page), 'value="Waits"')
    conflict = client.post(page, {**opened, "deal_title": "Second"})
    assert conflict.status_code == 409 and not unsaid(conflict, "<dt>Title</dt><dd>Waits</dd>")
    back = client.post(page, {**OpenedForm(text_of(client, page)).sent, "deal_title": ""})
    assert back.status_code == 303 and not PublicationReview.objects.exists()


def test_two_windows_and_a_mistake_lose_nothing_and_others_have_no_such_page(zia: Account, settings: Any) -> None:
    settings.MEMBER_PUBLISHING = "open"
    (board, *_), client = tables(zia), signed_in(zia)
    page = f"/boards/{board.pk}/story"
    opened = OpenedForm(text_of(client, page)).sent
    client.post(page, {**opened, "deal_title": "First"})
    conflict = client.post(page, {**opened, "deal_title": "Second"})
    assert conflict.status_code == 409 and not unsaid(conflict, "<dt>Title</dt><dd>First</dd>", 'value="Second"')
    mistaken = client.post(
        page, {**OpenedForm(text_of(client, page)).sent, "deal_title": "x" * 201, "deal_commentary": "Kept"}
    )
    assert mistaken.status_code == 400 and not unsaid(mistaken, "Kept", 'id="id_deal_title_error"')
    for method in ("get", "post"):
        assert getattr(signed_in(factories.account(role="admin")), method)(page).status_code == 404
    assert set(Board.objects.values_list("deal_title", flat=True)) == {"First"}
