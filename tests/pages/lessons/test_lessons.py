"""A collection as a lesson: the link for pupils, the hand-out for paper, and the file."""

import re
from io import BytesIO

import pytest
from django.test import Client

from accounts.models import Account
from boards.models import Board, Collection
from bridge.formats.files import read_boards
from bridge.seats import Seat
from tests import factories
from tests.boards.collections.stored import store
from tests.members import signed_in
from tests.pages.documents import Document
from tests.pages.opening import open_page, queries_of

pytestmark = pytest.mark.django_db

CALLS = "1NT Pass 2C Pass 2S Pass 4S Pass Pass Pass"
NUMBERS = (17, 5, 9)
TOLD = ("Title", "Note", "Stayman", "Spades", "Friday")


@pytest.fixture(scope="module")
def anna(rows_of_module: None) -> Account:
    return factories.account("anna")


@pytest.fixture(scope="module")
def boards(rows_of_module: None) -> list[Board]:
    texts = {"event": "Friday pairs", "commentary": "Spades it is."}
    return [
        factories.board(seed, number=seed, title=f"Title {seed}", calls=CALLS, tricks=10, student=student, **texts)
        for seed, student in zip(NUMBERS, "SNS", strict=True)
    ]


def lesson_of(owner: Account, *boards: Board, visibility: str = "link") -> Collection:
    texts = {"title": "Stayman on Tuesday", "description": "About Stayman.", "note": "Note on {title} {{4-4}}"}
    return store(owner, *boards, visibility=visibility, language="en", **texts)


def file_of(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return b"".join(response.streaming_content).decode()


def test_the_link_asks_the_first_question_and_tells_nothing_early(anna: Account, boards: list[Board]) -> None:
    client, lesson = Client(), lesson_of(anna, *boards)
    response = client.get(f"/lessons/{lesson.pk}", follow=True)
    assert response.redirect_chain[-1][0] == f"/practice/{boards[0].pk}?collection={lesson.pk}"
    page = Document(response)
    assert page.texts("h1")[0].startswith("You are South.") and "Board 1 of 3 of this collection" in page.html
    assert [word for word in TOLD if word in page.html] == []
    for link in page.links().values():
        if "step=end" not in link and str(lesson.pk) in link:
            assert [word for word in TOLD if word in open_page(client, link).html] == [], link
    assert f"/collections/{lesson.pk}" not in page.html and f"/lessons/{lesson.pk}" not in page.html


def test_a_lesson_is_for_those_who_may_read_the_collection(anna: Account, boards: list[Board]) -> None:
    clients = {"owner": signed_in(anna), "member": signed_in(factories.account()), "anybody": Client()}
    for visibility in ("private", "link", "public"):
        lesson = lesson_of(anna, boards[0], visibility=visibility)
        for name, client in clients.items():
            is_readable = visibility != "private" or name == "owner"
            for ending, status in (("", 302), (".pbn", 200), ("/hand-out", 200)):
                response = client.get(f"/lessons/{lesson.pk}{ending}")
                response.streaming and response.getvalue()
                assert response.status_code == (status if is_readable else 404), (visibility, name, ending)
                if is_readable and visibility != "public":
                    assert response["Cache-Control"] == "private, no-store", (visibility, name, ending)


def test_the_hand_out_asks_by_numbers_from_1_and_answers_overleaf(anna: Account, boards: list[Board]) -> None:
    client, lesson = Client(), lesson_of(anna, *boards)
    page = open_page(client, f"/lessons/{lesson.pk}/hand-out")
    asked, overleaf = (text.replace("\ufe0e", "") for text in page.texts("div", **{"class": "sheet"}))
    for number, (board, seat) in enumerate(zip(boards, (Seat.SOUTH, Seat.NORTH, Seat.SOUTH), strict=True), 1):
        part = asked.partition(f"Board {number}")[2].partition("Board")[0]
        assert f"You are {seat.full_name}. Dealer {board.dealer}, vul {board.vulnerability}" in part
        suits = zip("♠♥♦♣", board.deal.layout.suits(seat).values(), strict=True)
        assert "".join(symbol + (ranks.replace("T", "10") or "—") for symbol, ranks in suits) in part
        assert "What do you call?" in part
    assert [word for word in ("Note", "Title", "4♠", "Pass Pass", "HCP") if word in asked] == []
    assert re.findall(r"Board (\d)", asked) == re.findall(r"Board (\d)", overleaf) == ["1", "2", "3"]
    assert all(f"Note on Title {number} {{4-4}}" in overleaf for number in NUMBERS)
    assert overleaf.count("1NT") >= 3 and overleaf.count("4♠ by") == 3
    assert not page.is_indexed() and "Stayman" not in page.html


def test_a_lesson_of_many_boards_is_printed_by_pages_and_takes_no_more_queries(anna: Account) -> None:
    many = [factories.board(calls="Pass Pass Pass Pass") for _ in range(30)]
    client, small, large = Client(), lesson_of(anna, *many[:2]), lesson_of(anna, *many)
    first = open_page(client, f"/lessons/{large.pk}/hand-out")
    second = open_page(client, f"/lessons/{large.pk}/hand-out?page=2")
    sheets = [text for page in (first, second) for text in page.texts("div", **{"class": "sheet"})]
    numbers = [[str(number) for number in range(*ends)] for ends in ((1, 13), (13, 25), (25, 31)) for _ in range(2)]
    assert [re.findall(r"Board (\d+)", text) for text in sheets] == numbers
    assert client.get(f"/lessons/{large.pk}/hand-out?page=3").status_code == 404
    few, more = (queries_of(client, f"/lessons/{each.pk}/hand-out") for each in (small, large))
    assert [*few.values()] == [*more.values()]


def test_the_file_numbers_boards_from_1_and_has_the_notes_and_others_keep_their_numbers(
    anna: Account, boards: list[Board]
) -> None:
    client, lesson = Client(), lesson_of(anna, *boards)
    text, other = file_of(client, f"/lessons/{lesson.pk}.pbn"), file_of(client, f"/collections/{lesson.pk}.pbn")
    assert re.findall(r'\[Board "(\d+)"', text) == ["1", "2", "3"]
    assert re.findall(r'\[Board "(\d+)"', other) == [str(number) for number in NUMBERS] and "Note on" not in other
    records = [each.content for each in read_boards(BytesIO(text.encode()))]
    assert [record.commentary for record in records] == [
        f"Note on Title {number} {{4-4}}\n\nSpades it is." for number in NUMBERS
    ]
    assert [(record.dealer, record.board_number) for record in records] == [
        (board.dealer, number) for number, board in enumerate(boards, 1)
    ]


def test_the_collections_page_offers_link_hand_out_and_file_and_to_its_owner_a_class(
    anna: Account, boards: list[Board]
) -> None:
    lesson = lesson_of(anna, *boards)
    for client, is_own in ((signed_in(anna), True), (Client(), False)):
        page = open_page(client, f"/collections/{lesson.pk}")
        links = page.links()
        assert links["Hand-out for a lesson"] == f"/lessons/{lesson.pk}/hand-out"
        assert links["PBN file numbered from 1, with the notes"] == f"/lessons/{lesson.pk}.pbn"
        assert page.all("input", id="share-lesson")[0][0]["value"] == f"http://testserver/lessons/{lesson.pk}"
        assert ("Teach a class" in links) is is_own
