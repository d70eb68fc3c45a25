"""A page of the admin that was opened before somebody else changed or deleted the row."""

from typing import Any

import pytest
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from pytest import MonkeyPatch

from accounts.models import Account, AuctionSystem
from boards.models import Board
from tests import factories
from tests.config.admin.opened_pages import open_page
from themes.models import Theme
from voting.models import Vote
from voting.services import cast_vote

pytestmark = pytest.mark.django_db


def url_of(row: Model, page: str = "change") -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_{page}", args=[row.pk])


def save(client: Client, url: str, page: dict[str, Any], **changes: Any) -> None:
    response = client.post(url, {**page, **changes})
    assert response.status_code == 302, response.content.decode()[-3000:]


def test_only_the_columns_that_a_page_changes_are_written(boss: Client, monkeypatch: MonkeyPatch) -> None:
    """A vote may commit between the page's reading and its writing, where no lock is: on SQLite, or in a list."""
    board, written = factories.board(), []
    plain = Board.save

    def save_and_tell(board: Board, **more: Any) -> None:
        written.append(more)
        plain(board, **more)

    page = open_page(boss, url_of(board))
    cast_vote(account=factories.account(), board_id=board.pk, value=Vote.Value.UP)
    Board.objects.filter(pk=board.pk).update(event="A match")
    monkeypatch.setattr(Board, "save", save_and_tell)
    save(boss, url_of(board), page, title="Edited")
    save(boss, url_of(board), open_page(boss, url_of(board)))
    board.refresh_from_db()
    assert (board.title, board.event, board.up_votes, board.down_votes) == ("Edited", "A match", 1, 0)
    assert written == [{"update_fields": ["title", "updated_at"]}]


def test_a_stale_page_switches_no_account_on_again(boss: Client) -> None:
    zia = factories.account("zia", display_name="Zia")
    page = open_page(boss, url_of(zia))
    Account.objects.filter(pk="zia").update(is_active=False, role="support", first_name="Mahmood")
    save(boss, url_of(zia), page, display_name="Z")
    zia.refresh_from_db()
    assert (zia.display_name, zia.is_active, zia.role, zia.first_name) == ("Z", False, "support", "Mahmood")


def test_each_kind_of_field_is_still_changed_and_emptied(boss: Client) -> None:
    zia = factories.account("zia", display_name="Zia", auction_system=factories.auction_system("acol"))
    factories.auction_system("sayc")
    page = open_page(boss, url_of(zia))
    del page["is_active"]
    save(boss, url_of(zia), page, display_name="", auction_system="sayc", role="support")
    zia.refresh_from_db()
    assert (zia.display_name, zia.is_active, zia.auction_system_id, zia.role) == ("", False, "sayc", "support")


def test_themes_that_another_person_adds_or_removes_meanwhile_stay_so(boss: Client) -> None:
    old, new, own = (factories.theme() for _ in range(3))
    board = factories.board(themes=(old,))
    page = open_page(boss, url_of(board))
    board.themes.set([new])
    save(boss, url_of(board), page, title="Edited")
    assert list(board.themes.all()) == [new]
    page = open_page(boss, url_of(board))
    save(boss, url_of(board), page, themes=[str(own.pk)])
    assert list(board.themes.all()) == [own]
    save(boss, url_of(board), open_page(boss, url_of(board)), themes=[])
    assert not board.themes.exists()


def test_labels_that_were_changed_meanwhile_stay_unless_the_page_changes_them(boss: Client) -> None:
    theme = factories.theme("stayman")
    page = open_page(boss, url_of(theme))
    Theme.objects.filter(pk=theme.pk).update(labels={"en": "Stayman", "fr": "Stayman"})
    save(boss, url_of(theme), page, identifier="puppet_stayman")
    theme.refresh_from_db()
    assert (theme.identifier, theme.labels) == ("puppet_stayman", {"en": "Stayman", "fr": "Stayman"})


def test_a_list_that_is_edited_in_place_changes_only_what_was_changed(boss: Client) -> None:
    one, two = factories.auction_system("one", sort_order=1), factories.auction_system("two", sort_order=2)
    url = reverse("admin:accounts_auctionsystem_changelist")
    page = open_page(boss, url)
    AuctionSystem.objects.filter(pk=one.pk).update(sort_order=10)
    row = next(name for name, value in page.items() if name.endswith("-sort_order") and value == ["2"])
    boss.post(url, {**page, row: "20", "_save": "Save"})
    orders = AuctionSystem.objects.filter(pk__in=["one", "two"]).values_list("pk", "sort_order")
    assert dict(orders) == {one.pk: 10, two.pk: 20}


def test_a_page_of_a_board_that_was_deleted_meanwhile_leads_away_and_stores_nothing(boss: Client) -> None:
    board = factories.board()
    page = open_page(boss, url_of(board))
    board.delete()
    response = boss.post(url_of(board), {**page, "title": "Edited"}, follow=True)
    assert (response.status_code, b"Perhaps it was deleted?" in response.content) == (200, True)
    assert not Board.objects.exists()
