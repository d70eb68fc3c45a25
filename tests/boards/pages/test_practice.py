"""GET /practice and GET /practice/{id}: a board whose page tells nothing that its players would not know."""

import re
from datetime import timedelta
from itertools import product

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from boards.models import Board
from boards.records import diagram_of
from deals.bridge.auction import Auction, Call
from deals.bridge.seats import Seat
from tests import factories
from tests.boards.pages.test_board_page import logged_in
from tests.config.site.documents import Document
from themes.models import Theme

pytestmark = pytest.mark.django_db

NOW = timezone.now()
CALLS = ("1NT", "Pass", "2C", "Pass", "2S", "Pass", "4S", "Pass", "Pass", "Pass")
SECRETS = ("Stayman", "A title", "What happened", "Friday pairs", "down 1", "4♠", "four spades")


@pytest.fixture(scope="module")
def theme(rows_of_module: None) -> Theme:
    return factories.theme("stayman", labels={"en": "Stayman"})


@pytest.fixture(scope="module")
def board(theme: Theme) -> Board:
    calls = [Call(call, explanation="asks" if call == "2C" else "") for call in CALLS]
    return factories.board(
        seed=5,
        number=3,
        auction=Auction(Seat.SOUTH, tuple(calls)),
        tricks=9,
        title="A title",
        commentary="What happened.",
        event="Friday pairs",
        themes=(theme,),
    )


def page_of(client: Client, board: Board, query: str = "") -> Document:
    response = client.get(f"/practice/{board.pk}{query}")
    assert response.status_code == 200
    return Document(response)


def test_until_the_last_call_the_page_has_one_hand_and_the_calls_so_far(client: Client, board: Board) -> None:
    hands = diagram_of(board).hands
    for step in range(7):
        page = page_of(client, board, f"?step={step}")
        assert page.texts("title") == ["Practice board · Bridge Boards"]
        assert page.texts("h1") == ["Practice board"]
        assert not page.is_indexed()
        assert [name for name, hand in hands.items() if hand.in_words in page.html] == ["south"]
        said = re.sub(r"<form.*?</form>", "", page.html, flags=re.DOTALL)  # which has all that may be called
        assert not [secret for secret in SECRETS if secret in said]
        assert ("asks" in page.html) is (step >= 3)
        assert f"/boards/{board.pk}" not in page.links().values()


def test_a_page_is_the_same_whatever_calls_are_to_come(client: Client) -> None:
    endings = ("Pass Pass", "4S Pass Pass Pass", "3C X 3D Pass")
    boards = [factories.board(seed=5, number=3, calls=f"{' '.join(CALLS[:6])} {each}") for each in endings]
    for step, query in product(range(7), ("", "&seat=west&dealer=S")):
        pages = {page_of(client, board, f"?step={step}{query}").html.replace(str(board.pk), "") for board in boards}
        assert len(pages) == 1, (step, query)


def test_the_end_has_one_address_however_many_calls_there_are(client: Client, board: Board) -> None:
    path = f"/practice/{board.pk}"
    assert page_of(client, board).links()["End"] == f"{path}?step=end#back"
    assert page_of(client, board, "?step=10").links()["Show all hands"] == f"{path}?step=end#back"
    end = page_of(client, board, "?step=end")
    assert end.texts("h1") == ["A title"] and end.links()["Back"] == f"{path}?step=10#back"
    for number in (11, 12, 999):
        assert page_of(client, board, f"?step={number}").html == end.html


def test_the_reader_is_told_when_it_is_their_turn(client: Client, board: Board) -> None:
    turns = [step for step in range(11) if "It is your turn." in page_of(client, board, f"?step={step}").html]
    assert turns == [0, 4, 8]
    assert "It is your turn." in page_of(client, board, "?step=1&seat=west").html


def test_after_the_auction_the_page_says_contract_and_lead(client: Client, board: Board) -> None:
    lead = sorted(board.deal.layout.cards_held_by(Seat.WEST))[0]
    Board.objects.update(opening_lead=lead)
    page = page_of(client, board, "?step=10")
    assert any(text.startswith("Contract: 4♠ by South. Opening lead: ") for text in page.texts("p"))
    assert "Show all hands" in page.links() and "What happened" not in page.html


def test_the_last_step_shows_everything_and_leads_to_the_next_board(client: Client, board: Board, theme: Theme) -> None:
    page = page_of(client, board, "?step=11")
    assert page.texts("h1") == ["A title"]
    for hand in diagram_of(board).hands.values():
        assert hand.in_words in page.html
    links = page.links()
    assert "What happened." in page.html and "Stayman" in links
    assert links["The board's own page"] == f"/boards/{board.pk}"
    assert links["Next board: Stayman"] == f"/practice?theme={theme.pk}&after={board.pk}"
    assert links["Next board of this event"] == f"/practice?event={board.event_slug}&after={board.pk}"
    assert page_of(client, board, "?step=99").links() == links


def test_links_keep_the_seat_and_the_list_that_the_reader_came_by(client: Client, board: Board, theme: Theme) -> None:
    query = f"?theme={theme.pk}&seat=north"
    links = page_of(client, board, f"{query}&step=2").links()
    assert links["Show the call"] == f"/practice/{board.pk}{query}&step=3#next"
    assert links["East"] == f"/practice/{board.pk}?theme={theme.pk}&seat=east&step=2"
    assert links["South"] == f"/practice/{board.pk}?theme={theme.pk}&step=2"
    end = page_of(client, board, f"{query}&step=11").links()
    assert end["Next board of this theme"] == f"/practice{query}&after={board.pk}"
    assert page_of(client, board, "?dealer=S&step=11").links()["Next board"].endswith(f"&after={board.pk}")


def test_a_board_with_any_auction_can_be_practised(client: Client) -> None:
    for calls in ("", "Pass Pass Pass Pass", "1NT Pass"):
        board = factories.board(number=1, calls=calls)
        last = len(calls.split())
        assert "Show all hands" in page_of(client, board, f"?step={last}").links(), calls
        end = page_of(client, board, f"?step={last + 1}")
        assert end.texts("h1") == ["Board 1"], calls
        assert end.links()["Next board"] == f"/practice?after={board.pk}"


def test_a_value_that_is_not_valid_is_refused(client: Client, board: Board) -> None:
    for query in ("?seat=me", "?step=x", "?dealer=Z", "?theme=a+b", "?seat=north&seat=east"):
        for path in (f"/practice/{board.pk}", "/practice"):
            assert client.get(f"{path}{query}").status_code == 400, (path, query)


def test_a_draft_is_shown_to_staff_alone_and_not_cached(client: Client) -> None:
    draft = factories.board(number=1, published=False)
    assert client.get(f"/practice/{draft.pk}").status_code == 404
    staff = logged_in(factories.account("support", role="support"))
    for step in (0, 1):
        response = staff.get(f"/practice/{draft.pk}?step={step}")
        assert (response.status_code, response["Cache-Control"]) == (200, "private, no-store")
        assert f"/boards/{draft.pk}" not in Document(response).links().values()


# --- The next board ------------------------------------------------------------------------------------------


def test_a_reader_goes_through_the_boards_of_a_theme_newest_first_to_a_page_that_says_so(client: Client) -> None:
    theme = factories.theme("squeeze")
    boards = [
        factories.board(number=age + 1, themes=(theme,), published_at=NOW - timedelta(hours=age)) for age in range(3)
    ]
    factories.board(number=9, published_at=NOW - timedelta(minutes=90))
    address = "/practice?theme=squeeze&seat=north"
    for board in boards:
        response = client.get(address)
        assert (response.status_code, response["Location"]) == (
            302,
            f"/practice/{board.pk}?theme={theme.pk}&seat=north",
        )
        end = Document(client.get(f"{response['Location']}&step=1"))
        address = end.links()["Next board of this theme"]
    page = Document(client.get(address))
    assert page.texts("h1") == ["That was the last board"]
    assert page.links()["Start again"] == f"/practice?theme={theme.pk}&seat=north"
    assert page.links()["Choose other boards"] == f"/boards?theme={theme.pk}"


def test_a_reader_goes_through_an_event_by_its_numbers_at_the_same_table(client: Client) -> None:
    texts = {"event": "Friday pairs", "date": "2026.11.20"}
    boards = [
        factories.board(seed=number, number=number, table=table, **texts) for number in (1, 2) for table in ("1", "2")
    ]
    slug = boards[0].event_slug
    first = client.get(f"/practice?event={slug}")
    assert first["Location"] == f"/practice/{boards[0].pk}?event={slug}"
    links = Document(client.get(f"/practice/{boards[1].pk}?event={slug}&step=1")).links()
    following = client.get(links["Next board of this event"])
    assert following["Location"] == f"/practice/{boards[3].pk}?event={slug}"
    end = client.get(f"/practice?event={slug}&after={boards[3].pk}")
    assert Document(end).texts("h1") == ["That was the last board"]
    assert Document(client.get("/practice?event=nothing")).texts("h1") == ["No board to practise with"]
    assert Document(client.get(f"/events/{slug}")).links()["Practise these boards"] == f"/practice?event={slug}"


def test_a_board_that_is_gone_leads_to_the_first_one(client: Client, board: Board) -> None:
    response = client.get(f"/practice?after={factories.NOBODYS_ID}")
    assert response["Location"] == f"/practice/{board.pk}"


def test_drafts_are_no_next_board_and_without_boards_the_page_says_so(client: Client) -> None:
    factories.board(published=False)
    page = Document(client.get("/practice?dealer=N"))
    assert page.texts("h1") == ["No board to practise with"]
    assert page.links()["Choose other boards"] == "/boards?dealer=N"


def test_the_next_board_takes_as_many_queries_among_many_boards(client: Client, board: Board, theme: Theme) -> None:
    theme_of, after = "theme=stayman", f"after={board.pk}"
    event = f"event={board.event_slug}"

    def queries() -> dict[str, int]:
        counts = {}
        for query in ("", theme_of, after, f"{theme_of}&{after}", f"{event}&{after}"):
            client.get(f"/practice?{query}")  # reads the themes, which the process keeps
            with CaptureQueriesContext(connection) as captured:
                assert client.get(f"/practice?{query}").status_code in (200, 302)
            counts[query] = len(captured)
        return counts

    few = queries()
    for _ in range(4):
        factories.board(themes=(theme, factories.theme()), published_at=NOW - timedelta(days=1))
    assert queries() == few


def test_the_list_of_boards_leads_to_practice_without_the_name_of_a_theme(
    client: Client, board: Board, theme: Theme
) -> None:
    links = Document(client.get("/boards?theme=stayman&sort=top&page=1")).links()
    assert links["Practise these boards"] == f"/practice?theme={theme.pk}"
    assert Document(client.get(f"/boards/{board.pk}")).links()["Practise the auction"] == f"/practice/{board.pk}"
