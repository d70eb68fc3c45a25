"""A cached response is never older than the last commit of any process."""

import threading
from concurrent.futures import Executor
from typing import Any

from django.db import OperationalError, connection, transaction
from pytest import MonkeyPatch
from rest_framework.test import APIClient

from boards.models import Board
from config.edge.serving import cached_responses
from pages.boards import themes
from tests import factories
from tests.answers import assert_error
from tests.boards.collections.stored import store, url_of
from tests.config.edge.serving.cached_responses.conftest import postgresql_only, queries_of
from tests.service_client import ServiceClient
from themes.models import Theme

pytestmark = postgresql_only


def test_an_answer_is_sent_again_until_something_is_committed(reader: ServiceClient, elsewhere: Any) -> None:
    """Other tests commit on the same server at the same time, so that it takes some tries.

    Each try has an address of its own: where something is committed all the time, fewer and fewer requests look.
    """

    def is_sent_again(address: str) -> bool:
        reader.get(address)
        reader.get(address)
        return queries_of(reader, address) == [cached_responses.SNAPSHOT]

    address = next(each for each in (f"/api/boards?utm_term={number}" for number in range(500)) if is_sent_again(each))
    elsewhere(lambda: factories.account("another"))
    assert len(queries_of(reader, address)) > 1


def test_a_vote_an_edit_a_label_and_an_unpublish_are_seen_by_the_very_next_read(
    board: Board, reader: ServiceClient, elsewhere: Any, service: APIClient, client_of: Any
) -> None:
    member, admin = client_of(factories.account("member")), client_of(factories.account("admin", role="admin"))
    theme = board.themes.get()
    one, edit = f"/api/boards/{board.pk}", f"/api/deals/{board.deal_id}/boards/{board.pk}"

    def seen(name: str) -> list[Any]:
        return [each[name] for each in (reader.get("/api/boards").json()["boards"][0], reader.get(one).json())]

    for vote, votes in (("up", {"up": 1, "down": 0}), ("none", {"up": 0, "down": 0})) * 5:
        elsewhere(lambda vote=vote: member.put(f"/api/voting/{board.pk}", {"vote": vote}))
        assert seen("votes") == [votes] * 2
    for title in ("First", "Second"):
        elsewhere(lambda title=title: service.patch(edit, {"title": title}))
        assert seen("title") == [title] * 2
        assert title in reader.get(f"/boards/{board.pk}").content.decode()
    for label in ("One", "Two"):
        elsewhere(lambda label=label: admin.patch(f"/api/themes/{theme.pk}", {"labels": {"en": label}}))
        assert [themes[0]["labels"] for themes in seen("themes")] == [{"en": label}] * 2
        assert label in reader.get("/themes").content.decode()
    assert elsewhere(lambda: service.delete(edit)).status_code == 204
    assert reader.get("/api/boards").json()["boards"] == []
    assert reader.get(one).status_code == 404


def test_a_change_of_a_collection_or_of_a_board_in_it_is_seen_by_the_very_next_read(
    board: Board, reader: ServiceClient, elsewhere: Any, client_of: Any
) -> None:
    anna = factories.account("anna")
    owner, url = client_of(anna), url_of(collection := store(anna, board, visibility="public"))

    def seen() -> list[tuple[str, int]]:
        answers = [reader.get(f"{url}?boards=full") for _ in range(4)]
        assert len({answer["ETag"] for answer in answers}) == 1
        return [(entry["note"], entry["board"]["votes"]["up"]) for entry in answers[-1].json()["boards"]]

    assert seen() == [("", 0)]
    elsewhere(lambda: owner.put(url_of(collection, board), {"note": "First"}))
    assert seen() == [("First", 0)]
    elsewhere(lambda: owner.put(f"/api/voting/{board.pk}", {"vote": "up"}))
    assert seen() == [("First", 1)]
    elsewhere(lambda: owner.patch(url, {"boards": []}))
    assert seen() == []
    elsewhere(lambda: owner.patch(url, {"visibility": "private"}))
    assert reader.get(f"{url}?boards=full").status_code == 404


def test_a_transaction_that_is_open_elsewhere_is_seen_when_it_commits_and_not_before(
    reader: ServiceClient, other_processes: tuple[Executor, Executor], elsewhere: Any
) -> None:
    changed, may_commit = threading.Event(), threading.Event()

    def change() -> None:
        with transaction.atomic():
            with transaction.atomic():  # a savepoint, which has a number of its own
                Theme.objects.update(labels={"en": "Changed"})
            changed.set()
            assert may_commit.wait(30)

    changing = other_processes[1].submit(change)
    assert changed.wait(30)
    for _ in range(5):
        for _ in range(3):
            assert reader.get("/api/themes").json()[0]["labels"]["en"] == "Stayman"
        # A transaction that begins later and ends before.
        elsewhere(factories.account)
    reader.get("/api/themes")
    may_commit.set()
    changing.result()
    assert reader.get("/api/themes").json()[0]["labels"] == {"en": "Changed"}


def test_a_change_while_an_answer_is_made_is_in_the_next_one(
    board: Board, anonymous: ServiceClient, elsewhere: Any, monkeypatch: MonkeyPatch
) -> None:
    """The view read the old label. Had the state been read after it, the old answer would pass for a new one."""
    anonymous.get("/themes")
    label_themes = themes.label_themes

    def read_and_change(*args: Any) -> Any:
        monkeypatch.setattr(themes, "label_themes", label_themes)
        labelled = list(label_themes(*args))
        elsewhere(lambda: Theme.objects.update(labels={"en": "Changed"}))
        return labelled

    monkeypatch.setattr(themes, "label_themes", read_and_change)
    assert "Stayman" in anonymous.get("/themes").content.decode()
    assert "Changed" in anonymous.get("/themes").content.decode()


def test_an_outage_of_the_database_is_a_503_and_no_kept_answer(board: Board, reader: ServiceClient) -> None:
    def fail(*args: Any) -> None:
        raise OperationalError("The server is gone.")

    for _ in range(3):
        reader.get("/api/openapi.json")
    with connection.execute_wrapper(fail):
        assert_error(reader.get("/api/boards"), 503, "service_unavailable")
        assert reader.get("/boards").status_code == 503
        # It was kept too, and needs no database.
        assert reader.get("/api/openapi.json").status_code == 200
    assert reader.get("/api/boards").status_code == 200


def test_nothing_is_kept_on_a_standby_that_does_not_say_what_it_has_replayed(
    board: Board, anonymous: ServiceClient, monkeypatch: MonkeyPatch
) -> None:
    """A primary that crashed once still tells what it replayed then, so that its own word is not asked for here."""
    standby = cached_responses.SNAPSHOT.replace("pg_is_in_recovery()", "true")
    monkeypatch.setattr(cached_responses, "SNAPSHOT", standby.replace("pg_last_wal_replay_lsn()", "NULL::pg_lsn"))
    for _ in range(3):
        assert len(queries_of(anonymous, "/api/themes")) >= 1
    Theme.objects.update(labels={"en": "Changed"})
    assert anonymous.get("/api/themes").json()[0]["labels"] == {"en": "Changed"}


def test_what_was_kept_before_a_new_connection_is_not_sent_after_it(
    board: Board, anonymous: ServiceClient, monkeypatch: MonkeyPatch
) -> None:
    """After a crash of the server the same snapshot may stand for other transactions."""
    monkeypatch.setattr(cached_responses, "SNAPSHOT", "SELECT '5:5:'")
    for _ in range(2):
        anonymous.get("/api/themes")
    assert queries_of(anonymous, "/api/themes") == ["SELECT '5:5:'"]
    Theme.objects.update(labels={"en": "Changed"})
    connection.close()
    assert anonymous.get("/api/themes").json()[0]["labels"] == {"en": "Changed"}
