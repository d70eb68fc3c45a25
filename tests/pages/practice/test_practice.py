"""GET /practice and GET /practice/{id}: a board whose page tells nothing that its players would not know."""

import re
from datetime import timedelta
from itertools import product

import pytest
from django.test import Client
from django.utils import timezone

from boards.models import Board, PracticeAnswer
from boards.records import diagram_of
from tests import factories
from tests.pages.documents import Document
from tests.pages.opening import CALLS_OF_LESSON, logged_in, open_page, queries_of, walk

pytestmark = pytest.mark.django_db

NOW = timezone.now()
SECRETS = ("Stayman", "A title", "What happened", "Friday pairs", "down 1", ".png", "oembed")


def page_of(client: Client, board: Board, query: str = "") -> Document:
    return open_page(client, f"/practice/{board.pk}{query}")


def test_until_the_last_call_page_and_reply_have_one_hand_and_the_calls_so_far(client: Client, lesson: Board) -> None:
    hands = diagram_of(lesson).hands
    for step, said in (*((step, "") for step in range(9)), (0, "&said=Pass"), (4, "&said=1C.Pass"), (4, "&said=-.-")):
        page = page_of(client, lesson, f"?seat=south&step={step}{said}")
        shown = step if not said and step % 4 == 0 else step // 4 * 4 + 4  # the next question
        assert page.texts("title") == ["Practice board · Bridge Boards"]
        assert page.texts("h1")[0].startswith("You are South.")
        assert not page.is_indexed()
        assert [name for name, hand in hands.items() if hand.in_words in page.html] == ["south"]
        told = re.sub(r"<form.*?</form>", "", page.html, flags=re.DOTALL)  # which has all that may be called
        contract = ("4♠", "four spades") if shown < 8 else ()
        assert [secret for secret in (*SECRETS, *contract) if secret in told] == [], (step, said)
        assert ("asks" in page.html) is (shown >= 4)
        assert f"/boards/{lesson.pk}" not in page.links().values()


def test_page_and_reply_are_the_same_whatever_calls_follow_the_question(client: Client) -> None:
    endings = ("Pass Pass", "4S Pass Pass Pass", "3C X 3D Pass", "Pass")
    boards = [factories.board(seed=5, number=3, calls=f"{' '.join(CALLS_OF_LESSON[:6])} {each}") for each in endings]
    questions = (f"{step}{more}" for step, more in product(range(6), ("", "&seat=west&dealer=S")))
    for query in (*questions, *(f"0&said={said}" for said in ("Pass", "2S", "-"))):
        pages = {page_of(client, board, f"?step={query}").html.replace(str(board.pk), "") for board in boards}
        assert len(pages) == 1, query


def test_the_end_has_one_address_shows_everything_and_leads_to_the_next_board(client: Client, lesson: Board) -> None:
    path, theme = f"/practice/{lesson.pk}", lesson.themes.get()
    assert page_of(client, lesson).links()["End"] == f"{path}?step=end#back"
    assert page_of(client, lesson, "?seat=north&step=8").links()["Show all hands"] == f"{path}?seat=north&step=end#back"
    end = page_of(client, lesson, "?step=end")
    for number in (11, 12, 999):
        assert page_of(client, lesson, f"?step={number}").html == end.html
    assert all(hand.in_words in end.html for hand in diagram_of(lesson).hands.values())
    assert end.texts("h1") == ["A title"] and "What happened." in end.html and "Stayman" in end.links()
    links = {
        "Back": f"{path}?step=10#back",  # to the lead
        "The board's own page": f"/boards/{lesson.pk}",
        "Next board: Stayman": f"/practice?theme={theme.pk}&after={lesson.pk}",
        "Next board of this event": f"/practice?event={lesson.event_slug}&after={lesson.pk}",
    }
    assert end.links().items() >= links.items()


def test_links_keep_the_seat_and_the_list_that_the_reader_came_by(client: Client, lesson: Board) -> None:
    theme = lesson.themes.get()
    query = f"?theme={theme.pk}&seat=north"
    links = page_of(client, lesson, f"{query}&step=2").links()
    assert links["Show the call"] == f"/practice/{lesson.pk}{query}&said=-&step=2#answer"
    for name in ("east", "south"):
        assert links[name.capitalize()] == f"/practice/{lesson.pk}?theme={theme.pk}&seat={name}&step=2"
    end = page_of(client, lesson, f"{query}&step=11").links()
    assert end["Next board of this theme"] == f"/practice{query}&after={lesson.pk}"
    assert page_of(client, lesson, "?dealer=S&step=11").links()["Next board"].endswith(f"&after={lesson.pk}")
    search = page_of(client, lesson, "?q=dealer=S&step=end").links()["Next board of this search"]
    assert search == f"/practice?q=dealer%3DS&after={lesson.pk}"
    expert = factories.board(number=1, difficulty="expert")
    links = page_of(client, expert, "?step=end").links()
    assert links["Next board of this difficulty"] == f"/practice?difficulty=expert&after={expert.pk}"


def test_a_board_with_any_auction_can_be_practised(client: Client) -> None:
    for calls in ("", "Pass Pass Pass Pass", "1NT Pass"):
        board = factories.board(number=1, calls=calls)
        last = len(calls.split())
        assert "Show all hands" in page_of(client, board, f"?step={last}").links(), calls
        end = page_of(client, board, f"?step={last + 1}")
        assert end.texts("h1") == ["Board 1"], calls
        assert end.links()["Next board"] == f"/practice?after={board.pk}"


def test_a_draft_is_shown_to_staff_and_not_cached_and_no_answer_to_it_is_counted() -> None:
    draft = factories.board(number=3, calls=" ".join(CALLS_OF_LESSON), published=False)
    staff, path = logged_in(factories.account(role="support")), f"/practice/{draft.pk}"
    for query in ("?step=0", "?step=1", "?step=end", staff.post(f"{path}?step=0", {"said": "1C"})["Location"]):
        response = staff.get(query if query.startswith(path) else f"{path}{query}")
        assert (response.status_code, response["Cache-Control"]) == (200, "private, no-store")
        assert f"/boards/{draft.pk}" not in Document(response).links().values()
    assert "You said" in response.content.decode() and not PracticeAnswer.objects.exists()


# --- The next board ------------------------------------------------------------------------------------------


def test_a_reader_goes_through_the_boards_of_a_theme_newest_first_to_a_page_that_says_so(client: Client) -> None:
    theme = factories.theme("squeeze")
    for age in range(3):
        factories.board(number=age + 1, themes=(theme,), published_at=NOW - timedelta(hours=age))
    factories.board(number=9, published_at=NOW - timedelta(minutes=90))
    boards = [str(board.pk) for board in Board.objects.filter(themes=theme).newest_first()]
    assert walk(client, "/practice?theme=squeeze") == boards
    first = client.get("/practice?theme=squeeze&seat=north")
    assert first["Location"] == f"/practice/{boards[0]}?theme={theme.pk}&seat=north"
    page = open_page(client, f"/practice?theme=squeeze&seat=north&after={boards[-1]}")
    assert page.links()["Start again"] == f"/practice?theme={theme.pk}&seat=north"
    assert page.links()["Choose other boards"] == f"/boards?theme={theme.pk}"


def test_a_reader_goes_through_an_event_by_its_numbers_at_the_same_table(client: Client) -> None:
    texts = {"event": "Friday pairs", "date": "2026.11.20"}
    places = product((1, 2), ("1", "2"))
    boards = [factories.board(seed=number, number=number, table=table, **texts) for number, table in places]
    slug = boards[0].event_slug
    first = client.get(f"/practice?event={slug}")
    assert first["Location"] == f"/practice/{boards[0].pk}?event={slug}"
    links = page_of(client, boards[1], f"?event={slug}&step=1").links()
    following = client.get(links["Next board of this event"])
    assert following["Location"] == f"/practice/{boards[3].pk}?event={slug}"
    end = open_page(client, f"/practice?event={slug}&after={boards[3].pk}")
    assert end.texts("h1") == ["That was the last board"]
    assert open_page(client, "/practice?event=nothing").texts("h1") == ["No board to practise with"]
    assert open_page(client, f"/events/{slug}").links()["Practise these boards"] == f"/practice?event={slug}"


def test_a_board_that_is_gone_leads_to_the_first_one_and_a_draft_is_none(client: Client, lesson: Board) -> None:
    factories.board(number=1, published=False)
    page = open_page(client, "/practice?dealer=N")
    assert page.texts("h1") == ["No board to practise with"]
    assert page.links()["Choose other boards"] == "/boards?dealer=N"
    assert client.get(f"/practice?after={factories.NOBODYS_ID}")["Location"] == f"/practice/{lesson.pk}"


def test_the_next_board_takes_as_many_queries_among_many_boards(client: Client, lesson: Board) -> None:
    theme, after, event = "theme=stayman", f"after={lesson.pk}", f"event={lesson.event_slug}"
    queries = ("", theme, after, f"{theme}&{after}", f"{event}&{after}")
    paths = [f"/practice?{query}" for query in queries]
    few = queries_of(client, *paths)
    for _ in range(4):
        themes = (lesson.themes.get(), factories.theme())
        factories.board(themes=themes, published_at=NOW - timedelta(days=1))
    assert queries_of(client, *paths) == few


def test_the_list_of_boards_leads_to_practice_without_the_name_of_a_theme(client: Client, lesson: Board) -> None:
    links = open_page(client, "/boards?theme=stayman&sort=top&page=1").links()
    assert links["Practise"] == f"/practice?theme={lesson.themes.get().pk}"
    assert open_page(client, f"/boards/{lesson.pk}").links()["Practise it"] == f"/practice/{lesson.pk}"
