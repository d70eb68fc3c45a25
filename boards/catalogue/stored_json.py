"""The JSON of a published board: made and stored when the board changes, rendered when it is read.

BoardSerializer alone says what a board looks like. The stored JSON has all of it but what changes without the board:
the auction system, the themes, the votes and the links. Each of these has a placeholder: two separators, and between
them the ids that are needed to render it:

    {"id":…,"par":…,"auctionSystem":␞acol␞,"themes":␞ID,ID␞,"userId":…,"votes":␞␞,"links":␞ID␞,"publishedAt":…}
"""

from functools import lru_cache
from typing import Any
from uuid import UUID

from django.utils import timezone
from orjson import Fragment
from rest_framework import serializers

from accounts.fields import AuctionSystemSerializer
from boards.models import Board
from boards.serializers import BoardSerializer, BoardThemeSerializer, VotesSerializer, links_of
from config.api.serializers import shared_instance
from config.values.strict_json import dump_json
from themes.labels import LabelCache

JSON_FORMAT = 0x4325FF76
"""The digest of a board's row. When a board that has not changed gets another one, by a further field or another
notation of a value, tests/boards/catalogue/test_stored_json.py fails and says what to write here.

Rows of another format are not used, and `manage.py refresh_boards` renews them.
"""

SEPARATOR = b"\x1e"
"""JSON escapes control characters (RFC 8259 §7), so what is stored has none of its own."""


NIL = str(UUID(int=0)).encode()
"""The id in the links whose place a board's own id takes."""

MAX_THEME_LISTS = 1024
"""The sets of themes whose JSON a process remembers. Most boards have one of a few."""


def placeholder(content: str = "") -> Fragment:
    return Fragment(SEPARATOR + content.encode() + SEPARATOR)


class StoredBoardSerializer(BoardSerializer):
    """A board with placeholders. Give it boards of `with_details()` only."""

    auctionSystem = serializers.SerializerMethodField()  # type: ignore[assignment]  # a placeholder
    themes = serializers.SerializerMethodField()  # type: ignore[assignment]  # a placeholder
    votes = serializers.SerializerMethodField()  # type: ignore[assignment]  # a placeholder
    links = serializers.SerializerMethodField()

    def get_auctionSystem(self, board: Board) -> Fragment:
        return placeholder(board.auction_system_id or "")

    def get_themes(self, board: Board) -> Fragment:
        return placeholder(",".join(str(theme.pk) for theme in board.themes.all()))

    def get_votes(self, board: Board) -> Fragment:
        return placeholder()

    def get_links(self, board: Board) -> Any:
        return placeholder(str(board.pk))


def make_stored_json(board: Board) -> str:
    """Return the JSON to store. Its format is JSON_FORMAT."""
    return dump_json(shared_instance(StoredBoardSerializer).to_representation(board)).decode()


def read_updated_at(stored: str) -> str:
    """Return the end of stored JSON, from the value of its last field `updatedAt` on."""
    return stored.rpartition('"updatedAt":')[2]


class StoredJsonRenderer:
    """Renders stored JSON: puts labels, votes, and addresses under a base URL in place of the placeholders.

    Its parts are bytes: to join strings and encode them then takes twice as long where a label is not in ASCII.
    """

    def __init__(self, labels: LabelCache, base_url: str) -> None:
        self.auction_systems = {
            system.pk.encode(): dump_json(AuctionSystemSerializer(system).data)
            for system in labels.auction_systems.values()
        }
        self.themes = {
            str(theme.pk).encode(): (order, dump_json(BoardThemeSerializer(theme).data))
            for order, theme in enumerate(labels.themes.values())
        }
        self.write_themes = lru_cache(MAX_THEME_LISTS)(self.join_themes)
        self.links = dump_json(links_of(Board(id=UUID(int=0), published_at=timezone.now()), base_url))

    def render(self, stored: str, up_votes: int, down_votes: int, own_vote: bytes = b"") -> Fragment:
        """Return the JSON of a board for readers. `own_vote` is that of `write_own_vote`, for a caller with a token.

        A theme or an auction system that was deleted after the row was read is left out.
        """
        start, system, to_themes, themes, to_votes, _, to_links, board_id, end = stored.encode().split(SEPARATOR)
        parts = (
            *(start, self.auction_systems.get(system, b"null")),
            *(to_themes, self.write_themes(themes)),
            *(to_votes, write_votes(up_votes, down_votes) + own_vote),
            *(to_links, self.links.replace(NIL, board_id), end),
        )
        return Fragment(b"".join(parts))

    def join_themes(self, ids: bytes) -> bytes:
        """Return the JSON array of these themes in their order."""
        found = sorted([self.themes[theme_id] for theme_id in ids.split(b",") if theme_id in self.themes])
        return b"[%b]" % b",".join([written for _, written in found])


@lru_cache(maxsize=2)
def stored_json_renderer(labels: LabelCache, base_url: str) -> StoredJsonRenderer:
    """Return the renderer for these labels, which is kept as long as they are."""
    return StoredJsonRenderer(labels, base_url)


@lru_cache(maxsize=1024)
def write_votes(up: int, down: int) -> bytes:
    return dump_json(VotesSerializer(Board(up_votes=up, down_votes=down)).data)


def write_own_vote(value: str | None) -> bytes:
    """Return the field ownVote, which follows `votes` as in BoardSerializer. No stored JSON has it."""
    return b',"ownVote":' + dump_json(value)
