"""Searches that look at boards or compare them have a permit wherever they are asked, and one at a time."""

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from rest_framework.test import APIClient

from boards.collections.services import Texts, create_collection
from boards.models import Collection
from config.edge.limits import exports
from config.edge.limits.exports import dear_read, dear_reads, permits
from search.conditions import Condition, Words, leaves_of
from search.index import finding
from tests import factories
from tests.config.admin.conftest import staff_client
from tests.members import signed_in
from tests.pages.documents import Document
from tests.routes import routes
from tests.service_client import ServiceClient

pytestmark = pytest.mark.django_db

AUCTION, SWING = quote("auction*=P-?-?-P"), quote("swing>=1")
EXPORTS = ["/api/boards.lin", "/api/boards.pbn"]
SEARCHED = ["/api/boards", "/api/boards/summary", "/boards", "/boards.atom", "/boards/print", "/boards/summary"]
SEARCHED += ["/practice"]
"""The addresses that take q. A new one takes a permit too (boards.catalogue.reading.Search)."""


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "WAIT_SECONDS", 0)


@pytest.fixture(scope="module")
def boards(rows_of_module: None) -> None:
    for number in (1, 2):
        factories.board(number=number, calls="Pass 1S 2S Pass Pass Pass", event="Club", tricks=8 + number)


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch, boards: None) -> list[bool]:
    """Return whether there was a permit, for each time that a search has looked at boards or compared them."""
    seen: list[bool] = []

    def watch(name: str) -> None:
        look = getattr(finding, name)

        def watched(*arguments: Any) -> Condition:
            seen.append(bool(dear_reads.running or permits.running))
            return look(*arguments)

        monkeypatch.setattr(finding, name, watched)

    watch("look_through")
    watch("compare")
    return seen


def read(client: Client | APIClient, path: str) -> Any:
    answer = client.get(path)
    return b"".join(answer.streaming_content) if getattr(answer, "streaming", False) else answer


def test_no_address_looks_at_boards_without_a_permit_and_each_does_so_once(looks: list[bool], client: Client) -> None:
    found = dict[str, list[bool]]()
    for path in sorted({route.path for route in routes() if "GET" in route.methods and "<" not in route.path}):
        for search in (AUCTION, SWING):
            read(client, f"{path}?q={search}")
            if looks:
                found[path] = found.get(path, []) + looks
            looks.clear()
    assert found == {path: [True, True] for path in (*EXPORTS, *SEARCHED)}
    assert not dear_reads.running and not permits.running


@pytest.fixture
def phone() -> Client:
    return signed_in(factories.account("anna"))


@pytest.fixture
def collection(phone: Client) -> Collection:
    owner = factories.Account.objects.get(pk="anna")
    return create_collection(owner=owner, texts=Texts("Lesson"), places=[])[0]


def test_collections_and_the_admin_take_a_permit_too(
    looks: list[bool], phone: Client, collection: Collection, client_of: Callable[..., APIClient]
) -> None:
    owner, staff = client_of(collection.owner), staff_client("admin")
    asked = {
        "of a search": lambda: phone.get(f"/account/collections/new?search={quote(f'q={AUCTION}')}"),
        "to add": lambda: phone.get(f"/account/collections/{collection.pk}?find={AUCTION}"),
        "by the API": lambda: owner.post("/api/collections", {"title": "Two", "fromSearch": f"q={AUCTION}"}),
        "of staff": lambda: staff.get(f"/admin/boards/board/?q={AUCTION}"),
    }
    for name, ask in asked.items():
        assert ask().status_code in (200, 201), name
        assert looks and all(looks), name
        looks.clear()
        dear_reads.take("198.51.100.9")
        try:
            answer = ask()
        finally:
            dear_reads.free("198.51.100.9")
        assert answer.status_code == 503 or "Many boards are being counted" in answer.content.decode(), name
        assert not looks, name
    assert not dear_reads.running
    assert Collection.objects.filter(title="Two").count() == 1


@pytest.fixture
def held() -> Iterator[None]:
    dear_reads.take("198.51.100.9")
    yield
    dear_reads.free("198.51.100.9")


@pytest.mark.usefixtures("boards", "held")
def test_a_search_without_a_permit_is_refused_and_others_are_not(client: Client) -> None:
    for path in SEARCHED:
        refused = client.get(f"{path}?q={AUCTION}")
        assert (refused.status_code, int(refused["Retry-After"]) >= 1) == (503, True), path
        if "summary" not in path:
            assert client.get(f"{path}?q=dealer%3DN").status_code in (200, 302), path
    for path in EXPORTS:
        assert read(client, f"{path}?q={AUCTION}") != b""


@pytest.mark.usefixtures("boards")
def test_a_search_that_is_too_dear_is_refused_in_words_wherever_it_is_asked(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("MAX_AUCTIONS", "MAX_ROWS"):
        monkeypatch.setattr(finding, name, 1)
    for path in (*SEARCHED, *EXPORTS):
        answer = client.get(f"{path}?q={AUCTION}")
        assert answer.status_code == 400, path
        is_said = path not in ("/boards.atom", "/boards/print", "/practice")
        assert (b"More than 1 auctions may have P-?-?-P" in answer.content) is is_said, path
    answer = client.get(f"/api/boards?q={AUCTION}", headers={"accept": "application/x-ndjson"})
    assert answer.json()["meta"]["fields"]["q"][0]["code"] == "too_many_auctions"
    assert not dear_reads.running and not permits.running


@pytest.mark.usefixtures("boards")
def test_it_is_refused_before_django_too_and_answered_afterwards() -> None:
    client = ServiceClient()
    for _ in range(2):
        assert client.get("/api/boards?q=dealer%3DN").status_code == 200
    dear_reads.take("198.51.100.9")
    assert client.get(f"/api/boards?q={AUCTION}").status_code == 503
    assert client.get("/api/boards?q=dealer%3DE").status_code == 200
    dear_reads.free("198.51.100.9")
    for _ in range(2):
        answer = client.get(f"/api/boards?q={AUCTION}")
        assert (answer.status_code, answer.json()["pagination"]["totalCount"]) == (200, 2)
    assert not dear_reads.running


def test_a_request_has_one_permit_at_most(rf: Any) -> None:
    request = rf.get("/", REMOTE_ADDR="192.0.2.7")
    with dear_read(request):
        with dear_read(request):
            assert dear_reads.running.total() == 1
        assert dear_reads.running.total() == 1
    assert not dear_reads.running


@pytest.mark.usefixtures("boards")
def test_an_empty_result_offers_no_wider_list_where_boards_are_looked_at(client: Client) -> None:
    page = Document(client.get("/boards", {"q": "dealer=N contract=7N"}))
    assert page.links()["Without the condition: contract=7N"] == "/boards?q=dealer%3DN"
    for dear in ("auction*=P-?-?-P", "swing>=1"):
        page = Document(client.get("/boards", {"q": f"dealer=N contract=7N {dear}"}))
        assert not [text for text in page.links() if text.startswith("Without ")], dear


@pytest.mark.usefixtures("boards")
def test_an_optional_word_is_asked_for_once_in_a_request(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, count = list[Condition](), finding.count

    def counted(condition: Condition) -> int:
        if Words("spectacular") in leaves_of(condition):
            asked.append(condition)
        return count(condition)

    monkeypatch.setattr(finding, "count", counted)
    for path in ("/boards?", "/boards?start=2&", "/boards.atom?", "/api/boards?", "/practice?"):
        assert client.get(f"{path}q=spectacular+2S").status_code in (200, 302)
        assert len(asked) == 1, path
        asked.clear()
