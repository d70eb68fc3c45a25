"""GET /boards/{id}/embed: a board in a frame on another site, and no other page in any."""

from itertools import product
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from boards.models import Board, Collection
from boards.records import columns_of
from bridge.auction import BIDS, Auction, Call
from bridge.seats import Seat
from tests import factories
from tests.pages.documents import Document
from tests.pages.opening import logged_in, open_page, queries_of
from tests.routes import routes
from tests.system.test_every_page import size_of
from tests.test_access import World

pytestmark = pytest.mark.django_db

FRAMED = {
    *("/boards/<any_uuid:pk>/embed", "/boards/<any_uuid:pk>/traveller/embed", "/events/<slug:slug>/embed"),
    *("/collections/<any_uuid:pk>/embed", "/today/embed"),
}


def embed(client: Client, board: Board, query: str = "") -> Document:
    return open_page(client, f"/boards/{board.pk}/embed{query}")


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
    framed = {each.path for each in tried if may_be_framed(world.send(client, "GET", each.path))}
    assert framed == FRAMED
    for path in ("/nothing", "/admin/login/", "/boards/1/embed"):
        assert not may_be_framed(client.get(path))


def test_the_rest_of_the_policy_holds_in_a_frame_and_is_not_said_again(client: Client, board: Board) -> None:
    path = f"/boards/{board.pk}/embed"
    framed, page = client.get(path), client.get(f"/boards/{board.pk}")
    policy = page["Content-Security-Policy"].replace("frame-ancestors 'none'", "frame-ancestors *")
    assert framed["Content-Security-Policy"] == policy != page["Content-Security-Policy"]
    again = client.get(path, headers={"if-none-match": framed["ETag"]})
    assert again.status_code == 304
    assert "X-Frame-Options" not in again and "Content-Security-Policy" not in again


def test_a_mistake_or_a_draft_is_not_framed(client: Client, board: Board) -> None:
    draft, staff = factories.board(published=False), logged_in(factories.account(role="support"))
    for caller, path, status in (
        (client, f"/boards/{board.pk}/embed?step=x", 400),
        (client, f"/boards/{board.pk}/embed?step=1&step=2", 400),
        (client, f"/boards/{draft.pk}/embed", 404),
        (staff, f"/boards/{draft.pk}/embed", 404),
    ):
        response = caller.get(path)
        assert (response.status_code, may_be_framed(response)) == (status, False), path


def test_the_frame_has_the_board_by_one_query_and_leads_to_its_page_in_a_tab(client: Client, board: Board) -> None:
    page, path = embed(client, board), f"/boards/{board.pk}/embed?step=3"
    assert page.texts("h1") == ["A title"] and "three no trump by North" in page.html
    assert (page.canonical(), page.is_indexed()) == (f"http://testserver/boards/{board.pk}", False)
    (link,) = [found for found, text in page.all("a") if text.startswith("On Bridge Boards")]
    assert link == {"href": f"/boards/{board.pk}", "target": "_blank", "rel": "noopener"}
    assert not page.all("header") and not page.all("footer")
    assert queries_of(client, path) == {path: 1}


def test_each_link_of_a_step_stays_in_the_frame(client: Client, board: Board) -> None:
    path = f"/boards/{board.pk}/embed"
    assert embed(client, board).links()["Step through"] == f"{path}?step=0#next"
    page = embed(client, board, "?show=south&step=3")
    assert page.links()["Next"] == f"{path}?show=south&step=4#next"
    inside = [found for found, text in page.all("a") if not text.startswith("On Bridge")]
    assert inside and not [found for found in inside if "target" in found or found["href"][:1] not in "/#"]


def test_a_step_and_hidden_hands_tell_no_more_than_on_the_page_of_the_board(client: Client, board: Board) -> None:
    assert "three no trump" not in embed(client, board, "?step=2").html
    hidden = embed(client, board, "?show=south")
    assert "three no trump" not in hidden.html and "3NT" not in hidden.html
    concealed = [text for text in hidden.texts("p") if text.endswith(": hidden")]
    assert concealed == ["North: hidden", "East: hidden", "West: hidden"]
    assert embed(client, board, "?step=end").html == embed(client, board, "?step=999").html


def weight(page: Document) -> int:
    files = [found["href"] for found in page.head(rel="stylesheet")]
    files += [found["src"] for found, _ in page.all("script")]
    return len(page.html.encode()) + sum(map(size_of, files))


def test_the_frame_of_any_board_weighs_at_most_thirty_kilobytes_with_its_styles(client: Client, board: Board) -> None:
    """Try so many bids, doubled and redoubled, alerted and explained: 319 calls at most."""
    Board.objects.filter(pk=board.pk).update(title="<" * 200, event="<" * 200, site="<" * 200)
    weights = {query: weight(embed(client, board, query)) for query in ("", "?step=end", "?show=north")}
    for bids, explanation in product((1, 2, 3, 4, 5, 35), ("", "e" * 10, "<" * 100)):
        calls = [Call("Pass")] * 3
        for bid in BIDS[:bids]:
            for each in (bid, "Pass", "Pass", "X", "Pass", "Pass", "XX", "Pass", "Pass"):
                calls.append(Call(each, alert=True, explanation=explanation))
        auction = Auction(Seat.NORTH, (*calls[:-2], *[Call("Pass")] * 3))
        record = factories.record(number=1, auction=auction, title="<" * 200)
        Board.objects.filter(pk=board.pk).update(**columns_of(record))
        for query in ("", "?step=end"):
            weights[f"{bids} {explanation[:1]} {query}"] = weight(embed(client, board, query))
    assert {case: each for case, each in weights.items() if each > 30_000} == {}
    assert len({*weights.values()}) > 12  # they are those of different auctions
