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
from boards.pages.collections.editing import BOARDS_OF_PAGE
from tests import factories
from tests.boards.pages.collections.forms import MINE, fields_of, press, send, texts_of, titles
from tests.config.site.documents import Document
from tests.undone import undone

pytestmark = pytest.mark.django_db


# The board, the button, what is typed, and the order afterwards.
MOVES: list[tuple[str, str, dict[str, Any], str]] = [
    ("Three", "up", {}, "One Three Two"),
    ("One", "up", {}, "One Two Three"),
    ("One", "down", {}, "Two One Three"),
    ("Three", "down", {}, "One Two Three"),
    ("Three", "top", {}, "Three One Two"),
    ("One", "save", {"position": 3}, "Two Three One"),
    ("One", "save", {"position": 300}, "Two Three One"),
    ("One", "save", {"position": ""}, "One Two Three"),
    ("Two", "save", {}, "One Two Three"),
    ("Two", "save", {"position": 1, "shown": 1}, "One Two Three"),  # moved in another window
    ("Two", "save", {"position": 1, "shown": 2}, "Two One Three"),
    ("Two", "remove", {}, "One Three"),
]


def test_the_buttons_of_a_board_move_it_and_lead_back_to_themselves(
    phone: Client, collection: Collection, boards: list[Board], subtests: pytest.Subtests
) -> None:
    url = f"{MINE}/{collection.pk}"
    opened, ids = fields_of(phone, url), {board.title: board.pk for board in boards}
    for title, button, typed, expected in MOVES:
        with subtests.test(f"{button} {title} {typed}"), undone():
            pk = ids[title]
            fields = {f"{name}-{pk}": value for name, value in typed.items()}
            fields[f"note-{pk}"] = "A note\r\nof two lines"
            answer = send(phone, url, **opened | fields, **{button: pk})
            anchor = "boards" if button == "remove" else f"{button}-{pk}"
            assert (answer.status_code, answer["Location"]) == (303, f"{url}#{anchor}")
            assert titles(collection) == expected.split()
            assert f'id="{anchor}"' in phone.get(url).content.decode()
            if button != "remove":
                assert collection.entries.get(board=pk).note == "A note\nof two lines"


def test_a_moved_board_is_found_on_its_page(
    phone: Client, collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(editing, "BOARDS_OF_PAGE", 2)
    moved, url = Board.objects.get(title="One"), f"{MINE}/{collection.pk}"
    answer = press(phone, url, "save", moved, position=3)
    assert answer["Location"] == f"{url}?page=2#save-{moved.pk}"
    assert f"save-{moved.pk}" in phone.get(f"{url}?page=2").content.decode()
    assert press(phone, f"{url}?page=2", "up", moved)["Location"] == f"{url}#up-{moved.pk}"


def test_each_button_stores_all_notes_that_were_typed(
    phone: Client, collection: Collection, boards: list[Board], subtests: pytest.Subtests
) -> None:
    url = f"{MINE}/{collection.pk}"
    typed = fields_of(phone, url) | {f"note-{board.pk}": f"On {board.title}" for board in boards}
    for button in ("save", "up", "top", "remove"):
        with subtests.test(button), undone():
            assert send(phone, url, **typed, **{button: boards[1].pk}).status_code == 303
            notes = dict(collection.entries.values_list("board__title", "note"))
            expected = {title: f"On {title}" for title in ("One", "Two", "Three")}
            if button == "remove":
                del expected["Two"]
            assert notes == expected


def test_one_button_saves_notes_and_any_number_of_positions_with_as_many_statements(
    phone: Client, collection: Collection, boards: list[Board]
) -> None:
    url, (one, two, three) = f"{MINE}/{collection.pk}", boards
    counts = []
    typed = {f"note-{two.pk}": "Look"}
    for positions in ({three: 1, one: 3}, {three: 3, two: 1, one: 2}, {one: 3}):
        fields = fields_of(phone, url) | typed | {f"position-{b.pk}": str(at) for b, at in positions.items()}
        with CaptureQueriesContext(connection) as captured:
            answer = send(phone, url, **fields, save="")
        counts.append(len(captured))
        assert (answer.status_code, answer["Location"]) == (303, f"{url}#boards")
        if not counts[1:]:
            assert titles(collection) == ["Three", "Two", "One"]
    assert titles(collection) == ["Two", "Three", "One"]
    assert collection.entries.get(board=two).note == "Look"
    assert counts[1] == counts[2]


def test_fields_of_more_boards_than_a_page_has_are_refused_and_store_nothing(
    phone: Client, collection: Collection, boards: list[Board]
) -> None:
    for kind in ("note", "position"):
        fields = {f"{kind}-{boards[0].pk}": "3"} | {f"{kind}-{uuid4()}": "1" for _ in range(BOARDS_OF_PAGE)}
        answer = send(phone, f"{MINE}/{collection.pk}", **fields, save="")
        assert answer.status_code == 400 and "A page has 20 boards." in answer.content.decode(), kind
    assert titles(collection) == ["One", "Two", "Three"]
    assert not collection.entries.exclude(note="").exists()


def test_what_was_typed_of_a_board_that_is_there_no_longer_is_said_and_stores_nothing(
    phone: Client, collection: Collection, boards: list[Board]
) -> None:
    url = f"{MINE}/{collection.pk}"
    opened = fields_of(phone, url)
    press(phone, url, "remove", boards[0])
    typed: dict[str, Any]
    for typed, said in (
        ({f"note-{boards[0].pk}": "A thought", f"note-{boards[1].pk}": "Another"}, "note on it: “A thought”"),
        ({f"position-{boards[0].pk}": 3, f"position-{boards[1].pk}": 2}, "is no longer among these"),
    ):
        answer = send(phone, url, **opened | typed, save="")
        assert answer.status_code == 409 and said in answer.content.decode()
    assert titles(collection) == ["Two", "Three"]
    assert not collection.entries.exclude(note="").exists()
    assert send(phone, url, **opened | {f"position-{boards[1].pk}": 3}, save="").status_code == 303
    assert titles(collection) == ["Three", "Two"]


def test_a_window_that_was_opened_before_changes_nothing_that_it_did_not_touch(
    phone: Client, collection: Collection, boards: list[Board]
) -> None:
    """The other window writes a note, makes the collection private, and describes it."""
    url = f"{MINE}/{collection.pk}"
    Collection.objects.update(visibility="public", published_at=timezone.now())
    boards_before, texts_before = fields_of(phone, url), texts_of(phone, url)
    press(phone, url, "save", boards[0], note="The newer note")
    send(phone, url, **texts_of(phone, url) | {"visibility": "private", "description": "The newer one"})
    assert send(phone, url, **boards_before, up=boards[0].pk).status_code == 303
    assert send(phone, url, **texts_before | {"title": "Another title"}).status_code == 303
    collection.refresh_from_db()
    assert (collection.title, collection.description) == ("Another title", "The newer one")
    assert collection.visibility == "private"
    assert collection.entries.get(board=boards[0]).note == "The newer note"


def test_what_two_windows_have_changed_is_shown_and_then_replaced(
    phone: Client, collection: Collection, boards: list[Board]
) -> None:
    url = f"{MINE}/{collection.pk}"
    old_boards, old_texts = fields_of(phone, url), texts_of(phone, url)
    press(phone, url, "save", boards[0], note="Theirs")
    send(phone, url, **texts_of(phone, url) | {"title": "Theirs"})
    for old, typed, button in (
        (old_boards, {f"note-{boards[0].pk}": "Mine"}, {"down": boards[0].pk}),
        (old_texts, {"title": "Mine"}, {}),
    ):
        answer = send(phone, url, **old | typed, **button)
        assert answer.status_code == 409
        label = "Note on board 1" if button else "Title"
        assert f"{label}: changed elsewhere meanwhile, to “Theirs”" in answer.content.decode()
    collection.refresh_from_db()
    assert (collection.title, titles(collection)) == ("Theirs", ["One", "Two", "Three"])
    page = Document(send(phone, url, **old_texts | {"title": "Mine"}))
    again = {found["name"]: found["value"] for found, _ in page.all("input") if found.get("name") in old_texts}
    assert again["title"] == "Mine" and send(phone, url, **old_texts | again).status_code == 303
    collection.refresh_from_db()
    assert collection.title == "Mine"


def test_a_form_of_boards_with_a_mistake_keeps_all_that_was_typed(
    phone: Client, collection: Collection, boards: list[Board]
) -> None:
    url = f"{MINE}/{collection.pk}"
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
    phone: Client, collection: Collection, settings: Any
) -> None:
    settings.MEMBER_PUBLISHING = "off"
    url = f"{MINE}/{collection.pk}"
    for path in (url, f"{MINE}/new"):
        assert 'value="link"' in (page := phone.get(path).content.decode()) and 'value="public"' not in page
        answer = send(phone, path, title="Typed", visibility="public")
        assert answer.status_code == 403 and "Members do not publish here" in answer.content.decode()
        assert 'value="Typed"' in answer.content.decode()
    services.change_collection(collection=collection, owner=collection.owner, visibility="link")
    services.take_back(collection.pk)
    page = phone.get(url).content.decode()
    assert 'value="link"' not in page and "Staff have made it private" in page


def test_a_public_one_says_nothing_new_where_members_do_not_publish(
    phone: Client, collection: Collection, boards: list[Board], settings: Any
) -> None:
    services.change_collection(collection=collection, owner=collection.owner, visibility="public")
    settings.MEMBER_PUBLISHING = "off"
    url = f"{MINE}/{collection.pk}"
    assert "members do not publish here" in phone.get(url).content.decode()
    assert collection.title not in phone.get(f"{MINE}/add?board={boards[0].pk}").content.decode()
    added = factories.board()
    for answer in (
        send(phone, url, **texts_of(phone, url) | {"title": "Typed"}),
        press(phone, url, "save", boards[0], note="Typed"),
        press(phone, url, "top", boards[2]),
        press(phone, url, "remove", boards[2], note="Typed"),
        send(phone, f"{MINE}/add", board=added.pk, collection=collection.pk),
    ):
        assert answer.status_code == 403 and "members do not publish here" in answer.content.decode()
    collection.refresh_from_db()
    assert (collection.title, titles(collection)) == ("Lesson", ["One", "Two", "Three"])
    assert not collection.entries.exclude(note="").exists()
    assert press(phone, url, "remove", boards[2]).status_code == 303
    texts = texts_of(phone, url) | {"title": "Typed", "visibility": "link"}
    assert send(phone, url, **texts).status_code == 303
    assert press(phone, url, "top", boards[1]).status_code == 303
    assert titles(collection) == ["Two", "One"]


def test_boards_that_others_have_unpublished_are_named_by_their_notes_and_taken_out(
    phone: Client, collection: Collection, boards: list[Board]
) -> None:
    url = f"{MINE}/{collection.pk}"
    press(phone, url, "save", boards[0], note="A <b>note</b>")
    assert "Not published now" not in phone.get(url).content.decode()
    boards[0].unpublish()
    page = Document(phone.get(url))
    assert "Your note: A &lt;b&gt;note&lt;/b&gt;" in page.html and "One" not in page.html
    assert "2 boards of 300 at most, and 1 that is not published now" in " ".join(page.texts("p"))
    assert page.all("button", name="remove", value=str(boards[0].pk))
    assert send(phone, url, up=boards[0].pk).status_code == 404
    assert send(phone, url, remove=boards[0].pk).status_code == 303
    assert titles(collection) == ["Two", "Three"]
    assert "Not published now" not in phone.get(url).content.decode()


def test_texts_and_visibility_are_saved_and_the_address_is_there_to_share(
    phone: Client, collection: Collection
) -> None:
    url = f"{MINE}/{collection.pk}"
    assert not Document(phone.get(url)).all("input", id="address")
    answer = send(phone, url, title="Fits", description="", language="nl", visibility="link")
    assert (answer.status_code, answer["Location"]) == (303, url)
    page = Document(phone.get(url))
    ((address, _),) = page.all("input", id="address")
    assert address["value"] == f"{settings.PUBLIC_BASE_URL}/collections/{collection.pk}"
    assert "readonly" in address and "Saved." in page.html
    assert Client().get(f"/collections/{collection.pk}").status_code == 200
    send(phone, url, title="Fits", visibility="private")
    assert Client().get(f"/collections/{collection.pk}").status_code == 404


def test_a_form_that_no_page_has_is_refused(phone: Client, collection: Collection, boards: list[Board]) -> None:
    somebody, position, note = factories.NOBODYS_ID, f"position-{boards[0].pk}", f"note-{boards[0].pk}"
    presses: list[dict[str, str]] = [
        *({"up": value} for value in ("nothing", "\x00", "")),
        {"destroy": somebody},
        {"up": somebody, "down": somebody},
    ]
    saved = {position: ("0", "-1", "9" * 40), "position-x": "1", "note-x": "1", note: ("x" * 1001, "a\x00b")}
    saves = [{"save": "", name: value} for name, values in saved.items() for value in values]
    for fields in [*presses, *saves]:
        assert phone.post(f"{MINE}/{collection.pk}", fields).status_code == 400, fields
    assert titles(collection) == ["One", "Two", "Three"]
