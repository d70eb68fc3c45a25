"""Collections are made, filled and deleted on members' pages."""

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.utils import timezone

from boards.collections import reading, services
from boards.models import Board, Collection
from tests import factories
from tests.members import signed_in
from tests.pages.collections.forms import MINE, UNTOUCHED, Desk, send, titles
from tests.pages.documents import Document
from tests.pages.opening import open_page

pytestmark = pytest.mark.django_db


def make(desk: Desk, page: Document, title: str) -> None:
    """Send the form of a new collection with the boards that are ticked."""
    boards = [box["value"] for box, _ in page.all("input", name="board") if "checked" in box]
    desk.phone.post(f"{MINE}/new", {"title": title, "search": page.form_values()["search"], "board": boards})


def test_a_member_makes_a_collection_and_finds_it_in_the_list(desk: Desk) -> None:
    answer = send(desk.phone, f"{MINE}/new", title="Tuesday", language="en", visibility="link")
    made = Collection.objects.get(title="Tuesday")
    assert (answer.status_code, answer["Location"]) == (303, f"{MINE}/{made.pk}")
    assert (made.title, made.language, made.visibility, made.owner_id) == ("Tuesday", "en", "link", "anna")
    assert open_page(desk.phone, MINE).links()["Tuesday"] == f"{MINE}/{made.pk}"
    assert "Tuesday" not in open_page(signed_in(factories.account()), MINE).links()


def test_a_refusal_keeps_what_was_typed(desk: Desk, monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    def refuse(path: str, status: int, said: str, **fields: str) -> None:
        answer = send(desk.phone, path, title="Typed", description="<b>Long</b>", **fields)
        page = Document(answer)
        assert answer.status_code == status and said in page.html and "&lt;b&gt;Long&lt;/b&gt;" in page.html
        assert page.form_values()["title"] == "Typed"

    settings.MEMBER_PUBLISHING = "off"
    for path in (f"{MINE}/new", desk.url):
        refuse(path, 400, "Language of these texts:", language="not a language")
        refuse(path, 403, "Members do not publish here", visibility="public")
    monkeypatch.setattr(services, "MAX_COLLECTIONS", 1)
    refuse(f"{MINE}/new", 409, "You have 1 collections")
    monkeypatch.setattr(services, "MAX_BOARDS", 3)
    answer = send(desk.phone, f"{MINE}/add", board=factories.board().pk, collection=desk.collection.pk)
    assert answer.status_code == 409 and "can have 3 boards" in answer.content.decode()
    assert desk.stored == UNTOUCHED and Collection.objects.count() == 1


def test_a_collection_is_made_of_a_search_an_event_and_a_board(desk: Desk, client: Client) -> None:
    board, *_ = (factories.board(number=number, event="Friday pairs") for number in (3, 1, 2))
    factories.board(number=4)
    for title, path in (("search", f"/boards?event={board.event_slug}"), ("event", f"/events/{board.event_slug}")):
        page = open_page(desk.phone, open_page(desk.phone, path).links()["Make a collection of these boards"])
        assert "It starts with 3 boards" in page.html and "can have 300" in page.html
        make(desk, page, title)
        made = Collection.objects.get(title=title)
        assert list(made.entries.values_list("board__board_number", flat=True)) == [1, 2, 3]
    path = f"/boards/{board.pk}"
    link = open_page(desk.phone, path).links()["Add to a collection"]
    assert link == f"{MINE}/add?board={board.pk}"
    assert f"{MINE}/new?board={board.pk}" in open_page(desk.phone, link).links().values()
    send(desk.phone, f"{MINE}/new", title="One board", board=board.pk)
    assert Collection.objects.get(title="One board").entries.get().board == board
    assert not [each for each in ("/boards", path) if MINE in open_page(client, each).html], "for members alone"


def test_a_list_gives_one_board_of_each_deal_of_which_the_ticked_ones_are_taken(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An evening of three deals at four tables: each deal once, as its page shows it, in the order of the numbers."""
    monkeypatch.setattr("boards.catalogue.deals.BATCHES", (2,))  # so that the list is walked in six parts
    monkeypatch.setattr("pages.collections.choosing.MAX_DRAWN", 2)
    tables = [
        factories.board(seed=seed, number=number, event="Friday pairs", table=str(table), title=f"Deal {number}")
        for table in range(1, 5)
        for seed, number in ((1, 2), (2, 3), (3, 1))
    ]
    for search in (f"event={tables[0].event_slug}", "q=friday"):
        page = open_page(desk.phone, f"{MINE}/new?{urlencode({'search': search})}")
        assert "3 boards, one for each deal: the list has 12" in page.html
        assert page.html.count('<div class="mini-hands"') == 2 < len(page.all("input", name="board"))
    boxes = [box["value"] for box, _ in page.all("input", name="board") if "checked" in box]
    (in_order, kept) = sorted(boxes, key=lambda pk: Board.objects.get(pk=pk).board_number or 0), boxes[1]
    page = open_page(desk.phone, f"{MINE}/new?search=event%3D{tables[0].event_slug}")
    assert [box["value"] for box, _ in page.all("input", name="board")] == in_order
    fields = {"search": "q=friday", "board": [kept], "title": "Two", "visibility": "private"}
    refused = Document(desk.phone.post(f"{MINE}/new", fields | {"language": "not a language"}))
    assert [box["value"] for box, _ in refused.all("input", name="board") if "checked" in box] == [kept]
    desk.phone.post(f"{MINE}/new", fields)
    assert [str(pk) for pk in Collection.objects.get(title="Two").entries.values_list("board", flat=True)] == [kept]


def test_a_list_of_too_many_deals_says_how_many_are_taken(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading.find_deals_of, "__defaults__", (2,))
    page = open_page(desk.phone, f"{MINE}/new?search=")
    assert "the first 2 deals" in page.html and len(page.all("input", name="board")) == 2
    assert desk.phone.get(f"{MINE}/new?search=dealer%3Dnorth").status_code == 400


def test_a_board_is_added_with_a_note_and_the_reader_is_told(desk: Desk) -> None:
    board = factories.board(title="Four")
    answer = send(desk.phone, f"{MINE}/add", board=board.pk, collection=desk.collection.pk, note="Look here")
    assert (answer.status_code, answer["Location"]) == (303, f"/boards/{board.pk}")
    assert titles(desk.collection) == ["One", "Two", "Three", "Four"]
    assert "The board is in your collection “Lesson”." in open_page(desk.phone, answer["Location"]).html
    again = send(desk.phone, f"{MINE}/add", board=board.pk, collection=desk.collection.pk)
    assert again.status_code == 303 and desk.collection.entries.last().note == "Look here"


def test_a_collection_is_deleted_after_a_question(desk: Desk) -> None:
    url = f"{MINE}/{desk.collection.pk}/delete"
    assert "3 boards" in open_page(desk.phone, url).html and Collection.objects.exists()
    answer = desk.phone.post(url)
    assert (answer.status_code, answer["Location"]) == (303, MINE)
    assert not Collection.objects.exists() and Board.objects.count() == 3
    assert desk.phone.post(url).status_code == 404


def test_nobody_sees_or_changes_the_collection_of_another_member(desk: Desk) -> None:
    other, url = signed_in(factories.account("other", role="admin")), desk.url
    for visibility in Collection.Visibility.values:
        Collection.objects.update(visibility=visibility, published_at=timezone.now())
        answers = [
            *(other.get(path) for path in (url, f"{url}/delete")),
            *(other.post(f"{url}/delete"), send(other, url, title="Mine now")),
            send(other, f"{MINE}/add", board=factories.board().pk, collection=desk.collection.pk),
            *(send(other, url, **{button: desk.boards[2].pk}) for button in ("up", "top", "remove", "save")),
        ]
        assert [answer.status_code for answer in answers] == [404] * len(answers), visibility
        assert all("Lesson" not in answer.content.decode() for answer in answers), visibility
    assert desk.stored == UNTOUCHED


def test_another_members_draft_cannot_be_added(desk: Desk) -> None:
    draft = factories.board(owner=factories.account(), published=False, title="Secret")
    forms: dict[str, dict[str, Any]] = {"add": {"collection": desk.collection.pk}, "new": {"title": "Mine"}}
    answers = [
        *(desk.phone.get(f"{MINE}/{page}?board={draft.pk}") for page in ("add", "new")),
        *(send(desk.phone, f"{MINE}/{page}", board=draft.pk, **more) for page, more in forms.items()),
    ]
    assert [answer.status_code for answer in answers] == [404] * 4
    assert "Secret" not in "".join(answer.content.decode() for answer in answers)
    assert desk.stored == UNTOUCHED and Collection.objects.count() == 1


def test_a_form_needs_its_token(desk: Desk) -> None:
    """That it needs a sign-in is in tests/test_access.py."""
    careful, fields = signed_in(desk.collection.owner, enforce_csrf_checks=True), {"top": desk.boards[2].pk}
    assert careful.post(desk.url, fields).status_code == 403
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', careful.get(desk.url).content.decode())
    assert token and careful.post(desk.url, {**fields, "csrfmiddlewaretoken": token[1]}).status_code == 303
    assert titles(desk.collection) == ["Three", "One", "Two"]


def test_as_many_characters_as_the_form_takes_are_kept(desk: Desk) -> None:
    """A browser counts the end of a line once, and sends two characters."""
    board, text = factories.board(), "x\n" * 499 + "yz"
    sent = text.replace("\n", "\r\n")
    answer = send(desk.phone, f"{MINE}/add", board=board.pk, collection=desk.collection.pk, note=sent)
    assert (answer.status_code, desk.collection.entries.last().note) == (303, text)
    answer = send(desk.phone, f"{MINE}/new", title="Long", description=4 * sent)
    assert answer.status_code == 303 and Collection.objects.get(title="Long").description == 4 * text
