"""The pages of collections for whoever may read them."""

import re
from collections.abc import Iterator
from itertools import product
from typing import Any
from xml.etree import ElementTree

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Account
from boards.collections.services import Place, Texts, create_collection, put_board
from boards.models import Board, Collection
from boards.pages.collections import public
from config.edge.limits import exports
from tests import factories
from tests.config.site.documents import Document
from tests.members import signed_in

pytestmark = pytest.mark.django_db

PUBLIC = "public, max-age=0, must-revalidate"
PAGES = ("", ".atom", ".pbn", "/embed", "/practice", "/print")


@pytest.fixture(scope="module")
def anna(rows_of_module: None) -> Account:
    return factories.account("anna", display_name="Anna de Vries")


@pytest.fixture(scope="module")
def boards(rows_of_module: None) -> list[Board]:
    return [factories.board(number=number, title=f"Title {number}", calls="1NT Pass Pass Pass") for number in (3, 1, 2)]


def store(owner: Account, *boards: Board, visibility: str = "public", **texts: Any) -> Collection:
    places = [Place(board.pk, f"Note on {board.title}") for board in boards]
    new = Texts(texts.pop("title", "Leçon"), visibility=visibility, **texts)
    return create_collection(owner=owner, texts=new, places=places)[0]


def body_of(answer: Any) -> str:
    return (answer.getvalue() if answer.streaming else answer.content).decode()


def test_what_is_not_public_is_for_its_readers_and_kept_by_nobody(
    anna: Account, boards: list[Board], subtests: pytest.Subtests
) -> None:
    clients = {"owner": signed_in(anna), "member": signed_in(factories.account()), "anybody": Client()}
    clients["staff"] = signed_in(factories.account(role="admin"))
    for visibility in ("private", "link"):
        collection = store(anna, boards[0], visibility=visibility)
        for ending, name in product(PAGES, clients):
            with subtests.test(f"{visibility} {ending} {name}"):
                answer = clients[name].get(f"/collections/{collection.pk}{ending}")
                text = body_of(answer)
                # A frame shows nobody what is private.
                is_readable = visibility == "link" or (name == "owner" and ending != "/embed")
                status = 302 if ending == "/practice" else 200
                assert answer.status_code == (status if is_readable else 404)
                if is_readable:
                    assert (answer["Cache-Control"], answer["X-Robots-Tag"]) == ("private, no-store", "noindex")
                    assert "ETag" not in answer
                else:
                    assert "Leçon" not in text


def test_a_public_one_is_the_same_for_all_and_private_for_members(
    anna: Account, boards: list[Board], subtests: pytest.Subtests
) -> None:
    collection, nobody, owner = store(anna, *boards), Client(), signed_in(anna)
    for ending in PAGES:
        with subtests.test(ending):
            bodies = []
            for client, cache_control in ((nobody, PUBLIC), (owner, "private, no-store"), (nobody, PUBLIC)):
                answer = client.get(f"/collections/{collection.pk}{ending}")
                assert (answer["Cache-Control"], "X-Robots-Tag" in answer) == (cache_control, False)
                bodies.append((answer.get("Location"), body_of(answer)))
            before, own, after = bodies
            assert before == after and "Sign out" not in before[1]
            assert ("Sign out" in own[1]) == (ending in ("", "/print"))


def test_the_list_has_public_ones_alone_by_the_names_of_their_owners(anna: Account, client: Client) -> None:
    store(anna, title="A public one", language="en", description="x" * 500)
    for visibility in ("private", "link"):
        store(anna, title=f"A {visibility} one", visibility=visibility)
    store(factories.account("google-oauth2|secret@example.org"), title="Of somebody without a name")
    for each in (client, signed_in(anna)):
        page = Document(each.get("/collections"))
        assert "A public one" in page.links() and "by Anna de Vries" in page.html
        assert "A private one" not in page.html and "A link one" not in page.html
        assert "secret@example.org" not in page.html and "by a member" in page.html
    assert client.get("/collections?page=2").status_code == 404


def test_the_sitemap_has_public_ones_alone_newest_first(anna: Account, client: Client) -> None:
    visibilities = ("public", "link", "private", "public")
    stored = [store(anna, title=str(n), visibility=each) for n, each in enumerate(visibilities)]
    found = [line for line in body_of(client.get("/sitemap-1.xml")).splitlines() if "/collections/" in line]
    assert [re.findall(r"/collections/([^<]+)</loc><lastmod>(.+)</lastmod>", line)[0] for line in found] == [
        (str(each.pk), f"{each.updated_at:%Y-%m-%dT%H:%M:%SZ}") for each in (stored[3], stored[0])
    ]


def test_a_page_has_its_boards_in_order_with_notes_and_languages(anna: Account, boards: list[Board]) -> None:
    collection = store(anna, *boards, language="fr", description="Un\n\ndeux <b>trois</b>")
    page = Document(Client().get(f"/collections/{collection.pk}"))
    assert [text.split(" of")[0] for text in page.texts("h2")] == ["Title 3", "Title 1", "Title 2"]
    assert page.html.index("Note on Title 3") < page.html.index("Note on Title 1")
    assert ({"lang": "fr"}, "Leçon") in page.all("h1")
    assert "&lt;b&gt;trois&lt;/b&gt;" in page.html
    assert page.is_indexed() and "Anna de Vries" in page.html


def test_drafts_are_shown_to_their_owner_alone(anna: Account, boards: list[Board]) -> None:
    draft = factories.board(owner=anna, published=False, title="Secret board")
    collection = store(anna, boards[0], draft)
    url = f"/collections/{collection.pk}"
    for ending in ("", ".pbn", "/print"):
        for client, is_seen in ((signed_in(anna), True), (Client(), False), (signed_in(factories.account()), False)):
            body = body_of(client.get(url + ending))
            seen = f"Dealer {draft.dealer}" if ending == "/print" else "Secret board"
            assert (body.count("<article") == 2 if ending == "/print" else seen in body) is is_seen, ending
    for ending in (".atom", "/embed"):
        assert "Secret board" not in signed_in(anna).get(url + ending).content.decode()
    assert "only its owner and staff see it" in signed_in(anna).get(url).content.decode()


def test_the_file_and_the_feed_keep_the_order(anna: Account, boards: list[Board], client: Client) -> None:
    url = f"/collections/{store(anna, *boards).pk}"
    file = client.get(f"{url}.pbn")
    assert file["Content-Type"] == "application/x-pbn; charset=utf-8"
    text = file.getvalue().decode()
    places = [text.index(f'[Description "Title {number}"]') for number in (3, 1, 2)]
    assert places == sorted(places)
    feed = client.get(f"{url}.atom").content.decode()
    places = [feed.index(f"Title {number}</title>") for number in (3, 1, 2)]
    assert places == sorted(places) and "Note on Title 3" in feed


def test_a_note_is_text_in_the_feed_whose_summaries_are_html(anna: Account, boards: list[Board]) -> None:
    collection = store(anna, boards[0])
    put_board(account=anna, collection_id=collection.pk, board_id=boards[0].pk, note="a < b <script>x</script>")
    summary = ElementTree.fromstring(Client().get(f"/collections/{collection.pk}.atom").content).find(
        "{*}entry/{*}summary"
    )
    assert summary is not None and summary.get("type") == "html"
    assert summary.text == "a &lt; b &lt;script&gt;x&lt;/script&gt;"


def test_the_file_has_the_limits_of_exports(anna: Account, boards: list[Board], client: Client, settings: Any) -> None:
    settings.EXPORT_RATE = "1/m"
    url = f"/collections/{store(anna, *boards).pk}.pbn"
    assert client.get(url).getvalue()
    assert client.get(url).status_code == 429
    assert not exports.permits.running


def steps_of(client: Client, path: str) -> Iterator[str]:
    """Yield the boards that practice leads to, by their ids."""
    while True:
        answer = client.get(path)
        if answer.status_code == 302:
            path = answer["Location"]
            continue
        page = Document(answer)
        if not path.startswith("/practice/"):
            assert page.texts("h1") == ["That was the last board"]
            return
        yield path.split("/")[2].split("?")[0]
        revealed = Document(client.get(f"{path}{'&' if '?' in path else '?'}step=end"))
        path = revealed.links()["Next board of this collection"]


def test_practice_leads_through_the_boards_in_their_order(anna: Account, boards: list[Board], client: Client) -> None:
    for visibility in ("public", "link"):
        collection = store(anna, *boards, visibility=visibility)
        found = list(steps_of(client, f"/collections/{collection.pk}/practice"))
        assert found == [str(board.pk) for board in boards], visibility


def test_practice_says_where_one_is_and_shows_title_and_note_at_the_end(
    anna: Account, boards: list[Board], client: Client
) -> None:
    collection = store(anna, *boards, language="fr")
    path = f"/practice/{boards[1].pk}?collection={collection.pk}"
    hidden, revealed = Document(client.get(path)), Document(client.get(f"{path}&step=end"))
    for page in (hidden, revealed):
        assert page.links()["this collection"] == f"/collections/{collection.pk}"
    assert "Board 2 of 3 of" in hidden.html
    assert "Leçon" not in hidden.html and "Note on" not in hidden.html, "they may tell what the lesson is"
    assert "Leçon: board 2 of 3 of" in revealed.html and "<p>Note on Title 1</p>" in revealed.html
    last = Document(client.get(f"/practice?collection={collection.pk}&after={boards[2].pk}"))
    assert last.links()["Back to the collection"] == f"/collections/{collection.pk}"


def test_practice_tells_of_a_collection_what_its_page_does(
    anna: Account, boards: list[Board], subtests: pytest.Subtests
) -> None:
    client, owner = Client(), signed_in(anna)
    path = f"/practice/{boards[0].pk}?collection={{}}&step=end"
    for visibility in ("private", "link", "public"):
        with subtests.test(visibility):
            collection = store(anna, boards[0], visibility=visibility)
            answer, unknown = (client.get(path.format(each)) for each in (collection.pk, factories.NOBODYS_ID))
            assert ("Leçon" in body_of(answer)) is (visibility != "private")
            assert answer["Cache-Control"] == ("private, no-store" if visibility == "link" else PUBLIC)
            if visibility == "private":
                assert body_of(answer).replace(str(collection.pk), factories.NOBODYS_ID) == body_of(unknown)
            elsewhere = client.get(f"/practice/{boards[1].pk}?collection={collection.pk}&step=end")
            assert "Leçon" not in body_of(elsewhere)
            assert "Leçon" in body_of(owner.get(path.format(collection.pk)))


def test_practice_of_a_private_collection_is_its_owners(anna: Account, boards: list[Board]) -> None:
    draft = factories.board(owner=anna, published=False, calls="1NT Pass Pass Pass")
    collection = store(anna, boards[0], draft, visibility="private")
    path = f"/practice?collection={collection.pk}"
    assert list(steps_of(signed_in(anna), path)) == [str(boards[0].pk), str(draft.pk)]
    for client in (Client(), signed_in(factories.account())):
        assert client.get(path).status_code == 404
        assert client.get(f"{path}&after={boards[0].pk}").status_code == 404
    assert Client().get("/practice?collection=nothing").status_code == 400


def test_a_page_of_many_boards_is_paged(
    anna: Account, boards: list[Board], client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public, "BOARDS_OF_PAGE", 2)
    url = f"/collections/{store(anna, *boards).pk}"
    first, last = Document(client.get(url)), Document(client.get(f"{url}?page=2"))
    assert (len(first.all("article")), len(last.all("article"))) == (2, 1)
    assert first.links()["Next page"] == f"{url}?page=2"
    assert client.get(f"{url}?page=3").status_code == 404
    assert client.get(f"{url}/print?page=2").status_code == 404


def test_more_boards_take_no_more_queries(anna: Account, client: Client) -> None:
    def add(collection: Collection) -> None:
        board = factories.board(themes=(factories.theme(),))
        put_board(account=anna, collection_id=collection.pk, board_id=board.pk)

    def queries(ending: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(f"/collections/{collection.pk}{ending}").status_code == 200
        return len(captured)

    endings = ("", ".atom", "/embed", "/print")
    collection = store(anna)
    add(collection)
    client.get(f"/collections/{collection.pk}")  # reads the themes, which the process keeps
    few = {ending: queries(ending) for ending in endings}
    for _ in range(3):
        add(collection)
    client.get(f"/collections/{collection.pk}")
    assert {ending: queries(ending) for ending in endings} == few


def test_the_page_says_how_to_share_it_unless_it_is_private(anna: Account, boards: list[Board]) -> None:
    owner, shared = signed_in(anna), {}
    for visibility in ("private", "link", "public"):
        collection = store(anna, boards[0], visibility=visibility, title="A <b> lesson")
        frame = f"/collections/{collection.pk}/embed&quot; title=&quot;A &amp;lt;b&amp;gt; lesson"
        shared[visibility] = frame in owner.get(f"/collections/{collection.pk}").content.decode()
    assert shared == {"private": False, "link": True, "public": True}


def test_a_member_votes_on_its_boards_and_not_on_drafts(anna: Account, boards: list[Board]) -> None:
    draft = factories.board(owner=anna, published=False)
    collection = store(anna, *boards, draft)
    text = signed_in(anna).get(f"/collections/{collection.pk}").content.decode()
    assert text.count('class="ballot"') == len(boards)
    assert 'class="ballot"' not in Client().get(f"/collections/{collection.pk}").content.decode()
