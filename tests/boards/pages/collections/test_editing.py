"""The page on which a member changes a collection."""

from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from boards.collections import services
from boards.models import Board, Collection
from boards.pages.collections import editing
from tests import factories
from tests.boards.pages.collections.forms import MINE, fields_of, press, send, texts_of, titles
from tests.boards.pages.opening import open_page
from tests.config.site.documents import Document
from tests.undone import undone

pytestmark = pytest.mark.django_db


@pytest.fixture
def url(collection: Collection) -> str:
    return f"{MINE}/{collection.pk}"


# The board, the button, what is typed, and the order afterwards.
MOVES: list[tuple[str, str, dict[str, Any], str]] = [
    ("Three", "up", {}, "One Three Two"),
    ("One", "up", {}, "One Two Three"),
    ("One", "down", {}, "Two One Three"),
    ("Three", "top", {}, "Three One Two"),
    ("One", "save", {"position": 3}, "Two Three One"),
    ("One", "save", {"position": ""}, "One Two Three"),
    ("Two", "save", {"position": 1, "shown": 1}, "One Two Three"),  # moved in another window
    ("Two", "save", {"position": 1, "shown": 2}, "Two One Three"),
    ("Two", "remove", {}, "One Three"),
]


def test_each_button_of_a_board_moves_it_stores_all_notes_and_leads_back_to_itself(
    phone: Client, collection: Collection, boards: list[Board], url: str
) -> None:
    notes = {f"note-{board.pk}": f"On {board.title}\r\nof two lines" for board in boards}
    opened, ids = fields_of(phone, url) | notes, {board.title: board.pk for board in boards}
    for title, button, typed, expected in MOVES:
        case, pk = f"{button} {title} {typed}", ids[title]
        with undone():
            answer = send(phone, url, **opened | {f"{name}-{pk}": each for name, each in typed.items()}, **{button: pk})
            anchor = "boards" if button == "remove" else f"{button}-{pk}"
            assert (answer.status_code, answer["Location"]) == (303, f"{url}#{anchor}"), case
            stored = list(collection.entries.values_list("board__title", "note"))
            assert stored == [(each, f"On {each}\nof two lines") for each in expected.split()], case
            assert f'id="{anchor}"' in phone.get(url).content.decode(), case


def test_a_moved_board_is_found_on_its_page(
    phone: Client, boards: list[Board], url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(editing, "BOARDS_OF_PAGE", 2)
    answer = press(phone, url, "save", boards[0], position=3)
    assert answer["Location"] == f"{url}?page=2#save-{boards[0].pk}"
    assert f"save-{boards[0].pk}" in open_page(phone, f"{url}?page=2").html
    assert press(phone, f"{url}?page=2", "up", boards[0])["Location"] == f"{url}#up-{boards[0].pk}"


def test_one_button_saves_notes_and_any_number_of_positions_with_as_many_statements(
    phone: Client, collection: Collection, boards: list[Board], url: str
) -> None:
    (one, two, three), counts = boards, []
    for positions, order in (
        ({three: 1, one: 3}, "Three Two One"),
        ({three: 3, two: 1, one: 2}, "Two One Three"),
        ({one: 3}, "Two Three One"),
    ):
        typed = {f"note-{two.pk}": "Look"} | {f"position-{board.pk}": str(at) for board, at in positions.items()}
        fields = fields_of(phone, url) | typed
        with CaptureQueriesContext(connection) as captured:
            answer = send(phone, url, **fields, save="")
        counts.append(len(captured))
        assert (answer.status_code, answer["Location"]) == (303, f"{url}#boards")
        assert titles(collection) == order.split()
    assert collection.entries.get(board=two).note == "Look"
    assert counts[1] == counts[2]


def test_what_was_typed_of_a_board_that_is_there_no_longer_is_said_and_stores_nothing(
    phone: Client, collection: Collection, boards: list[Board], url: str
) -> None:
    opened, (one, two, _) = fields_of(phone, url), boards
    press(phone, url, "remove", one)
    cases: list[tuple[dict[str, Any], str]] = [
        ({f"note-{one.pk}": "A thought", f"note-{two.pk}": "Another"}, "note on it: “A thought”"),
        ({f"position-{one.pk}": 3, f"position-{two.pk}": 2}, "is no longer among these"),
    ]
    for typed, said in cases:
        answer = send(phone, url, **opened | typed, save="")
        assert answer.status_code == 409 and said in answer.content.decode()
    assert titles(collection) == ["Two", "Three"]
    assert not collection.entries.exclude(note="").exists()
    assert send(phone, url, **opened | {f"position-{two.pk}": 3}, save="").status_code == 303
    assert titles(collection) == ["Three", "Two"]


def test_a_window_that_was_opened_before_changes_nothing_that_it_did_not_touch(
    phone: Client, collection: Collection, boards: list[Board], url: str
) -> None:
    """The other window writes a note, makes the collection private, and describes it."""
    Collection.objects.update(visibility="public", published_at=timezone.now())
    boards_before, texts_before = fields_of(phone, url), texts_of(phone, url)
    press(phone, url, "save", boards[0], note="The newer note")
    send(phone, url, **texts_before | {"visibility": "private", "description": "The newer one"})
    assert send(phone, url, **boards_before, up=boards[0].pk).status_code == 303
    assert send(phone, url, **texts_before | {"title": "Another title"}).status_code == 303
    collection.refresh_from_db()
    texts = (collection.title, collection.description, collection.visibility)
    assert texts == ("Another title", "The newer one", "private")
    assert collection.entries.get(board=boards[0]).note == "The newer note"


def test_what_two_windows_have_changed_is_shown_and_then_replaced(
    phone: Client, collection: Collection, boards: list[Board], url: str
) -> None:
    old_boards, old_texts = fields_of(phone, url), texts_of(phone, url)
    press(phone, url, "save", boards[0], note="Theirs")
    send(phone, url, **old_texts | {"title": "Theirs"})
    mine: dict[str, Any] = old_boards | {f"note-{boards[0].pk}": "Mine", "down": boards[0].pk}
    for sent, label in ((mine, "Note on board 1"), (old_texts | {"title": "Mine"}, "Title")):
        answer = send(phone, url, **sent)
        assert answer.status_code == 409
        assert f"{label}: changed elsewhere meanwhile, to “Theirs”" in answer.content.decode()
    collection.refresh_from_db()
    assert (collection.title, titles(collection)) == ("Theirs", ["One", "Two", "Three"])
    again = Document(answer).form_values()
    assert again["title"] == "Mine"
    assert send(phone, url, **{name: again.get(name, "") for name in old_texts}).status_code == 303
    collection.refresh_from_db()
    assert collection.title == "Mine"


def test_a_form_of_boards_with_a_mistake_keeps_all_that_was_typed(
    phone: Client, collection: Collection, boards: list[Board], url: str
) -> None:
    opened = fields_of(phone, url)
    for name, value in (("position", "0"), ("position", "two"), ("note", "x" * 1001)):
        sent = opened | {f"{name}-{boards[0].pk}": value, f"note-{boards[2].pk}": "A long note"}
        answer = send(phone, url, **sent, save="")
        page = Document(answer)
        assert answer.status_code == 400 and f"{name}:" in page.html, value
        assert [text for text in page.texts("textarea") if "A long note" in text], value
    assert not collection.entries.exclude(note="").exists()
    assert send(phone, url, **sent | opened, save="").status_code == 303


def test_what_would_be_refused_is_no_choice_and_a_refusal_keeps_what_was_typed(
    phone: Client, collection: Collection, url: str, settings: Any
) -> None:
    settings.MEMBER_PUBLISHING = "off"
    for path in (url, f"{MINE}/new"):
        assert 'value="link"' in (page := open_page(phone, path).html) and 'value="public"' not in page
        answer = send(phone, path, title="Typed", visibility="public")
        assert answer.status_code == 403 and "Members do not publish here" in answer.content.decode()
        assert 'value="Typed"' in answer.content.decode()
    services.change_collection(collection=collection, owner=collection.owner, visibility="link")
    services.take_back(collection.pk)
    page = open_page(phone, url).html
    assert 'value="link"' not in page and "Staff have made it private" in page


def test_a_public_one_says_nothing_new_where_members_do_not_publish(
    phone: Client, collection: Collection, boards: list[Board], url: str, settings: Any
) -> None:
    """tests/boards/collections/test_where_members_do_not_publish.py has what counts as new."""
    services.change_collection(collection=collection, owner=collection.owner, visibility="public")
    settings.MEMBER_PUBLISHING = "off"
    assert "members do not publish here" in open_page(phone, url).html
    assert collection.title not in open_page(phone, f"{MINE}/add?board={boards[0].pk}").html
    for answer in (
        send(phone, url, **texts_of(phone, url) | {"title": "Typed"}),
        press(phone, url, "remove", boards[2], note="Typed"),
        send(phone, f"{MINE}/add", board=factories.board().pk, collection=collection.pk),
    ):
        assert answer.status_code == 403 and "members do not publish here" in answer.content.decode()
    collection.refresh_from_db()
    assert (collection.title, titles(collection)) == ("Lesson", ["One", "Two", "Three"])
    assert press(phone, url, "remove", boards[2]).status_code == 303
    assert send(phone, url, **texts_of(phone, url) | {"title": "Typed", "visibility": "link"}).status_code == 303


def test_boards_that_others_have_unpublished_are_named_by_their_notes_and_taken_out(
    phone: Client, collection: Collection, boards: list[Board], url: str
) -> None:
    press(phone, url, "save", boards[0], note="A <b>note</b>")
    assert "Not published now" not in open_page(phone, url).html
    boards[0].unpublish()
    page = open_page(phone, url)
    assert "Your note: A &lt;b&gt;note&lt;/b&gt;" in page.html and "One" not in page.html
    assert "2 boards of 300 at most, and 1 that is not published now" in " ".join(page.texts("p"))
    assert page.all("button", name="remove", value=str(boards[0].pk))
    assert [send(phone, url, **{button: boards[0].pk}).status_code for button in ("up", "remove")] == [404, 303]
    assert titles(collection) == ["Two", "Three"]
    assert "Not published now" not in open_page(phone, url).html


def test_texts_and_visibility_are_saved_and_the_address_is_there_to_share(phone: Client, url: str) -> None:
    assert not open_page(phone, url).all("input", id="address")
    answer = send(phone, url, title="Fits", description="", language="nl", visibility="link")
    assert (answer.status_code, answer["Location"]) == (303, url)
    page, path = open_page(phone, url), f"/collections/{url.rpartition('/')[2]}"
    ((address, _),) = page.all("input", id="address")
    assert address["value"] == f"{settings.PUBLIC_BASE_URL}{path}"
    assert "readonly" in address and "Saved." in page.html
    assert Client().get(path).status_code == 200
    send(phone, url, title="Fits", visibility="private")
    assert Client().get(path).status_code == 404


def test_a_form_that_no_page_has_is_refused_and_stores_nothing(
    phone: Client, collection: Collection, boards: list[Board], url: str
) -> None:
    somebody, position, note = factories.NOBODYS_ID, f"position-{boards[0].pk}", f"note-{boards[0].pk}"
    presses: list[dict[str, str]] = [
        *({"up": value} for value in ("nothing", "\x00", "")),
        {"destroy": somebody},
        {"up": somebody, "down": somebody},
    ]
    saved = {position: ("0", "-1", "9" * 40), "position-x": "1", "note-x": "1", note: ("x" * 1001, "a\x00b")}
    saves = [{"save": "", name: value} for name, values in saved.items() for value in values]
    for fields in [*presses, *saves]:
        assert phone.post(url, fields).status_code == 400, fields
    for kind in ("note", "position"):
        fields = {f"{kind}-{boards[0].pk}": "3"} | {f"{kind}-{uuid4()}": "1" for _ in range(editing.BOARDS_OF_PAGE)}
        answer = send(phone, url, **fields, save="")
        assert answer.status_code == 400 and "A page has 20 boards." in answer.content.decode(), kind
    assert titles(collection) == ["One", "Two", "Three"]
    assert not collection.entries.exclude(note="").exists()
