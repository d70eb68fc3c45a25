"""Serializers of what the API answers. Those of what services send are in boards.input_serializers."""

from collections.abc import Callable
from functools import cache
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.functional import cached_property
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from accounts.fields import AuctionSystemSerializer
from boards.models import SEAT_CHOICES, VULNERABILITY_CHOICES, Board
from boards.records import decode_call
from config.api import fields
from config.api.cursors import CursorPaginationSerializer
from config.api.serializers import ReadSerializer
from deals.bridge.auction import is_over
from deals.bridge.contract import Denomination
from deals.double_dummy import Par, par_for
from deals.models import Deal
from deals.serializers import DoubleDummyField, HandsSerializer, PointsSerializer, hands_of, points_of


class CallSerializer(ReadSerializer):
    call = serializers.CharField(help_text="1C … 7NT, Pass, X or XX.")
    alert = serializers.BooleanField()
    explanation = serializers.CharField()


class AuctionSerializer(ReadSerializer):
    """The calls in order, starting with the dealer."""

    calls = CallSerializer(many=True)
    complete = serializers.BooleanField()


class ContractSerializer(ReadSerializer):
    """`level`, `denomination` and `declarer` are null when the board was passed out."""

    text = serializers.CharField(help_text="Such as 4SX, or Pass.")
    passedOut = serializers.BooleanField(source="passed_out")
    level = serializers.IntegerField(allow_null=True)
    denomination = serializers.ChoiceField(choices=[d.value for d in Denomination], allow_null=True)
    doubled = serializers.ChoiceField(choices=["", "X", "XX"], allow_blank=True)
    declarer = serializers.ChoiceField(choices=SEAT_CHOICES, allow_null=True)


class ResultSerializer(ReadSerializer):
    """`tricks` is null when the board was passed out."""

    tricks = serializers.IntegerField(allow_null=True)
    score = serializers.IntegerField(help_text="North-South's points, by Law 77.")


class ParSerializer(ReadSerializer):
    """The score, and the contracts that lead to it, when all four players bid and play perfectly."""

    score = serializers.IntegerField(help_text="North-South's points.")
    contracts = serializers.ListField(child=serializers.CharField())


class BoardThemeSerializer(ReadSerializer):
    id = serializers.UUIDField()
    identifier = serializers.CharField()
    type = serializers.CharField()
    labels = serializers.DictField()


class VotesSerializer(ReadSerializer):
    up = serializers.IntegerField(source="up_votes")
    down = serializers.IntegerField(source="down_votes")


class LinksSerializer(ReadSerializer):
    """Addresses of the board's files and page.

    `html` is "" for a draft: pages take no tokens, so a caller of the API could not open it.
    """

    pbn = serializers.CharField()
    lin = serializers.CharField()
    svg = serializers.CharField()
    html = serializers.CharField()


class BoardSerializer(ReadSerializer):
    """A whole board. Serialize boards of `with_details()` only, so that no board costs a query of its own.

    A caller with a token gets its own votes: give them as `own_votes` in the context, by board id.
    """

    optional_fields = ("ownVote",)

    id = serializers.UUIDField()
    dealId = serializers.UUIDField(source="deal_id")
    boardNumber = serializers.IntegerField(source="board_number", allow_null=True)
    title = serializers.CharField()
    commentary = serializers.CharField()
    event = serializers.CharField()
    site = serializers.CharField()
    date = serializers.CharField()
    scoring = serializers.CharField()
    dealer = serializers.ChoiceField(choices=SEAT_CHOICES)
    vulnerability = serializers.ChoiceField(choices=VULNERABILITY_CHOICES)
    hands = serializers.SerializerMethodField()
    hcp = serializers.SerializerMethodField()
    auction = serializers.SerializerMethodField()
    contract = ContractSerializer(source="final_contract", allow_null=True)
    openingLead = serializers.SerializerMethodField()
    play = serializers.ListField(child=serializers.CharField(), allow_null=True)
    result = serializers.SerializerMethodField()
    doubleDummyStatus = serializers.ChoiceField(
        source="deal.double_dummy_status", choices=Deal.DoubleDummyStatus.choices
    )
    doubleDummy = DoubleDummyField(source="deal.double_dummy")
    par = serializers.SerializerMethodField()
    auctionSystem = AuctionSystemSerializer(source="auction_system", allow_null=True)
    themes = BoardThemeSerializer(many=True)
    userId = serializers.CharField(source="owner_id")
    votes = VotesSerializer(source="*")
    ownVote = serializers.SerializerMethodField(
        help_text="Your own vote, or null. Only an answer to a request with a bearer token has this field."
    )
    links = serializers.SerializerMethodField()
    publishedAt = fields.TimestampField(source="published_at", allow_null=True, help_text="null for a draft.")
    createdAt = fields.TimestampField(source="created_at")
    updatedAt = fields.TimestampField(source="updated_at")

    @cached_property
    def getters(self) -> list[tuple[str, Callable[[Any], Any]]]:
        """Return all getters, or all but that of ownVote where the caller is not known."""
        shown = super().getters
        return shown if "own_votes" in self.context else [each for each in shown if each[0] != "ownVote"]

    @extend_schema_field(serializers.ChoiceField(choices=["up", "down"], allow_null=True))
    def get_ownVote(self, board: Board) -> str | None:
        return self.context["own_votes"].get(board.pk)

    @extend_schema_field(HandsSerializer)
    def get_hands(self, board: Board) -> dict[str, Any]:
        return hands_of(board.deal.layout)

    @extend_schema_field(PointsSerializer)
    def get_hcp(self, board: Board) -> dict[str, int]:
        return points_of(board.deal.layout)

    @extend_schema_field(AuctionSerializer(allow_null=True))
    def get_auction(self, board: Board) -> dict[str, Any] | None:
        if board.auction is None:
            return None
        calls = [decode_call(stored) for stored in board.auction]
        return {"calls": calls, "complete": is_over([call["call"] for call in calls])}

    def get_openingLead(self, board: Board) -> str | None:
        return board.opening_lead or None

    @extend_schema_field(ResultSerializer(allow_null=True))
    def get_result(self, board: Board) -> dict[str, int | None] | None:
        score = board.score
        return None if score is None else {"tricks": board.tricks, "score": score}

    @extend_schema_field(ParSerializer(allow_null=True))
    def get_par(self, board: Board) -> Par | None:
        return board.deal.par and par_for(board.deal.par, board.vulnerability, board.dealer)

    @extend_schema_field(LinksSerializer)
    def get_links(self, board: Board) -> dict[str, str]:
        return links_of(board, settings.PUBLIC_BASE_URL)


def links_of(board: Board, base_url: str) -> dict[str, str]:
    """Return the addresses of the board's files and page by the names of LinksSerializer."""
    api, pages = link_prefixes()
    address = f"{base_url}{api}/{board.pk}"
    page = f"{base_url}{pages}/{board.pk}" if board.published_at else ""
    return {"pbn": f"{address}.pbn", "lin": f"{address}.lin", "svg": f"{address}.svg", "html": page}


@cache
def link_prefixes() -> tuple[str, str]:
    """Return the paths of the API's boards and of the boards' pages. Reversing URLs for each board would be slow."""
    return reverse("board-list"), reverse("gallery")


@extend_schema_serializer(many=False)
class BoardPageSerializer(serializers.Serializer):
    """One page of boards."""

    boards = BoardSerializer(many=True)
    pagination = CursorPaginationSerializer()
