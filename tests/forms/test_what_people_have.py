"""Forms take what people have at hand: a board's address instead of its id, a website without https://."""

from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from forms.fields import read_board_id
from forms.models import Submission
from tests import factories
from tests.answers import field_errors
from tests.forms.bodies import ORGANISATION, board_report

ID = "51e8f8e0-f7ba-48ac-abed-925c795f1590"


@pytest.mark.parametrize(
    "text",
    [
        ID,
        ID.upper(),
        f"  {ID}\n",
        f"https://boards.example/boards/{ID}",
        f"http://localhost:8000/boards/{ID}/",
        f"boards.example/boards/{ID}",
        f"/boards/{ID}",
        f"boards/{ID}",
        f"https://boards.example/boards/{ID}?show=south&next=/boards/{uuid4()}",
        f"https://boards.example/boards/{ID}#play",
        f"https://boards.example/boards/{ID}.txt",
        f"https://boards.example/api/boards/{ID}.pbn",
        f"https://boards.example/club/boards/{ID}/hand-viewer",
    ],
)
def test_an_address_of_a_board_is_read_as_its_id(text: str) -> None:
    assert str(read_board_id(text)) == ID


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Board 7",
        ID[:-1],
        f"{ID}0",
        f"x{ID}",
        f"https://boards.example/themes/{ID}",
        f"https://boards.example/?next=/boards/{ID}",
        f"https://boards.example/boards/{ID}0",
        f"https://boards.example/boards/{ID} and more",
        f"https://boards.example/snowboards/{ID}",
        "/" * 100_000,
        "boards/" * 20_000,
    ],
    ids=lambda text: text[:60],
)
def test_anything_else_is_no_board(text: str) -> None:
    assert read_board_id(text) is None


@pytest.mark.django_db
def test_a_report_by_address_stores_the_id_and_repeats_a_report_by_id(anonymous: APIClient) -> None:
    by_id = board_report()
    address = f"https://boards.example/boards/{by_id['boardId']}?show=south"
    answers = [
        anonymous.post("/api/forms/board-report", {**by_id, "boardId": it})
        for it in (address, by_id["boardId"])
    ]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
    assert Submission.objects.get().data == by_id


@pytest.mark.django_db
def test_the_address_of_a_draft_is_that_of_no_board(anonymous: APIClient) -> None:
    draft = factories.board(published=False)
    for address in (f"/boards/{draft.pk}", f"/boards/{factories.NOBODYS_ID}"):
        refused = anonymous.post("/api/forms/board-report", board_report(boardId=address))
        assert field_errors(refused) == {"boardId": ["does_not_exist"]}
    assert not Submission.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("www.club.nl", "https://www.club.nl"),
        (" club.nl/bridge?x=1#top ", "https://club.nl/bridge?x=1#top"),
        ("club.nl:8080", "https://club.nl:8080"),
        ("http://club.nl", "http://club.nl"),
        ("HTTPS://club.nl", "HTTPS://club.nl"),
        ("www.bücher.example/café", "https://www.xn--bcher-kva.example/caf%C3%A9"),
    ],
)
def test_a_website_needs_no_scheme(typed: str, stored: str, anonymous: APIClient) -> None:
    assert anonymous.post("/api/forms/organisation", {**ORGANISATION, "website": typed}).status_code == 201
    assert Submission.objects.get().data["website"] == stored


@pytest.mark.django_db
@pytest.mark.parametrize(
    "typed",
    [
        "javascript:alert(1)//club.nl",
        "data:text/html,club.nl",
        "ftp://club.nl",
        "//club.nl",
        "ann@club.nl",
        "club .nl",
        "club",
        'club.nl/"onload=x',
        "club.nl/<b>",
        "é" * 70 + ".nl",
        "w" * 490 + ".nl",
    ],
)
def test_what_is_no_website_is_refused(typed: str, anonymous: APIClient) -> None:
    refused = anonymous.post("/api/forms/organisation", {**ORGANISATION, "website": typed})
    assert field_errors(refused).keys() == {"website"}
    assert not Submission.objects.exists()
