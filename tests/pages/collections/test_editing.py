"""The page on which members change a collection."""

from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from boards.collections import services
from boards.models import Collection
from pages.collections import editing
from tests import factories
from tests.boards.collections.stored import store
from tests.pages.collections.forms import MINE, UNTOUCHED, Desk, send, titles
from tests.pages.documents import Document
from tests.pages.opening import open_page
from tests.undone import undone

pytestmark = pytest.mark.django_db

# The board, the button, what is typed, and the order afterwards.
MOVES: list[tuple[str, str, dict[str, Any], str]] = [
    ("Three", "up", {}, "One Three Two"),
    ("One", "up", {}, "One Two Three"),
    ("One", "down", {}, "Two One Three"),
    ("Three", "top", {}, "Three One Two"),
    ("One", "save", {"position": 3}, "Two Three One"),
    ("One", "save", {"position": ""}, "One Two Three"),
    ("Two", "save", {"position": 1, "initial-position": 1}, "One Two Three"),  # moved in another window
    ("Two", "save", {"position": 1, "initial-position": 2}, "Two One Three"),
    ("Three", "up", {"position": 1}, "Three One Two"),  # after the positions that were typed or dragged
    ("Three", "down", {"position": 1}, "One Three Two"),
    ("Two", "remove", {}, "One Three"),
]


def test_each_button_of_a_board_moves_it_stores_all_notes_and_leads_back_to_itself(desk: Desk) -> None:
    notes = {f"note-{board.pk}": f"On {board.title}\r\nof two lines" for board in desk.boards}
    opened, ids = desk.form_of_boards() | notes, {board.title: board.pk for board in desk.boards}
    for title, button, typed, expected in MOVES:
        case, pk = f"{button} {title} {typed}", ids[title]
        with undone():
            answer = desk.send(**opened | {f"{name}-{pk}": each for name, each in typed.items()}, **{button: pk})
            anchor = {"up": f"up-{pk}", "down": f"down-{pk}", "remove": "boards"}.get(button, f"board-{pk}")
            assert (answer.status_code, answer["Location"]) == (303, f"{desk.url}#{anchor}"), case
            order = expected.split()
            assert desk.stored[1:] == (order, [f"On {each}\nof two lines" for each in order]), case
            assert f'id="{anchor}"' in desk.page.html, case


def test_a_moved_board_is_found_on_its_page(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(editing, "BOARDS_OF_PAGE", 2)
    one = desk.boards[0]
    assert desk.press("save", one, position=3)["Location"] == f"{desk.url}?page=2#board-{one.pk}"
    assert f"board-{one.pk}" in open_page(desk.phone, f"{desk.url}?page=2").html
    assert desk.send(up=one.pk)["Location"] == f"{desk.url}#up-{one.pk}"
    for button, expected in (({"save": ""}, "?page=2#boards"), ({"remove": desk.boards[2].pk}, "#boards")):
        assert send(desk.phone, f"{desk.url}?page=2", **button)["Location"] == f"{desk.url}{expected}"


def test_one_button_saves_notes_and_any_number_of_positions_with_as_many_statements(desk: Desk) -> None:
    (one, two, three), counts = desk.boards, []
    for positions, order in (
        ({three: 1, one: 3}, "Three Two One"),
        ({three: 3, two: 1, one: 2}, "Two One Three"),
        ({one: 3}, "Two Three One"),
    ):
        typed = {f"note-{two.pk}": "Look"} | {f"position-{board.pk}": str(at) for board, at in positions.items()}
        fields = desk.form_of_boards() | typed
        with CaptureQueriesContext(connection) as captured:
            answer = desk.send(**fields, save="")
        counts.append(len(captured))
        assert (answer.status_code, answer["Location"]) == (303, f"{desk.url}#boards")
        assert titles(desk.collection) == order.split()
    assert desk.collection.entries.get(board=two).note == "Look"
    assert counts[1] == counts[2]


def test_what_was_typed_of_a_board_that_is_there_no_longer_is_said_and_stores_nothing(desk: Desk) -> None:
    opened, (one, two, _) = desk.form_of_boards(), desk.boards
    desk.press("remove", one)
    cases: list[tuple[dict[str, Any], str]] = [
        ({f"note-{one.pk}": "A thought", f"note-{two.pk}": "Another"}, "note on it: “A thought”"),
        ({f"position-{one.pk}": 3, f"position-{two.pk}": 2}, "is no longer on this page"),
    ]
    for typed, said in cases:
        answer = desk.send(**opened | typed, save="")
        assert answer.status_code == 409 and said in answer.content.decode()
    assert desk.stored == ("Lesson", ["Two", "Three"], ["", ""])
    assert desk.send(**opened | {f"position-{two.pk}": 3}, save="").status_code == 303
    assert titles(desk.collection) == ["Three", "Two"]


def test_a_window_that_was_opened_before_changes_nothing_that_it_did_not_touch(desk: Desk) -> None:
    """The other window writes a note, makes the collection private, and describes it."""
    Collection.objects.update(visibility="public", published_at=timezone.now())
    boards, texts, board = desk.form_of_boards(), desk.form_of_texts(), desk.boards[0]
    desk.press("save", board, note="The newer note")
    desk.send(**texts | {"visibility": "private", "description": "The newer one"})
    assert desk.send(**boards, up=board.pk).status_code == 303
    assert desk.send(**texts | {"title": "Another title"}).status_code == 303
    assert desk.stored == ("Another title", ["One", "Two", "Three"], ["The newer note", "", ""])
    assert (desk.collection.description, desk.collection.visibility) == ("The newer one", "private")


def test_what_two_windows_have_changed_is_shown_and_then_replaced(desk: Desk) -> None:
    boards, texts, board = desk.form_of_boards(), desk.form_of_texts(), desk.boards[0]
    desk.press("save", board, note="Theirs")
    desk.send(**texts | {"title": "Theirs"})
    mine: dict[str, Any] = boards | {f"note-{board.pk}": "Mine", "down": board.pk}
    for sent, label in ((mine, "Note on board 1"), (texts | {"title": "Mine"}, "Title")):
        answer = desk.send(**sent)
        assert answer.status_code == 409
        assert f"{label}: Somebody changed this to “Theirs”" in answer.content.decode()
    assert desk.stored == ("Theirs", ["One", "Two", "Three"], ["Theirs", "", ""])
    again = Document(answer).form_values()
    assert again["title"] == "Mine"
    assert desk.send(**{name: again.get(name, "") for name in texts}).status_code == 303
    assert desk.stored[0] == "Mine"


def test_a_form_of_boards_with_a_mistake_keeps_all_that_was_typed(desk: Desk) -> None:
    opened, (one, _, three) = desk.form_of_boards(), desk.boards
    for name, value, label in (
        ("position", "0", "Position of board 1:"),
        ("position", "two", "Position of board 1:"),
        ("note", "x" * 1001, "Note on board 1:"),
    ):
        sent = opened | {f"{name}-{one.pk}": value, f"note-{three.pk}": "A long note"}
        answer = desk.send(**sent, save="")
        page = Document(answer)
        assert answer.status_code == 400 and label in page.html, value
        assert [text for text in page.texts("textarea") if "A long note" in text], value
    assert desk.stored == UNTOUCHED
    assert desk.send(**sent | opened, save="").status_code == 303


def test_what_would_be_refused_is_no_choice(desk: Desk, settings: Any) -> None:
    settings.MEMBER_PUBLISHING = "off"
    for path in (desk.url, f"{MINE}/new"):
        assert 'value="link"' in (page := open_page(desk.phone, path).html) and 'value="public"' not in page
    services.change_collection(collection=desk.collection, owner=desk.collection.owner, visibility="link")
    services.take_back(desk.collection.pk)
    page = desk.page.html
    assert 'value="link"' not in page and "Staff have made it private" in page


def test_a_public_one_says_nothing_new_where_members_do_not_publish(desk: Desk, settings: Any) -> None:
    """What counts as new is in tests/boards/collections/test_collections.py."""
    services.change_collection(collection=desk.collection, owner=desk.collection.owner, visibility="public")
    settings.MEMBER_PUBLISHING = "off"
    one, _, three = desk.boards
    assert "members do not publish here" in desk.page.html
    assert "Lesson" not in open_page(desk.phone, f"{MINE}/add?board={one.pk}").html
    added = send(desk.phone, f"{MINE}/add", board=factories.board().pk, collection=desk.collection.pk)
    for answer in (
        desk.send(**desk.form_of_texts() | {"title": "Typed"}),
        desk.press("remove", three, note="Typed"),
        added,
    ):
        assert answer.status_code == 403 and "members do not publish here" in answer.content.decode()
    assert desk.stored == UNTOUCHED
    assert desk.press("remove", three).status_code == 303
    assert 'name="put"' not in (page := desk.page.html) and 'id="add"' not in page


def test_boards_that_others_have_unpublished_are_named_by_their_notes_and_taken_out(desk: Desk) -> None:
    one = desk.boards[0]
    desk.press("save", one, note="A <b>note</b>")
    assert "Not published now" not in desk.page.html
    one.unpublish()
    page = desk.page
    assert "Your note: A &lt;b&gt;note&lt;/b&gt;" in page.html and "One" not in page.html
    assert "2 boards of 300 at most, and 1 that is not published now" in " ".join(page.texts("p"))
    assert page.all("button", name="remove", value=str(one.pk))
    assert [desk.send(**{button: one.pk}).status_code for button in ("up", "remove")] == [404, 303]
    assert titles(desk.collection) == ["Two", "Three"]
    assert "Not published now" not in desk.page.html


def test_texts_and_visibility_are_saved_and_the_address_is_there_to_share(desk: Desk) -> None:
    assert not desk.page.all("input", id="address")
    answer = desk.send(title="Fits", description="", language="nl", visibility="link")
    assert (answer.status_code, answer["Location"]) == (303, desk.url)
    page, path = desk.page, f"/collections/{desk.collection.pk}"
    ((address, _),) = page.all("input", id="address")
    assert address["value"] == f"{settings.PUBLIC_BASE_URL}{path}"
    assert "readonly" in address and "Saved." in page.html
    assert Client().get(path).status_code == 200
    desk.send(title="Fits", visibility="private")
    assert Client().get(path).status_code == 404


def test_a_form_that_no_page_has_is_refused_and_stores_nothing(desk: Desk) -> None:
    somebody, pk = factories.NOBODYS_ID, desk.boards[0].pk
    forms: list[dict[str, str]] = [
        *({"up": value} for value in ("nothing", "\x00", "")),
        {"destroy": somebody},
        {"up": somebody, "down": somebody},
        *({"save": "", f"position-{pk}": value} for value in ("0", "-1", "9" * 40)),
        *({"save": "", f"note-{pk}": value} for value in ("x" * 1001, "a\x00b")),
        *({"save": "", name: "1"} for name in ("position-x", "note-x")),
    ]
    for fields in forms:
        assert desk.send(**fields).status_code == 400, fields
    for kind in ("note", "position"):
        fields = {f"{kind}-{pk}": "3"} | {f"{kind}-{uuid4()}": "1" for _ in range(editing.BOARDS_OF_PAGE)}
        answer = desk.send(**fields, save="")
        assert answer.status_code == 400 and "A page has 20 boards." in answer.content.decode(), kind
    assert desk.stored == UNTOUCHED


def asked_of(desk: Desk) -> list[tuple[str, int | None]]:
    return list(desk.collection.entries.values_list("seat", "step"))


def test_whom_practice_asks_is_chosen_for_each_board_and_shown(desk: Desk) -> None:
    one, two, _ = desk.boards
    assert desk.press("save", one, seat="N", step=2).status_code == 303
    assert desk.press("save", two, seat="E").status_code == 303
    assert asked_of(desk) == [("N", 2), ("E", None), ("", None)]
    summaries = [text for text in desk.page.texts("summary") if text.startswith("Practice")]
    assert [text.partition(" of board")[0] for text in summaries] == [
        *("Practice: North, after 2 calls", "Practice: East", "Practice"),
    ]
    for typed in ({"seat": "north"}, {"step": 320}, {"step": -1}):
        assert desk.press("save", one, **typed).status_code == 400, typed
    assert desk.press("save", one, seat="", step="").status_code == 303
    assert asked_of(desk)[0] == ("", None)


def test_a_board_that_was_taken_out_is_offered_once_and_put_back_where_it_was_with_its_note(desk: Desk) -> None:
    two = desk.boards[1]
    desk.press("remove", two, note="Look here", seat="W", step=0)
    page = desk.page
    assert "Two is taken out." in page.html and "is taken out" not in desk.page.html
    offered = {name: page.form_values()[name] for name in ("note", "seat", "step", "position")}
    answer = desk.send(**offered, put=two.pk)
    assert (answer.status_code, answer["Location"]) == (303, f"{desk.url}#board-{two.pk}")
    assert desk.stored == ("Lesson", ["One", "Two", "Three"], ["", "Look here", ""])
    assert asked_of(desk) == [("", None), ("W", 0), ("", None)]
    assert [desk.send(put=pk).status_code for pk in (factories.NOBODYS_ID, "x")] == [404, 400]
    other = store(desk.collection.owner, *desk.boards)
    desk.press("remove", two)
    assert "is taken out" not in open_page(desk.phone, f"{MINE}/{other.pk}").html, "of another collection"
    two.unpublish()
    assert "is taken out" not in desk.page.html, "nobody can put it back"


def test_a_board_is_added_by_its_address_or_by_words_and_drafts_of_others_are_not_found(desk: Desk) -> None:
    owner, other = desk.collection.owner, factories.account()
    named = {
        title: factories.board(seed=seed, title=title) for seed, title in enumerate(("Squeeze one", "Squeeze two"), 50)
    }
    draft = factories.board(seed=60, owner=owner, published=False, title="Squeeze draft")
    secret = factories.board(seed=61, owner=other, published=False, title="Squeeze secret")

    def find(words: str) -> Document:
        return open_page(desk.phone, f"{desk.url}?{urlencode({'find': words})}")

    def offered(words: str) -> list[str]:
        return [button["value"] for button, _ in find(words).all("button", name="put")]

    one, two = (str(board.pk) for board in named.values())
    assert offered("squeeze") == [str(draft.pk), two, one]
    for words in (one, f"https://example.org/boards/{one}?step=3#next", one.upper()):
        assert offered(words) == [one], words
    for words in (str(secret.pk), str(desk.boards[0].pk), "nothing has this"):
        assert offered(words) == [], words
    assert "In this collection" in find(str(desk.boards[0].pk)).html and "No board matches" in find("xyzxyz").html
    assert 'id="find_error"' in find("spades>=x").html
    answer = desk.phone.post(f"{desk.url}?find=squeeze", {"put": one})
    assert (answer.status_code, answer["Location"]) == (303, f"{desk.url}?find=squeeze#add")
    assert desk.send(put=secret.pk).status_code == 404
    assert titles(desk.collection) == ["One", "Two", "Three", "Squeeze one"]
    assert offered("squeeze") == [str(draft.pk), two]
