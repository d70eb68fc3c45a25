"""Kept answers: the same to the byte as fresh ones, and never older than the last commit of any process."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

import pytest
from django.db import OperationalError, connection, connections, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from rest_framework.test import APIClient

from boards.models import Board
from boards.services import unpublish_board
from config.edge import kept_answers
from config.edge.kept_answers import KeptAnswersMiddleware
from tests import factories
from tests.answers import assert_error
from tests.conftest import token_of
from themes.models import Theme

postgresql_only = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="answers are kept with PostgreSQL only"
)
# Inside the transaction of other tests no answer is kept.
committed = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def small_answers_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_answers, "MIN_BYTES", 0)


@pytest.fixture
def board() -> Board:
    theme = factories.theme("stayman", labels={"en": "Stayman", "nl": "Stayman (nl)"})
    return factories.board(themes=(theme,), auction_system=factories.auction_system("acol"))


@pytest.fixture
def states(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the states that the database was asked for. It says each time that nothing was committed."""
    asked: list[str] = []

    def database_state(middleware: KeptAnswersMiddleware) -> str:
        asked.append("unchanged")
        return "unchanged"

    monkeypatch.setattr(KeptAnswersMiddleware, "database_state", database_state)
    return asked


def queries_of(client: APIClient, path: str, **headers: str) -> list[str]:
    """Return the statements of a request. Django's log has no text of prepared ones."""
    statements: list[str] = []

    def record(execute: Callable[..., Any], sql: str, *args: Any) -> Any:
        statements.append(sql)
        return execute(sql, *args)

    with connection.execute_wrapper(record):
        client.get(path, headers=headers)
    return statements


def paths_of(board: Board) -> list[str]:
    pages = [reverse("home"), reverse("gallery"), reverse("themes-page"), f"/boards/{board.pk}"]
    reads = ["boards", "boards?page=1&pageSize=5", "themes", f"boards/{board.pk}", f"boards/{board.pk}.svg"]
    return [*pages, *(f"/api/{read}" for read in reads), "/api/auction-systems"]


@pytest.fixture
def other_processes(transactional_db: None) -> Iterator[tuple[Executor, Executor]]:
    """Return two threads with a connection each, as other processes have.

    The connections exist before anything is kept: a new connection in this process makes all that was kept unused.
    """

    def connect() -> None:
        connection.ensure_connection()  # looked up in the thread, whose own connection it then is

    with ThreadPoolExecutor(1) as first, ThreadPoolExecutor(1) as second:
        for process in (first, second):
            process.submit(connect).result()
        yield first, second
        for process in (first, second):
            process.submit(connections.close_all).result()


@pytest.fixture
def elsewhere(other_processes: tuple[Executor, Executor]) -> Callable[[Callable[[], Any]], Any]:
    """Return a function that makes a change in another process."""
    return lambda change: other_processes[0].submit(change).result()


# --- The answers are the same ----------------------------------------------------------------------------------


@postgresql_only
@committed
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"accept-language": "nl, en;q=0.5", "accept": "*/*"},
        {"origin": "https://app.example"},
        {"if-none-match": '"another"'},
        {"if-match": '"another"'},
    ],
)
def test_a_kept_answer_has_the_bytes_and_headers_of_a_fresh_one(
    headers: dict[str, str], board: Board, states: list[str], settings: Any
) -> None:
    headers = {**headers, "x-request-id": "same"}
    keeping = APIClient()
    for path in paths_of(board):
        settings.KEPT_ANSWERS_MIB = 8
        for _ in range(2):
            keeping.get(path, headers={**headers, "if-match": "*"})
        assert queries_of(keeping, path, **headers) == []
        kept = {method: keeping.generic(method, path, headers=headers) for method in ("GET", "HEAD")}
        settings.KEPT_ANSWERS_MIB = 0
        for method, answer in kept.items():
            fresh = APIClient().generic(method, path, headers=headers)
            assert (answer.status_code, answer.content) == (fresh.status_code, fresh.content)
            assert list(answer.items()) == list(fresh.items())


@postgresql_only
@committed
def test_a_reader_who_has_a_kept_answer_gets_a_304_even_if_nobody_ever_asked_for_the_whole(
    board: Board, states: list[str], anonymous: APIClient
) -> None:
    for path in paths_of(board):
        etag = APIClient().get(path)["ETag"]
        for _ in range(2):
            assert anonymous.get(path, headers={"if-none-match": etag}).status_code == 304
        with CaptureQueriesContext(connection) as queries:
            known = anonymous.get(path, headers={"if-none-match": etag})
            whole = anonymous.get(path)
        assert (known.status_code, known.content, known["ETag"]) == (304, b"", etag)
        assert (whole.status_code, whole["ETag"]) == (200, etag)
        assert whole.content
        assert queries.captured_queries == []


@postgresql_only
@committed
def test_answers_that_headers_choose_are_kept_apart(
    board: Board, states: list[str], anonymous: APIClient
) -> None:
    theme = board.themes.get()
    for language in ("en", "nl") * 3:
        page = anonymous.get("/themes", headers={"accept-language": language}).content.decode()
        assert theme.labels[language] in page
    for _ in range(3):
        assert anonymous.get("/api/boards", headers={"accept": "application/json"}).status_code == 200
        assert_error(anonymous.get("/api/boards", headers={"accept": "text/html"}), 406, "not_acceptable")


@postgresql_only
@committed
def test_answers_of_different_addresses_are_kept_apart(
    board: Board, states: list[str], anonymous: APIClient
) -> None:
    """The path "/api/boards%3Fpage=2" has a question mark, and is no query of /api/boards."""
    for _ in range(3):
        assert anonymous.get("/api/boards?page=2").json()["boards"] == []
        assert len(anonymous.get("/api/boards").json()["boards"]) == 1
        assert anonymous.get("/api/boards%3Fpage=2").status_code == 404


@postgresql_only
@committed
def test_metrics_and_logs_name_the_route_of_a_kept_answer(
    board: Board, states: list[str], anonymous: APIClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", logger="access")
    for _ in range(3):
        anonymous.get(f"/api/boards/{board.pk}")
    assert len(states) == 2
    assert [record.getMessage() for record in caplog.records if record.name == "access"] == [
        "GET /api/boards/<uuid:pk> 200"
    ] * 3


# --- What is kept, and when ------------------------------------------------------------------------------------


@postgresql_only
@committed
def test_the_first_request_of_an_address_does_not_ask_for_the_state(
    board: Board, states: list[str], anonymous: APIClient
) -> None:
    for page in range(1, 10):
        anonymous.get(f"/api/boards?page={page}")
    assert states == []
    anonymous.get("/api/boards?page=1")
    assert states == ["unchanged"]


@postgresql_only
@committed
def test_what_is_no_public_answer_is_never_kept(board: Board, states: list[str]) -> None:
    owner = factories.account("owner")
    draft = factories.board(owner=owner, published=False)
    staff = factories.account("staff", role="admin")
    session = APIClient()
    session.force_login(staff)
    bearer = {"authorization": f"Bearer {token_of(owner)}"}
    client = APIClient()
    for _ in range(3):
        assert session.get(f"/boards/{draft.pk}").status_code == 200
        assert session.get("/admin/").status_code == 200
        assert client.get(f"/boards/{draft.pk}").status_code == 404
        assert client.get("/boards?page=0").status_code == 400
        assert client.get("/api/boards?page=0").status_code == 400
        assert client.get(f"/api/boards/{draft.pk}").status_code == 404
        assert client.get(f"/api/boards/{draft.pk}", headers=bearer).status_code == 200
        assert client.get("/api/boards", headers=bearer).status_code == 200
        assert client.get("/api/boards", headers={"authorization": "Basic x"}).status_code == 200
        assert client.get("/api/boards.pbn").status_code == 200
        assert client.get("/livez").status_code == 200
    tokens = {client.get("/forms/contact").content for _ in range(4)}
    assert len(tokens) == 4
    assert states == []


@postgresql_only
@committed
def test_an_address_whose_answer_is_private_by_now_is_forgotten(
    board: Board, states: list[str], anonymous: APIClient
) -> None:
    path = f"/api/boards/{board.pk}"
    anonymous.get(path)
    unpublish_board(board)
    for _ in range(3):
        assert anonymous.get(path).status_code == 404
    assert len(states) == 1


@postgresql_only
@committed
def test_an_answer_that_is_made_as_fast_as_it_is_checked_is_never_kept(
    board: Board, states: list[str], anonymous: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = len(anonymous.get(f"/api/boards/{board.pk}?another-address").content)
    monkeypatch.setattr(kept_answers, "MIN_BYTES", size + 1)
    for path in (f"/api/boards/{board.pk}", "/boards"):
        for _ in range(3):
            anonymous.get(path)
    assert len(states) == 2  # of the page, which is longer


@postgresql_only
@committed
def test_looks_in_vain_become_rarer_and_come_back_with_the_first_hit(
    board: Board, anonymous: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[str] = []
    busy = True

    def database_state(middleware: KeptAnswersMiddleware) -> str:
        looks.append(f"commit {len(looks)}" if busy else "unchanged")
        return looks[-1]

    monkeypatch.setattr(KeptAnswersMiddleware, "database_state", database_state)
    for _ in range(300):
        anonymous.get("/api/boards")
    assert 6 <= len(looks) <= 12
    busy = False
    for _ in range(2 * kept_answers.MAX_PAUSE + 2):
        anonymous.get("/api/boards")
    looks.clear()
    for _ in range(10):
        anonymous.get("/api/boards")
    assert looks == ["unchanged"] * 10


@pytest.mark.django_db
def test_nothing_is_kept_inside_a_transaction(board: Board, states: list[str], anonymous: APIClient) -> None:
    for _ in range(3):
        assert queries_of(anonymous, "/api/boards")
    assert states == []


# --- Never older than the last commit --------------------------------------------------------------------------


@pytest.fixture
def reader(board: Board, other_processes: Any) -> APIClient:
    """Return a client of a process that has kept the answers."""
    client = APIClient(raise_request_exception=False)
    for path in paths_of(board):
        for _ in range(3):
            assert client.get(path).status_code == 200
    return client


@postgresql_only
@committed
def test_an_answer_is_sent_again_until_something_is_committed(reader: APIClient, elsewhere: Any) -> None:
    """Other tests use the same server at the same time, so that it takes some tries."""
    assert any(queries_of(reader, "/api/boards") == [kept_answers.SNAPSHOT] for _ in range(200))
    elsewhere(lambda: factories.account("another"))
    assert len(queries_of(reader, "/api/boards")) > 1


@postgresql_only
@committed
def test_a_vote_an_edit_a_label_and_an_unpublish_are_seen_by_the_very_next_read(
    board: Board, reader: APIClient, elsewhere: Any, service: APIClient, client_of: Any
) -> None:
    member, admin = (
        client_of(factories.account("member")),
        client_of(factories.account("admin", role="admin")),
    )
    theme = board.themes.get()
    one, edit = f"/api/boards/{board.pk}", f"/api/deals/{board.deal_id}/boards/{board.pk}"

    def seen() -> tuple[Any, Any]:
        return reader.get("/api/boards").json()["boards"][0], reader.get(one).json()

    for vote, votes in (("up", {"up": 1, "down": 0}), ("none", {"up": 0, "down": 0})) * 5:
        elsewhere(lambda vote=vote: member.put(f"/api/voting/{board.pk}", {"vote": vote}))
        assert [shown["votes"] for shown in seen()] == [votes, votes]
    for title in ("First", "Second"):
        elsewhere(lambda title=title: service.patch(edit, {"title": title}))
        assert [shown["title"] for shown in seen()] == [title, title]
        assert title in reader.get(f"/boards/{board.pk}").content.decode()
    for label in ("One", "Two"):
        elsewhere(lambda label=label: admin.patch(f"/api/themes/{theme.pk}", {"labels": {"en": label}}))
        assert [shown["themes"][0]["labels"] for shown in seen()] == [{"en": label}] * 2
        assert label in reader.get("/themes").content.decode()
    assert elsewhere(lambda: service.delete(edit)).status_code == 204
    assert reader.get("/api/boards").json()["boards"] == []
    assert reader.get(one).status_code == 404


@postgresql_only
@committed
def test_a_transaction_that_is_open_elsewhere_is_seen_when_it_commits_and_not_before(
    reader: APIClient, other_processes: tuple[Executor, Executor], elsewhere: Any
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


@postgresql_only
@committed
def test_a_change_while_an_answer_is_made_is_in_the_next_one(
    board: Board, anonymous: APIClient, elsewhere: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The view read the old label. Had the state been read after it, the old answer would pass for a new one."""
    read = ThemesPageRead(monkeypatch)
    anonymous.get("/themes")
    read.then = lambda: elsewhere(lambda: Theme.objects.update(labels={"en": "Changed"}))
    assert "Stayman" in anonymous.get("/themes").content.decode()
    assert "Changed" in anonymous.get("/themes").content.decode()


class ThemesPageRead:
    """Calls `then` once, after the page of themes has read them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from boards.pages import views

        self.then: Callable[[], Any] = lambda: None
        label_themes = views.label_themes

        def read_and_call(*args: Any) -> Any:
            labelled = list(label_themes(*args))
            then, self.then = self.then, lambda: None
            then()
            return labelled

        monkeypatch.setattr(views, "label_themes", read_and_call)


# --- When the database does not tell ---------------------------------------------------------------------------


@postgresql_only
@committed
def test_an_outage_of_the_database_is_a_503_and_no_kept_answer(board: Board, reader: APIClient) -> None:
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


@postgresql_only
@committed
def test_nothing_is_kept_on_a_standby(
    board: Board, anonymous: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        kept_answers, "SNAPSHOT", kept_answers.SNAPSHOT.replace("pg_is_in_recovery()", "true")
    )
    for _ in range(3):
        assert len(queries_of(anonymous, "/api/themes")) >= 1
    Theme.objects.update(labels={"en": "Changed"})
    assert anonymous.get("/api/themes").json()[0]["labels"] == {"en": "Changed"}


@postgresql_only
@committed
def test_what_was_kept_before_a_new_connection_is_not_sent_after_it(
    board: Board, anonymous: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a crash of the server the same snapshot may stand for other transactions."""
    monkeypatch.setattr(kept_answers, "SNAPSHOT", "SELECT '5:5:'")
    for _ in range(2):
        anonymous.get("/api/themes")
    assert queries_of(anonymous, "/api/themes") == ["SELECT '5:5:'"]
    Theme.objects.update(labels={"en": "Changed"})
    connection.close()
    assert anonymous.get("/api/themes").json()[0]["labels"] == {"en": "Changed"}
