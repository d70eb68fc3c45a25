"""GET /boards/{id}/embed: a board in a frame on another site, and no other page in any."""

from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from boards.models import Board, Collection
from boards.records import columns_of
from deals.bridge.auction import BIDS, Auction, Call
from deals.bridge.seats import Seat
from tests import factories
from tests.bridge_strategies import random_play
from tests.config.site.documents import Document
from tests.routes import routes
from tests.test_access import World

pytestmark = pytest.mark.django_db

CALLS = "1NT Pass 3NT Pass Pass Pass"
FRAMED = {"/boards/<any_uuid:pk>/embed", "/collections/<any_uuid:pk>/embed", "/today/embed"}


@pytest.fixture(scope="module")
def board(rows_of_module: None) -> Board:
    record = factories.record(seed=5, number=1, calls=CALLS)
    play = random_play(record.layout, record.contract, 52, Random(1))
    return factories.board(seed=5, number=1, calls=CALLS, play=play, title="A title")


def embed(client: Client, board: Board, query: str = "") -> Document:
    response = client.get(f"/boards/{board.pk}/embed{query}")
    assert response.status_code == 200
    return Document(response)


def may_be_framed(response: Any) -> bool:
    """Tell whether another site may show the answer in a frame, as one of its two headers at least must say."""
    policy = response.get("Content-Security-Policy", "")
    allowed = {"frame-ancestors *" in policy, "X-Frame-Options" not in response}
    assert len(allowed) == 1 and policy.count("frame-ancestors") == 1
    return allowed.pop()


def test_only_the_frames_of_boards_may_be_framed() -> None:
    world = World()
    world.draft = world.board
    Collection.objects.update(visibility="link")
    tried = [route for route in routes() if "GET" in route.methods]
    client = APIClient(raise_request_exception=False)
    framed = {each.path for each in tried if may_be_framed(client.get(world.url(each.path, "GET")))}
    assert framed == FRAMED
    for path in ("/nothing", "/admin/login/", "/boards/1/embed"):
        assert not may_be_framed(client.get(path))


def test_the_rest_of_the_policy_holds_in_a_frame_too(client: Client, board: Board) -> None:
    framed, page = (client.get(f"/boards/{board.pk}{ending}") for ending in ("/embed", ""))
    policy = page["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in policy
    expected = policy.replace("frame-ancestors 'none'", "frame-ancestors *")
    assert framed["Content-Security-Policy"] == expected


def test_a_reader_who_has_it_already_is_not_told_that_it_must_not_be_framed(client: Client, board: Board) -> None:
    path = f"/boards/{board.pk}/embed"
    again = client.get(path, headers={"if-none-match": client.get(path)["ETag"]})
    assert again.status_code == 304
    assert "X-Frame-Options" not in again and "Content-Security-Policy" not in again


def test_a_mistake_or_a_draft_is_not_framed(client: Client, board: Board) -> None:
    draft = factories.board(published=False, owner=factories.account("owner"))
    staff = Client()
    staff.force_login(factories.account("support", role="support"))
    for caller, path, status in (
        (client, f"/boards/{board.pk}/embed?step=x", 400),
        (client, f"/boards/{board.pk}/embed?step=1&step=2", 400),
        (client, f"/boards/{draft.pk}/embed", 404),
        (staff, f"/boards/{draft.pk}/embed", 404),
    ):
        response = caller.get(path)
        assert response.status_code == status
        assert not may_be_framed(response)


def test_the_frame_has_the_board_and_leads_to_its_page_in_a_tab_of_its_own(client: Client, board: Board) -> None:
    page = embed(client, board)
    assert page.texts("h1") == ["A title"]
    assert "Contract: three no trump by North" in page.html
    assert page.canonical() == f"http://testserver/boards/{board.pk}"
    assert not page.is_indexed()
    (link,) = [found for found, text in page.all("a") if text.startswith("On Bridge Boards")]
    assert link == {"href": f"/boards/{board.pk}", "target": "_blank", "rel": "noopener"}
    assert not page.all("header") and not page.all("footer")


def test_each_link_of_a_step_stays_in_the_frame(client: Client, board: Board) -> None:
    path = f"/boards/{board.pk}/embed"
    links = embed(client, board).links()
    assert links["Step through it"] == f"{path}?step=0#next"
    page = embed(client, board, "?show=south&step=3")
    links = page.links()
    assert links["Back"] == f"{path}?show=south&step=2#back"
    assert links["Next"] == f"{path}?show=south&step=4#next"
    assert links["Show everything"] == f"{path}?show=south"
    inside = [found for found, text in page.all("a") if not text.startswith("On Bridge")]
    assert inside and not [found for found in inside if "target" in found or found["href"][:1] not in "/#"]


def test_a_step_and_hidden_hands_tell_no_more_than_on_the_page_of_the_board(client: Client, board: Board) -> None:
    before = embed(client, board, "?step=2")
    assert "Contract:" not in before.html
    hidden = embed(client, board, "?show=south")
    assert "Contract:" not in hidden.html and "3NT" not in hidden.html
    assert hidden.texts("p", **{"class": "hidden-hand"}) == ["North: hidden", "East: hidden", "West: hidden"]
    assert embed(client, board, "?step=end").html == embed(client, board, "?step=999").html


def test_the_frame_takes_one_query(client: Client, board: Board) -> None:
    with CaptureQueriesContext(connection) as captured:
        embed(client, board, "?step=3")
    assert len(captured) == 1


def weight(page: Document) -> int:
    files = [found["href"] for found in page.head(rel="stylesheet")]
    files += [found["src"] for found, _ in page.all("script")]
    paths = (Path(finders.find(file.removeprefix("/static/"))) for file in files)
    return len(page.html.encode()) + sum(path.stat().st_size for path in paths)


def test_a_frame_with_its_styles_weighs_at_most_thirty_kilobytes(client: Client, board: Board) -> None:
    Board.objects.filter(pk=board.pk).update(title="<" * 200, event="<" * 200, site="<" * 200)
    for query in ("", "?step=end", "?show=north"):
        assert weight(embed(client, board, query)) <= 30_000, query


def test_so_does_the_frame_of_any_auction(client: Client) -> None:
    """So many bids, doubled and redoubled, alerted and explained: 319 calls at most."""
    board = factories.board(number=1, calls="Pass", title="<" * 200)
    weights = {}
    for bids, explanation in product((1, 2, 3, 4, 5, 35), ("", "e" * 10, "<" * 100)):
        calls = [Call("Pass")] * 3
        for bid in BIDS[:bids]:
            for each in (bid, "Pass", "Pass", "X", "Pass", "Pass", "XX", "Pass", "Pass"):
                calls.append(Call(each, alert=True, explanation=explanation))
        auction = Auction(Seat.NORTH, (*calls[:-2], *[Call("Pass")] * 3))
        record = factories.record(number=1, auction=auction, title="<" * 200)
        Board.objects.filter(pk=board.pk).update(**columns_of(record))
        for query in ("", "?step=end"):
            weights[bids, explanation[:1], query] = weight(embed(client, board, query))
    assert {case: each for case, each in weights.items() if each > 30_000} == {}
    assert len({*weights.values()}) > 9  # they are those of different auctions


def test_hostile_texts_are_nothing_but_text(client: Client) -> None:
    hostile = "</p><script>alert(1)</script><p onclick='x'>\"&lt;"
    auction = Auction(Seat.NORTH, (Call("1C", True, hostile), *[Call("Pass")] * 3))
    page = embed(client, factories.board(title=hostile, event=hostile, number=1, auction=auction))
    assert page.texts("h1") == [hostile] and not page.all("script")
    assert hostile in page.texts("li")[-1]
