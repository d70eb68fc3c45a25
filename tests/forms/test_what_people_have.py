"""Forms take what people have at hand: a board's address instead of its id, a website without https://."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from rest_framework.test import APIClient

from forms.fields import read_board_id
from forms.models import Submission
from tests import factories
from tests.answers import field_errors
from tests.forms.bodies import ORGANISATION, board_report

ID = "51e8f8e0-f7ba-48ac-abed-925c795f1590"
BOARDS = [
    ID, ID.upper(), f"  {ID}\n", f"https://boards.example/boards/{ID}", f"boards.example/boards/{ID}",
    f"http://localhost:8000/boards/{ID}/", f"/boards/{ID}", f"boards/{ID}",
    f"https://boards.example/boards/{ID}?show=south&next=/boards/{uuid4()}",
    f"https://boards.example/boards/{ID}#play", f"https://boards.example/boards/{ID}.txt",
    f"https://boards.example/api/boards/{ID}.pbn", f"https://boards.example/club/boards/{ID}/hand-viewer",
]  # fmt: skip
NO_BOARDS = [
    "", "Board 7", ID[:-1], f"{ID}0", f"x{ID}", f"https://boards.example/themes/{ID}",
    f"https://boards.example/?next=/boards/{ID}", f"https://boards.example/boards/{ID}0",
    f"https://boards.example/boards/{ID} and more", f"https://boards.example/snowboards/{ID}",
    "/" * 100_000, "boards/" * 20_000,
]  # fmt: skip


def test_an_address_of_a_board_is_read_as_its_id_and_anything_else_is_no_board() -> None:
    assert {text: read_board_id(text) for text in BOARDS} == dict.fromkeys(BOARDS, UUID(ID))
    assert {text: read_board_id(text) for text in NO_BOARDS} == dict.fromkeys(NO_BOARDS)


@pytest.mark.django_db
def test_a_report_by_address_stores_the_id_and_repeats_a_report_by_id(anonymous: APIClient) -> None:
    by_id = board_report()
    address = f"https://boards.example/boards/{by_id['boardId']}?show=south"
    answers = [
        anonymous.post("/api/forms/board-report", {**by_id, "boardId": it}) for it in (address, by_id["boardId"])
    ]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
    assert Submission.objects.get().data == by_id


@pytest.mark.django_db
def test_a_board_that_is_not_published_cannot_be_reported(anonymous: APIClient) -> None:
    draft = factories.board(published=False)
    for named in (draft.pk, factories.NOBODYS_ID, f"/boards/{draft.pk}", f"/boards/{factories.NOBODYS_ID}"):
        refused = anonymous.post("/api/forms/board-report", board_report(boardId=str(named)))
        assert field_errors(refused) == {"boardId": ["does_not_exist"]}, named
    assert not Submission.objects.exists()


@pytest.mark.django_db
def test_a_website_needs_no_scheme_and_what_is_none_is_refused(anonymous: APIClient) -> None:
    def send(website: str) -> Any:
        return anonymous.post("/api/forms/organisation", {**ORGANISATION, "website": website})

    for typed in (
        "javascript:alert(1)//club.nl", "javascript:alert(1)", "mailto:ann@club.nl", "data:text/html,club.nl",
        "ftp://club.nl", "//club.nl", "ann@club.nl", "club .nl", "club", 'club.nl/"onload=x', "club.nl/<b>",
        "é" * 70 + ".nl", "w" * 490 + ".nl",
    ):  # fmt: skip
        assert field_errors(send(typed)).keys() == {"website"}, typed
    assert not Submission.objects.exists()
    for typed, stored in (
        ("www.club.nl", "https://www.club.nl"), (" club.nl/bridge?x=1#top ", "https://club.nl/bridge?x=1#top"),
        ("club.nl:8080", "https://club.nl:8080"), ("http://club.nl", "http://club.nl"),
        ("HTTPS://club.nl", "HTTPS://club.nl"),
        ("www.bücher.example/café", "https://www.xn--bcher-kva.example/caf%C3%A9"),
    ):  # fmt: skip
        sent = send(typed).json()["id"]
        assert Submission.objects.get(pk=sent).data["website"] == stored, typed
