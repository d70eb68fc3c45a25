"""The pages of collections for whoever may read them."""

import re
from itertools import product
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client

from accounts.models import Account
from boards.models import Board, Collection
from config.edge.limits import exports
from pages.collections import public
from tests import factories
from tests.boards.collections import stored
from tests.members import signed_in
from tests.pages.opening import open_page, queries_of, walk

pytestmark = pytest.mark.django_db

PUBLIC, PRIVATE = "public, max-age=0, must-revalidate", "private, no-store"
PAGES = ("", ".atom", ".pbn", "/embed", "/practice", "/print")


@pytest.fixture(scope="module")
def anna(rows_of_module: None) -> Account:
    return factories.account("anna", display_name="Anna de Vries")


@pytest.fixture(scope="module")
def boards(rows_of_module: None) -> list[Board]:
    return [factories.board(number=number, title=f"Title {number}", calls="1NT Pass Pass Pass") for number in (3, 1, 2)]


def store(owner: Account, *boards: Board, visibility: str = "public", **texts: Any) -> Collection:
    values = {"title": "Leçon", "note": "Note on {title}", "visibility": visibility}
    return stored.store(owner, *boards, **(values | texts))


def path_of(collection: Collection) -> str:
    return f"/collections/{collection.pk}"


def body_of(answer: Any) -> str:
    return (answer.getvalue() if answer.streaming else answer.content).decode()


def test_what_is_not_public_is_for_its_readers_and_kept_by_nobody(anna: Account, boards: list[Board]) -> None:
    clients = {"owner": signed_in(anna), "member": signed_in(factories.account()), "anybody": Client()}
    clients["staff"] = signed_in(factories.account(role="admin"))
    for visibility in ("private", "link"):
        path = path_of(store(anna, boards[0], visibility=visibility))
        for ending, name in product(PAGES, clients):
            answer, case = clients[name].get(path + ending), f"{visibility} {ending} {name}"
            text = body_of(answer)
            # A frame shows nobody what is private.
            is_readable = visibility == "link" or (name == "owner" and ending != "/embed")
            assert answer.status_code == ((302 if ending == "/practice" else 200) if is_readable else 404), case
            if is_readable:
                assert (answer["Cache-Control"], answer["X-Robots-Tag"]) == (PRIVATE, "noindex"), case
                assert "ETag" not in answer, case
            else:
                assert "Leçon" not in text, case


def test_a_public_one_is_the_same_for_all_and_private_for_members(anna: Account, boards: list[Board]) -> None:
    path, nobody, owner = path_of(store(anna, *boards)), Client(), signed_in(anna)
    for ending in PAGES:
        bodies = []
        for client, cache_control in ((nobody, PUBLIC), (owner, PRIVATE), (nobody, PUBLIC)):
            answer = client.get(path + ending)
            assert (answer["Cache-Control"], "X-Robots-Tag" in answer) == (cache_control, False), ending
            bodies.append((answer.get("Location"), body_of(answer)))
        before, own, after = bodies
        assert before == after and "Sign out" not in before[1], ending
        assert ("Sign out" in own[1]) == (ending in ("", "/print")), ending


def test_the_list_has_public_ones_alone_by_the_names_of_their_owners(anna: Account, client: Client) -> None:
    store(anna, title="A public one", language="en", description="x" * 500)
    for visibility in ("private", "link"):
        store(anna, title=f"A {visibility} one", visibility=visibility)
    store(factories.account("google-oauth2|secret@example.org"), title="Of somebody without a name")
    for each in (client, signed_in(anna)):
        page = open_page(each, "/collections")
        assert "A public one" in page.links() and "by Anna de Vries" in page.html
        assert "A private one" not in page.html and "A link one" not in page.html
        assert "secret@example.org" not in page.html and "by a member" in page.html
    assert client.get("/collections?page=2").status_code == 404


def test_the_sitemap_has_public_ones_alone_newest_first(anna: Account, client: Client) -> None:
    visibilities = ("public", "link", "private", "public")
    made = [store(anna, title=str(n), visibility=each) for n, each in enumerate(visibilities)]
    found = re.findall(r"/collections/([^<]+)</loc><lastmod>(.+)</lastmod>", body_of(client.get("/sitemap-1.xml")))
    assert found == [(str(each.pk), f"{each.updated_at:%Y-%m-%dT%H:%M:%SZ}") for each in (made[3], made[0])]


def test_page_file_and_feed_have_its_boards_in_order(anna: Account, boards: list[Board], client: Client) -> None:
    path = path_of(store(anna, *boards, language="fr", description="Un\n\ndeux <b>trois</b>"))
    page = open_page(client, path)
    assert [text.split(" of")[0] for text in page.texts("h2")] == ["Title 3", "Title 1", "Title 2"]
    assert ({"lang": "fr"}, "Leçon") in page.all("h1")
    assert "&lt;b&gt;trois&lt;/b&gt;" in page.html and "Anna de Vries" in page.html and page.is_indexed()
    file = client.get(f"{path}.pbn")
    assert file["Content-Type"] == "application/x-pbn; charset=utf-8"
    feed = client.get(f"{path}.atom").content.decode()
    for text, pattern in (
        *((body_of(file), r'\[Description "Title (\d)"'), (feed, r"Title (\d)</title>")),
        *((text, r"Note on Title (\d)") for text in (page.html, feed)),
    ):
        assert re.findall(pattern, text) == ["3", "1", "2"], pattern


def test_drafts_are_shown_to_their_owner_alone_and_voted_on_by_nobody(anna: Account, boards: list[Board]) -> None:
    draft, owner = factories.board(owner=anna, published=False, title="Secret board"), signed_in(anna)
    anonymous, path = Client(), path_of(store(anna, boards[0], draft))
    for client, number in ((owner, 2), (anonymous, 1), (signed_in(factories.account()), 1)):
        pages = {ending: body_of(client.get(path + ending)) for ending in PAGES if ending != "/practice"}
        seen = [ending for ending, page in pages.items() if "Secret board" in page]
        assert seen == (["", ".pbn"] if client is owner else [])
        assert pages["/print"].count("<article") == number
        assert ("only its owner and staff can see it" in pages[""]) is (client is owner)
        assert pages[""].count('class="ballot"') == (0 if client is anonymous else 1)


def test_a_note_is_text_in_a_feed_of_html(anna: Account, boards: list[Board], client: Client) -> None:
    path = path_of(store(anna, boards[0], note="a < b <script>x</script>"))
    summary = ElementTree.fromstring(client.get(f"{path}.atom").content).find("{*}entry/{*}summary")
    assert summary is not None and summary.get("type") == "html"
    assert summary.text == "a &lt; b &lt;script&gt;x&lt;/script&gt;"


def test_the_file_has_the_limits_of_exports(anna: Account, boards: list[Board], client: Client, settings: Any) -> None:
    settings.EXPORT_RATE = "1/m"
    path = path_of(store(anna, *boards))
    assert client.get(f"{path}.pbn").getvalue()
    assert client.get(f"{path}.pbn").status_code == 429
    assert not exports.permits.running


def test_practice_leads_through_the_boards_in_order(anna: Account, boards: list[Board], client: Client) -> None:
    draft = factories.board(owner=anna, published=False, calls="1NT Pass Pass Pass")
    ids = [str(board.pk) for board in (*boards, draft)]
    readers = {"public": (client, ids[:3]), "link": (client, ids[:3]), "private": (signed_in(anna), ids)}
    for visibility, (reader, found) in readers.items():
        collection = store(anna, *boards, draft, visibility=visibility)
        assert walk(reader, f"{path_of(collection)}/practice") == found, visibility
    for other, after in product((client, signed_in(factories.account())), ("", f"&after={boards[0].pk}")):
        assert other.get(f"/practice?collection={collection.pk}{after}").status_code == 404
    assert client.get("/practice?collection=nothing").status_code == 400


def test_practice_shows_title_and_note_at_the_end(anna: Account, boards: list[Board], client: Client) -> None:
    collection = store(anna, *boards, language="fr")
    path = f"/practice/{boards[1].pk}?collection={collection.pk}"
    hidden, revealed = open_page(client, path), open_page(client, f"{path}&step=end")
    assert revealed.links()["this collection"] == path_of(collection)
    assert path_of(collection) not in hidden.html, "its page shows all hands"
    assert "Board 2 of 3 of" in hidden.html
    assert "Leçon" not in hidden.html and "Note on" not in hidden.html, "they may tell what the lesson is"
    assert "Leçon: board 2 of 3 of" in revealed.html and "<p>Note on Title 1</p>" in revealed.html
    last = open_page(client, f"/practice?collection={collection.pk}&after={boards[2].pk}")
    assert last.links()["Back to the collection"] == path_of(collection)


def test_practice_tells_of_a_collection_what_its_page_does(anna: Account, boards: list[Board], client: Client) -> None:
    path, owner = "/practice/{}?collection={}&step=end", signed_in(anna)
    for visibility in ("private", "link", "public"):
        collection = store(anna, boards[0], visibility=visibility)
        answer = client.get(path.format(boards[0].pk, collection.pk))
        assert ("Leçon" in body_of(answer)) is (visibility != "private")
        assert answer["Cache-Control"] == (PRIVATE if visibility == "link" else PUBLIC)
        if visibility == "private":
            unknown = client.get(path.format(boards[0].pk, factories.NOBODYS_ID))
            assert body_of(answer).replace(str(collection.pk), factories.NOBODYS_ID) == body_of(unknown)
        assert "Leçon" not in open_page(client, path.format(boards[1].pk, collection.pk)).html
        assert "Leçon" in open_page(owner, path.format(boards[0].pk, collection.pk)).html


def test_a_page_of_many_boards_is_paged(
    anna: Account, boards: list[Board], client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public, "BOARDS_OF_PAGE", 2)
    path = path_of(store(anna, *boards))
    first, last = open_page(client, path), open_page(client, f"{path}?page=2")
    assert (len(first.all("article")), len(last.all("article"))) == (2, 1)
    assert first.links()["Next page"] == f"{path}?page=2"
    for past in (f"{path}?page=3", f"{path}/print?page=2"):
        assert client.get(past).status_code == 404


def test_more_boards_take_no_more_queries(anna: Account, client: Client) -> None:
    def queries(*stored: Board) -> list[int]:
        path = path_of(store(anna, *stored))
        return [*queries_of(client, *(path + ending for ending in ("", ".atom", "/embed", "/print"))).values()]

    boards = [factories.board(themes=(factories.theme(),)) for _ in range(4)]
    assert queries(*boards) == queries(boards[0])


def test_the_page_says_how_to_share_it_unless_it_is_private(anna: Account, boards: list[Board]) -> None:
    owner = signed_in(anna)
    for visibility in ("private", "link", "public"):
        path = path_of(store(anna, boards[0], visibility=visibility, title="A <b> lesson"))
        frame = f"{path}/embed&quot; title=&quot;A &amp;lt;b&amp;gt; lesson"
        assert (frame in open_page(owner, path).html) is (visibility != "private")
