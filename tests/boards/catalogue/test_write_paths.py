"""Each way that changes a board, its themes or its deal: what readers get afterwards is what a new answer would say.

A copy that only follows the feed is right as well. Members' ways and those of services are in test_ownership.py and
test_publish.py of the folder above, uploads in files/test_uploading.py: what they hold beside is compared there too.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from accounts.models import AuctionSystem
from accounts.personal_data.erasure import erase
from boards.models import Board
from deals.solver.queues import MAX_ATTEMPTS, TABLES, Order, claim_next
from search.models import IndexRow
from tests import factories
from tests.boards.admin.pages import page_of_many, pbn
from tests.boards.catalogue.comparing import assert_readers_get_what_the_boards_say
from tests.boards.catalogue.copying import FollowedCopy
from themes.models import Theme

pytestmark = pytest.mark.django_db

SOLVED = {"double_dummy": "7" * 20, "par": {"None": {"score": 0, "contracts": ["Pass"]}}}


AgreeAfter = Callable[..., None]


@pytest.fixture
def agree_after() -> AgreeAfter:
    """Return a function that asserts after changes that all readers and a copy by the feed have what the boards say."""
    copy = FollowedCopy()
    return lambda *changes: copy.assert_it_has(assert_readers_get_what_the_boards_say())


@pytest.fixture
def boss() -> Client:
    client = Client()
    client.force_login(factories.account("boss", role="admin"))
    return client


def found(query: str) -> int:
    """Return how many boards the list finds."""
    total: int = APIClient().get(f"/api/boards?{query}").json()["pagination"]["totalCount"]
    return total


def tags(board: Board) -> set[str]:
    number = Board.objects.get(pk=board.pk).number
    return {tag for row in IndexRow.objects.filter(pk=number) for tag in row.tags.split()}


# --- The API of services --------------------------------------------------------------------------------------


def test_importing_anew_again_with_publication_and_with_a_theme(service: APIClient, agree_after: AgreeAfter) -> None:
    factories.theme("stayman"), factories.auction_system("acol")
    file = pbn(*(factories.record(number=number, auction_system="acol") for number in range(1, 4)))
    for query in ("", "?publish=true", "?theme=stayman", "?publish=true&theme=stayman&atomic=true"):
        response = service.generic("POST", f"/api/deals/import{query}", file, content_type="application/x-pbn")
        assert response.status_code == 200, response.json()
        agree_after()
        assert found("theme=stayman") == (3 if "theme" in query else 0)
    assert Board.objects.published().count() == 3


def test_loading_the_demonstration(reference_data: None, agree_after: AgreeAfter) -> None:
    agree_after(call_command("load_demonstration"))


# --- The admin ------------------------------------------------------------------------------------------------


def url(row: Model, page: str) -> str:
    return reverse(f"admin:{row._meta.label_lower.replace('.', '_')}_{page}", args=[row.pk])


def send(client: Client, path: str, body: dict[str, Any]) -> object:
    response = client.post(path, body)
    assert response.status_code == 302
    return response


def save(client: Client, row: Model, **values: Any) -> object:
    return send(client, url(row, "change"), values)


def delete(client: Client, row: Model) -> object:
    return send(client, url(row, "delete"), {"post": "yes"})


def run_action(client: Client, action: str, *rows: Model, **values: str) -> object:
    changelist = reverse(f"admin:{rows[0]._meta.label_lower.replace('.', '_')}_changelist")
    return send(client, changelist, {"action": action, "_selected_action": [str(row.pk) for row in rows], **values})


def change_many(client: Client, change: str, *boards: Board, **values: str) -> object:
    """Send what the page sends that an action for these boards shows."""
    return send(client, reverse("admin:boards_board_bulk", args=[change]), {**page_of_many(*boards), **values})


def test_boards_in_the_admin(boss: Client, agree_after: AgreeAfter) -> None:
    system, theme = factories.auction_system(), factories.theme()
    first, second, third = factories.board(), factories.board(published=False), factories.board()
    agree_after(save(boss, first, title="From the admin", themes=[str(theme.pk)], auction_system=system.pk))
    assert {f"theme:{theme.pk}", f"auctionSystem:{system.pk}"} <= tags(first)
    agree_after(save(boss, first, commentary="Without themes"))
    assert f"theme:{theme.pk}" not in tags(first)
    agree_after(run_action(boss, "publish", first, second))
    assert "is:published" in tags(second)
    agree_after(run_action(boss, "unpublish", first, second))
    assert "is:draft" in tags(second)
    run_action(boss, "publish", first, second)
    agree_after(delete(boss, third))
    agree_after(change_many(boss, "set-event", first, second, event="Friday pairs", date="2026-11-20"))
    agree_after(change_many(boss, "add-theme", first, second, theme=str(theme.pk)))
    assert f"theme:{theme.pk}" in tags(second)
    agree_after(change_many(boss, "delete", first, second))
    assert not Board.objects.exists()


def test_themes_in_the_admin_the_api_and_the_command(boss: Client, admin: APIClient, agree_after: AgreeAfter) -> None:
    theme, other, third = (factories.theme(name) for name in ("stayman", "transfers", "weak_two"))
    boards = [factories.board(themes=(theme, other, third)) for _ in range(3)]
    factories.board(themes=(theme, third), published=False)
    shown = {"type": theme.type, "identifier": theme.identifier, "owner": theme.owner_id}
    labels = {"labels-language": ["en"], "labels-text": ["A label"]}
    description = {"description-language": "", "description-text": ""}
    agree_after(save(boss, theme, **shown, **labels, **description, new_type="lesson"))
    assert found("themeType=lesson") == 3
    for change in ({"type": "slam"}, {"identifier": "stayman_2"}, {"labels": {"en": "Two clubs"}}):
        assert admin.patch(f"/api/themes/{theme.pk}", change).status_code == 200
        agree_after()
    themes = APIClient().get(f"/api/boards/{boards[0].pk}").json()["themes"]
    assert {"id": str(theme.pk), "identifier": "stayman_2", "type": "slam", "labels": {"en": "Two clubs"}} in themes
    assert (found("themeType=slam"), found("themeType=lesson")) == (3, 0)
    agree_after(call_command("delete_theme", "weak_two"))
    assert f"theme:{other.pk}" in tags(boards[1]) and f"theme:{third.pk}" not in tags(boards[1])
    agree_after(run_action(boss, "delete_selected", other, post="yes"))
    agree_after(delete(boss, theme))
    assert not Theme.objects.exists()
    assert not any(name.startswith("theme:") for board in boards for name in tags(board))


def test_auction_systems_in_the_admin(boss: Client, agree_after: AgreeAfter) -> None:
    system = factories.auction_system("acol")
    board = factories.board(auction_system=system)
    values = {"id": "acol", "identifier": "acol_2", "sort_order": 3}
    agree_after(save(boss, system, **values, **{"labels-language": ["en"], "labels-text": ["Acol, as played here"]}))
    texts = {"id": "acol", "identifier": "acol_2", "labels": {"en": "Acol, as played here"}}
    assert APIClient().get(f"/api/boards/{board.pk}").json()["auctionSystem"] == {**texts, "sortOrder": 3}
    assert (found("auctionSystem=acol_2"), found("auctionSystem=acol")) == (1, 0)
    AuctionSystem.objects.filter(pk="acol").update(labels={"en": "Acol"})
    agree_after()


# --- Deals, accounts and votes --------------------------------------------------------------------------------


def test_the_solver_and_those_who_ask_for_it(service: APIClient, agree_after: AgreeAfter) -> None:
    board = factories.board()
    factories.board(published=False)
    path = f"/api/deals/{board.deal_id}/double-dummy"

    def status() -> str:
        agree_after()
        return APIClient().get(f"/api/boards/{board.pk}").json()["doubleDummyStatus"]

    for _ in range(MAX_ATTEMPTS):
        claim = claim_next(Order.WANTED, [TABLES])
        assert claim
        for job in claim.jobs:
            TABLES.record_failure(claim, job)
        TABLES.release(claim)
    assert status() == "failed"
    assert service.post(path).status_code == 202
    assert status() == "pending"
    assert TABLES.mark_unavailable() == 1
    assert status() == "unavailable"
    assert TABLES.mark_available() == 1
    assert status() == "pending"
    TABLES.mark_unavailable()
    call_command("analyse_deals")
    assert status() == "pending"
    claim = TABLES.claim(Order.OLDEST)  # of either priority
    assert claim
    assert TABLES.store(claim, {job.id: SOLVED for job in claim.jobs}) == 2
    assert status() == "done"


def test_votes_and_the_erasure_of_who_votes_and_owns_boards(
    client_of: Callable[..., APIClient], agree_after: AgreeAfter
) -> None:
    zoe = factories.account("zoe")
    boards = [factories.board(seed=seed, owner=zoe, themes=(factories.theme(owner=zoe),)) for seed in (1, 2)]
    client, other = client_of(zoe), factories.board(seed=1)
    for vote in ("up", "down", "none", "down"):
        assert client.put(f"/api/voting/{other.pk}", {"vote": vote}).status_code == 204
        agree_after()
    agree_after(erase(account_id="zoe", by=None))
    assert APIClient().get(f"/api/boards/{other.pk}").json()["votes"] == {"up": 0, "down": 0}
    assert tags(boards[0]) >= {"is:published", f"userId:{Board.objects.get(pk=boards[0].pk).owner_id}"}
    assert not IndexRow.objects.filter(tags__contains="userId:zoe").exists()
    assert b"zoe" not in APIClient().get("/api/boards").content


# --- Completeness ---------------------------------------------------------------------------------------------

ROOT = Path(__file__).parents[3]
APPS = ("accounts", "boards", "deals", "forms", "impersonation", "pages", "search", "themes", "voting")
WRITES = re.compile(
    r"\.(?:save|update|create|bulk_create|bulk_update|get_or_create|update_or_create|publish|unpublish)\("
    r"|\binsert_rows\(|themes\.(?:add|set|remove|clear)\("
)
WRITERS = {
    "boards/admin/upload.py": "tests/boards/files/test_uploading.py",
    "boards/analysis.py": "rows for the solver, which refresh and imports store",
    "boards/services/bulk.py": "test_boards_in_the_admin",
    "boards/catalogue/receivers.py": "test_themes_in_the_admin_the_api_and_the_command",
    "boards/catalogue/refreshing.py": "what readers get itself",
    "boards/collections/classes.py": "classes and what they answered, which change no board",
    "boards/collections/services.py": "collections, which change no board",
    "boards/services/days.py": "the hand of the day, which changes no board",
    "boards/events/file_rankings.py": "rankings of files, which change no board",
    "boards/events/naming.py": "events and their deals, which refresh and imports store",
    "boards/files/importing.py": "test_importing_anew_again_with_publication_and_with_a_theme",
    "boards/files/previews.py": "the preview of an upload, which changes no board",
    "boards/files/uploading.py": "the preview of an upload, which changes no board",
    "boards/management/commands/delete_theme.py": "test_themes_in_the_admin_the_api_and_the_command",
    "boards/management/commands/index_boards.py": "the index itself",
    "boards/models/board.py": "publish() and unpublish(), which only services call",
    "boards/personal_data.py": "test_votes_and_the_erasure_of_who_votes_and_owns_boards",
    "boards/services/stories.py": "tests/boards/services/test_stories.py",
    "boards/services/reviews.py": "tests/boards/services/test_ownership.py",
    "boards/services/boards.py": "tests/boards/api/test_publish.py, test_boards_in_the_admin",
    "voting/management/commands/load_demonstration.py": "test_loading_the_demonstration",
    "voting/services.py": "votes, which are read with each answer",
}
"""The modules that write boards, or look so, and the test above, or the file, that walks them."""


def test_no_other_module_writes_boards() -> None:
    """A module that comes to the list must call `refresh`, and its way must be walked."""
    sources = [path for app in APPS for path in (ROOT / app).rglob("*.py") if "migrations" not in path.parts]
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in sources}
    imports_boards = re.compile(r"^from boards\.models import (?:\([^)]*|.*)\bBoard\b", re.MULTILINE)
    own = {name for name, text in texts.items() if imports_boards.search(text)} | {"boards/models/board.py"}
    assert {name for name in own if WRITES.search(texts[name])} == set(WRITERS)
