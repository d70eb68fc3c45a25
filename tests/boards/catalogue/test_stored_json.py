"""The stored JSON: its format, and what nobody can smuggle into it."""

import json
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

import pytest
from rest_framework.test import APIClient

from boards.catalogue.refreshing import make_row, refresh
from boards.catalogue.stored_json import (
    JSON_FORMAT,
    SEPARATOR,
    make_stored_json,
    stored_json_renderer,
)
from boards.models import Board, PublishedBoard
from boards.serializers import BoardSerializer
from bridge.double_dummy import dealer_key
from config.values.strict_json import dump_json
from deals.models import Deal
from tests import factories
from tests.boards.catalogue.comparing import assert_readers_get_what_the_boards_say
from themes.labels import get_label_cache, get_revision
from themes.models import Theme

pytestmark = pytest.mark.django_db

MOMENT = datetime(2026, 11, 22, 12, tzinfo=UTC)

HOSTILE = (
    *(f"a{SEPARATOR.decode()}b{SEPARATOR.decode() * 2}", r"\u001e\u001e", '","links":{},"themes":[]'),
    *('"votes":\x1e\x1e,"links":\x1e\x1e', "Ω ♠♥♦♣ 𝕏 \u2028\u2029 é", "</script><!--\\", str(UUID(int=0))),
)


def test_no_text_of_a_board_and_no_label_is_taken_for_a_placeholder() -> None:
    system, theme = factories.auction_system(), factories.theme()
    board = factories.board(themes=(theme,), auction_system=system, votes=(3, 2))
    for text in HOSTILE:
        Board.objects.filter(pk=board.pk).update(event=text, title=text, commentary=text)
        refresh([board.pk])
        assert PublishedBoard.objects.get(pk=board.pk).json.encode().count(SEPARATOR) == 8, text
        theme.labels = {"en": text, "x": [text, {"y": text}]}
        theme.save()
        type(system).objects.filter(pk=system.pk).update(labels={"en": text})
        shown = APIClient().get(f"/api/boards/{board.pk}").json()
        assert (shown["commentary"], shown["event"], shown["title"]) == (text, text, text)
        assert shown["votes"] == {"up": 3, "down": 2}, text
        assert [each["labels"] for each in shown["themes"]] == [theme.labels]
        assert shown["auctionSystem"]["labels"] == {"en": text}
        assert_readers_get_what_the_boards_say()


def test_a_theme_and_a_system_that_were_deleted_after_the_text_was_read_are_left_out() -> None:
    system, gone = factories.auction_system(), factories.theme()
    board = factories.board(themes=(gone, factories.theme("kept")), auction_system=system)
    text = PublishedBoard.objects.get(pk=board.pk).json
    Theme.objects.filter(pk=gone.pk).delete()
    Board.objects.update(auction_system=None)
    system.delete()
    finished = dump_json(
        stored_json_renderer(get_label_cache(get_revision()), "https://boards.example").render(text, 0, 0)
    ).decode()
    assert '"auctionSystem":null,' in finished
    assert finished.count('"identifier":') == 1 and '"identifier":"kept"' in finished


def whole_board() -> Board:
    """Store a board in which each field has a value, none of them by chance."""
    par = {name: {"score": -50, "contracts": ["NS 2CX-1"]} for name in ("None", "NS", "EW", "All")}
    par[dealer_key("EW", "S")] = {"score": 90, "contracts": ["NS 2C"]}
    played = {"number": 3, "calls": "1NT X Pass Pass Pass", "tricks": 6, "event": "Friday pairs", "date": "2026.11.22"}
    texts = {"title": "A title", "commentary": "Two\n\nparagraphs", "site": "The club", "scoring": "MP"}
    stored = factories.board(
        1,
        **played,
        **texts,
        themes=(factories.theme("stayman", id=UUID(int=3)),),
        auction_system=factories.auction_system("acol", id="acol"),
        published=False,
    )
    Deal.objects.filter(pk=stored.deal_id).update(double_dummy_status="done", double_dummy="7" * 20, par=par)
    board = Board.objects.with_details().get(pk=stored.pk)
    deal = board.deal
    board.pk, deal.pk = UUID(int=1), UUID(int=2)
    board.deal = deal
    board.published_at = board.created_at = board.updated_at = MOMENT
    return board


def test_the_format_is_the_digest_of_a_board_s_row() -> None:
    row = make_row(whole_board())
    assert row.event_deal is not None
    text = "\n".join([row.json, *map(str, row.event_deal.key)])
    digest = int(sha256(text.encode()).hexdigest()[:8], 16) & 0x7FFF_FFFF
    assert digest == JSON_FORMAT, (
        f"A board that has not changed gets another row. Write JSON_FORMAT = {digest:#010X} in"
        " boards/catalogue/stored_json.py: otherwise readers keep getting what is stored."
    ).replace("0X", "0x")


def test_the_digest_depends_on_each_field() -> None:
    stored = json.loads(make_stored_json(whole_board()).replace(SEPARATOR.decode(), '"'))
    assert stored.keys() == BoardSerializer().fields.keys() - {"ownVote"}


def test_json_of_another_format_is_not_used_and_left_out_where_its_board_is_gone() -> None:
    board = factories.board(title="The title", themes=(factories.theme(),), votes=(2, 1))
    PublishedBoard.objects.filter(pk=board.pk).update(json="not even JSON", json_format=0)
    client = APIClient()
    assert client.get(f"/api/boards/{board.pk}").json()["title"] == "The title"
    (shown,) = client.get("/api/boards").json()["boards"]
    assert shown["votes"] == {"up": 2, "down": 1}
    stream = client.get("/api/boards", headers={"accept": "application/x-ndjson"})
    assert json.loads(b"".join(stream.streaming_content)) == shown
    Board.objects.filter(pk=board.pk).update(published_at=None)  # as if after the statement
    assert client.get(f"/api/boards/{board.pk}").status_code == 404
    assert client.get("/api/boards").json()["boards"] == []


def test_another_public_address_shows_at_once(settings: Any) -> None:
    board = factories.board()
    for address in ("https://one.example", "https://two.example"):
        settings.PUBLIC_BASE_URL = address
        links = APIClient().get(f"/api/boards/{board.pk}").json()["links"]
        assert links["html"] == f"{address}/boards/{board.pk}"
        assert_readers_get_what_the_boards_say()
