"""The parameter fields of lists of boards: what each board of an answer has."""

import json
from itertools import product
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from boards.catalogue.chosen_fields import FIELDS
from boards.models import Board
from tests import factories
from tests.answers import field_errors
from tests.service_client import ServiceClient

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def boards(rows_of_module: None) -> list[Board]:
    """Return five boards, the newest first."""
    made = [factories.board(title=f"Board {number}", calls="1NT Pass Pass Pass", tricks=7) for number in range(5)]
    return made[::-1]


def read(client: Client, query: str) -> list[dict[str, Any]]:
    response = client.get(f"/api/boards?{query}")
    assert response.status_code == 200, response.content
    return list(response.json()["boards"])


def chosen(board: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: board[name] for name in names}


def test_boards_have_the_fields_that_are_named_in_the_order_of_a_whole_board(boards: list[Board]) -> None:
    """The second answer of the service's client is one that is made in front of Django."""
    for client, _ in product((APIClient(), ServiceClient()), range(2)):
        whole = read(client, "pageSize=2")
        few = read(client, "pageSize=2&fields=contract,title,id")
        assert few == [chosen(board, "id", "title", "contract") for board in whole]
        assert [[*board] for board in few] == [["id", "title", "contract"]] * 2
        for fields in ("votes,links,themes,updatedAt", " votes , ,themes,,links,updatedAt,votes,"):
            assert read(client, f"pageSize=2&fields={fields}") == [
                chosen(board, "themes", "votes", "links", "updatedAt") for board in whole
            ]
        for nothing in ("fields=", "fields=,%20,"):
            assert read(client, f"pageSize=2&{nothing}") == whole
        assert read(client, f"pageSize=2&fields={','.join(FIELDS)}") == whole


def test_a_name_that_no_board_has_is_refused_with_all_that_it_has(boards: list[Board], service: APIClient) -> None:
    deal = f"/api/deals/{boards[0].deal_id}/boards"
    for client, path in ((APIClient(), "/api/boards"), (ServiceClient(), "/api/boards"), (service, deal)):
        for fields in ("id,contracts", "Id", "id;title", "hands.north", "id,\x00"):
            response = client.get(path, {"fields": fields})
            assert field_errors(response) == {"fields": ["invalid_choice"]}, fields
            message = response.json()["meta"]["fields"]["fields"][0]["message"]
            assert "id, dealId, boardNumber, title," in message and "contracts" not in message
        assert field_errors(client.get(f"{path}?fields=id&fields=title")) == {"fields": ["repeated"]}
    streamed = APIClient().get("/api/boards?fields=x", headers={"accept": "application/x-ndjson"})
    assert field_errors(streamed) == {"fields": ["invalid_choice"]}


def test_the_stream_and_the_boards_of_a_deal_have_them_too(boards: list[Board], service: APIClient) -> None:
    response = APIClient().get("/api/boards?fields=id,title", headers={"accept": "application/x-ndjson"})
    lines = [json.loads(line) for line in b"".join(response.streaming_content).splitlines()]
    assert lines == [{"id": str(board.pk), "title": board.title} for board in boards]
    factories.board(99, title="A board")
    draft = factories.board(99, published=False, title="A draft", event="Another evening")
    few = service.get(f"/api/deals/{draft.deal_id}/boards?fields=title,publishedAt").json()
    assert [each["title"] for each in few] == ["A board", "A draft"]
    assert few[1] == {"title": "A draft", "publishedAt": None}


def test_drafts_and_own_votes_can_be_chosen(boards: list[Board], support: APIClient) -> None:
    draft = factories.board(published=False, title="A draft")
    assert read(support, "published=false&fields=id,title") == [{"id": str(draft.pk), "title": "A draft"}]
    assert read(support, "pageSize=1&fields=ownVote,id") == [{"id": str(boards[0].pk), "ownVote": None}]
    assert read(APIClient(), "pageSize=1&fields=ownVote,id") == [{"id": str(boards[0].pk)}]


def test_an_etag_is_of_the_fields_and_links_lead_to_boards_with_the_same(boards: list[Board]) -> None:
    client = ServiceClient()
    for _ in range(2):
        etags = {client.get(f"/api/boards?{query}")["ETag"] for query in ("", "fields=id", "fields=id,title")}
        assert len(etags) == 3
        response = client.get("/api/boards?fields=id&pageSize=2&after=")
        assert (
            f'after={response.json()["pagination"]["nextCursor"]}&fields=id&pageSize=2>; rel="next"' in response["Link"]
        )
        same = client.get("/api/boards?fields=id&pageSize=2&after=", headers={"if-none-match": response["ETag"]})
        assert same.status_code == 304
