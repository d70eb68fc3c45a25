"""Serializers of a board as the API answers it. Those of what services send are in boards.input_serializers."""

from functools import cache
from typing import Any

from django.conf import settings
from django.urls import reverse
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from accounts.fields import AuctionSystemSerializer
from boards.analysis import summarise_play, verdict_of
from boards.models import SEAT_CHOICES, VULNERABILITY_CHOICES, Board
from boards.records import decode_call
from bridge.auction import is_over
from bridge.board import TEXTS
from bridge.contract import Denomination
from bridge.double_dummy import Par, par_for
from bridge.names import SIDE_NAMES
from bridge.verdict import CODES
from config.api import fields
from config.api.pagination import CursorPaginationSerializer
from config.api.serializers import ReadSerializer, shared_instance, wire_name
from deals.models import SolverStatus
from deals.serializers import DoubleDummyField, HandsSerializer, PointsSerializer, hands_of, points_of


class CallSerializer(ReadSerializer):
    """A call of the auction."""

    call = serializers.CharField(help_text="1C … 7NT, Pass, X or XX.")
    alert = serializers.BooleanField(help_text="Whether the call was alerted.")
    explanation = serializers.CharField(help_text='What the call means, or "".')


class AuctionSerializer(ReadSerializer):
    """The calls in order, starting with the dealer."""

    calls = CallSerializer(many=True, help_text="The calls in order, starting with the dealer.")
    complete = serializers.BooleanField(help_text="Whether three passes have ended the auction, or four without a bid.")


class ContractSerializer(ReadSerializer):
    """`level`, `denomination` and `declarer` are null when the board was passed out."""

    text = serializers.CharField(help_text="Such as 4SX, or Pass.")
    passedOut = serializers.BooleanField(source="passed_out", help_text="Whether all four players passed.")
    level = serializers.IntegerField(
        allow_null=True, help_text="From 1 to 7. It is null when the board was passed out."
    )
    denomination = serializers.ChoiceField(
        choices=[d.value for d in Denomination],
        allow_null=True,
        help_text="The trump suit, or NT. It is null when the board was passed out.",
    )
    doubled = serializers.ChoiceField(
        choices=["", "X", "XX"], allow_blank=True, help_text='X when doubled, XX when redoubled, else "".'
    )
    declarer = serializers.ChoiceField(
        choices=SEAT_CHOICES,
        allow_null=True,
        help_text="The seat that plays the contract. It is null when the board was passed out.",
    )


class ResultSerializer(ReadSerializer):
    """`tricks` is null when the board was passed out."""

    tricks = serializers.IntegerField(
        allow_null=True, help_text="The tricks that declarer won. It is null when the board was passed out."
    )
    score = serializers.IntegerField(help_text="North-South's points, by Law 77.")


class ParSerializer(ReadSerializer):
    """The score, and the contracts that lead to it, when all four players bid and play perfectly."""

    score = serializers.IntegerField(help_text="North-South's points.")
    contracts = serializers.ListField(
        child=serializers.CharField(),
        help_text="The contracts that lead to the score: who declares, and the contract with what it makes, such as"
        " NS 4S, E 1NT+1 or EW 5DX-2.",
    )


class PlayedCardSerializer(ReadSerializer):
    """A card of the play."""

    trick = serializers.IntegerField(help_text="The number of the trick, from 1.")
    seat = serializers.ChoiceField(choices=SEAT_CHOICES, help_text="Who played the card.")
    card = serializers.CharField(help_text="The card, such as HK.")
    cost = serializers.IntegerField(help_text="The tricks that the card cost its side, with all cards seen.")


class PlayAnalysisSerializer(ReadSerializer):
    """What the cards of the play cost with all cards seen. Without a `done` analysis there are no figures."""

    status = serializers.ChoiceField(
        choices=SolverStatus.choices,
        help_text="The state of the analysis: pending, done, failed, or unavailable without a solver.",
    )
    lead = serializers.IntegerField(allow_null=True, help_text="The tricks that the opening lead cost.")
    cards = PlayedCardSerializer(
        many=True, help_text="The cards that cost a trick or more, the lead among them, in the order of play."
    )
    lostByDeclarer = serializers.IntegerField(
        source="lost_by_declarer",
        allow_null=True,
        help_text="The tricks that declarer's and dummy's cards cost in total.",
    )
    lostByDefence = serializers.IntegerField(
        source="lost_by_defence",
        allow_null=True,
        help_text="The tricks that the defenders' cards cost in total.",
    )


class VerdictSerializer(ReadSerializer):
    """A sentence, with its code and the figures that it is made of, for clients that write their own."""

    code = serializers.ChoiceField(
        choices=CODES,
        help_text="What the sentence is about. `contract_par` has points where IMPs are counted and they are none.",
    )
    text = serializers.CharField(
        help_text='The sentence in English. The first that compares says "with all cards seen", for those after it too.'
    )
    side = serializers.ChoiceField(
        choices=list(SIDE_NAMES), allow_null=True, help_text="The side that the sentence is about, or null."
    )
    tricks = serializers.IntegerField(allow_null=True, help_text="A difference in tricks, for that side, or null.")
    points = serializers.IntegerField(allow_null=True, help_text="A difference in points, for that side, or null.")
    score = serializers.IntegerField(allow_null=True, help_text="North-South's points, or null.")
    contracts = serializers.ListField(
        child=serializers.CharField(), help_text="The contracts of par, written as in `par`."
    )
    cards = PlayedCardSerializer(many=True, help_text="The cards that the sentence is about.")


class BoardThemeSerializer(ReadSerializer):
    """A theme of the board."""

    id = serializers.UUIDField(help_text="The id of the theme.")
    identifier = serializers.CharField(help_text="A short name for programs, unique within the type.")
    type = serializers.CharField(help_text="Such as convention, declarer_play or system_bidding.")
    labels = serializers.DictField(help_text="Its name in each language, by language tag.")


class VotesSerializer(ReadSerializer):
    """The number of votes of all accounts."""

    up = serializers.IntegerField(source="up_votes", help_text="How many accounts voted for the board.")
    down = serializers.IntegerField(source="down_votes", help_text="How many accounts voted against the board.")


class LinksSerializer(ReadSerializer):
    """Addresses of the board's files and page.

    `html` and `handviewer` are "" for a draft: pages take no tokens, so a caller of the API could not open them.
    """

    pbn = serializers.CharField(help_text="The address of the PBN file.")
    lin = serializers.CharField(help_text="The address of the LIN file.")
    svg = serializers.CharField(help_text="The address of the picture of the hands.")
    html = serializers.CharField(help_text='The address of the page, or "" for a draft.')
    handviewer = serializers.CharField(
        help_text='The address that leads to the board in Bridge Base Online\'s hand viewer, or "" for a draft.'
    )


def text_field(column: str) -> tuple[str, serializers.Field]:
    """Return the name on the wire and the field of a board's text, as its column describes it."""
    described: Any = Board._meta.get_field(column)
    options: dict[str, Any] = {
        "source": column if "_" in column else None,
        "help_text": f'{described.help_text} "" when it is not known.',
    }
    if described.choices:
        return wire_name(column), serializers.ChoiceField(described.choices, allow_blank=True, **options)
    return wire_name(column), serializers.CharField(**options)


class BoardSerializer(ReadSerializer):
    """A board: a deal with its auction, contract, play and result, as far as they are known."""

    optional_fields = ("ownVote",)

    # Serialize boards of `with_details()` only, so that no board costs a query of its own. A caller with a token gets
    # its own votes: give them as `own_votes` in the context, by board id.

    id = serializers.UUIDField(help_text="The id of the board.")
    dealId = serializers.UUIDField(
        source="deal_id", help_text="The id of the deal. Several boards may show the same deal."
    )
    boardNumber = serializers.IntegerField(
        source="board_number", allow_null=True, help_text="The number on the board, or null when there is none."
    )
    commentary = serializers.CharField(help_text='Plain text, or "". A blank line begins a new paragraph.')
    dealCommentary = serializers.CharField(
        source="deal_commentary",
        help_text='A commentary on the deal, the same at all its tables, or "". Plain text.',
    )
    eventSlug = serializers.CharField(
        source="event_slug",
        help_text='The event in addresses: the filter event=, and the page /events/{eventSlug}. "" without an event.',
    )
    dealer = serializers.ChoiceField(choices=SEAT_CHOICES, help_text="The seat that calls first.")
    vulnerability = serializers.ChoiceField(choices=VULNERABILITY_CHOICES, help_text="Which sides are vulnerable.")
    hands = serializers.SerializerMethodField(help_text="The four hands by seat.")
    hcp = serializers.SerializerMethodField(help_text="The high-card points of each hand.")
    auction = serializers.SerializerMethodField(help_text="The auction, or null when it is not known.")
    contract = ContractSerializer(
        source="final_contract", allow_null=True, help_text="The contract, or null when it is not known."
    )
    openingLead = serializers.SerializerMethodField(
        help_text="The first card played, such as HK, or null when it is not known."
    )
    play = serializers.ListField(
        child=serializers.CharField(),
        allow_null=True,
        help_text="The cards in the order they were played, or null when they are not known.",
    )
    result = serializers.SerializerMethodField(help_text="The result, or null when it is not known.")
    doubleDummyStatus = serializers.ChoiceField(
        source="deal.double_dummy_status",
        choices=SolverStatus.choices,
        help_text="The state of the double-dummy table: pending, done, failed, or unavailable without a solver.",
    )
    doubleDummy = DoubleDummyField(
        source="deal.double_dummy", help_text="The double-dummy table, or null until it is computed."
    )
    par = serializers.SerializerMethodField(help_text="The par, or null until the double-dummy table is computed.")
    analysis = serializers.SerializerMethodField(
        help_text="What the cards of the play cost with all cards seen, or null if no card is known."
    )
    verdict = serializers.SerializerMethodField(
        help_text="What double dummy says about the board, in sentences. Empty until something is computed."
    )
    auctionSystem = AuctionSystemSerializer(
        source="auction_system",
        allow_null=True,
        help_text="The bidding system of the auction, or null when it is not known.",
    )
    systemText = serializers.CharField(
        source="system_text",
        help_text='The bidding system as a file names it, if this site does not know it, or "".',
    )
    themes = BoardThemeSerializer(many=True, help_text="What the board teaches.")
    userId = serializers.CharField(source="owner_id", help_text="The owner's account id.")
    votes = VotesSerializer(source="*", help_text="How many votes the board has.")
    ownVote = serializers.SerializerMethodField(
        help_text="Your own vote, or null. Only an answer to a request with a bearer token has this field."
    )
    links = serializers.SerializerMethodField(help_text="Addresses of the board's files and page.")
    publishedAt = fields.TimestampField(source="published_at", allow_null=True, help_text="null for a draft.")
    createdAt = fields.TimestampField(source="created_at", help_text="When the board was stored.")
    updatedAt = fields.TimestampField(source="updated_at", help_text="When the board was last changed.")

    def get_fields(self) -> dict[str, serializers.Field]:
        """Return the declared fields, and behind boardNumber those of the texts (bridge.board.TEXTS)."""
        declared = super().get_fields()
        first = {name: declared.pop(name) for name in ("id", "dealId", "boardNumber")}
        return {**first, **dict(map(text_field, TEXTS)), **declared}

    def to_representation(self, instance: Board) -> dict[str, Any]:
        """Return all fields, or all but ownVote where the caller is not known."""
        shown: dict[str, Any] = super().to_representation(instance)
        if "own_votes" not in self.context:
            del shown["ownVote"]
        return shown

    @extend_schema_field(serializers.ChoiceField(choices=["up", "down"], allow_null=True))
    def get_ownVote(self, board: Board) -> str | None:
        return self.context.get("own_votes", {}).get(board.pk)

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

    @extend_schema_field(PlayAnalysisSerializer(allow_null=True))
    def get_analysis(self, board: Board) -> dict[str, Any] | None:
        summary = summarise_play(board)
        return shared_instance(PlayAnalysisSerializer).to_representation(summary) if summary else None

    @extend_schema_field(VerdictSerializer(many=True))
    def get_verdict(self, board: Board) -> list[dict[str, Any]]:
        return list(map(shared_instance(VerdictSerializer).to_representation, verdict_of(board)))

    @extend_schema_field(LinksSerializer)
    def get_links(self, board: Board) -> dict[str, str]:
        return links_of(board, settings.PUBLIC_BASE_URL)


def links_of(board: Board, base_url: str) -> dict[str, str]:
    """Return the addresses of the board's files and page by the names of LinksSerializer."""
    api, pages = link_prefixes()
    address = f"{base_url}{api}/{board.pk}"
    page = f"{base_url}{pages}/{board.pk}" if board.published_at else ""
    files = {name: f"{address}.{name}" for name in ("pbn", "lin", "svg")}
    return {**files, "html": page, "handviewer": page and f"{page}/hand-viewer"}


@cache
def link_prefixes() -> tuple[str, str]:
    """Return the paths of the API's boards and of the boards' pages. Reversing URLs for each board would be slow."""
    return reverse("board-list"), reverse("gallery")


class UnderstoodPartSerializer(ReadSerializer):
    text = serializers.CharField(help_text="What was written.")
    query = serializers.CharField(
        help_text="The same in the search language; for a hand's part, within the hand's brackets."
    )
    meaning = serializers.CharField(help_text="The same in words.")

    class Meta:
        ref_name = "UnderstoodPart"


class UnderstoodSerializer(ReadSerializer):
    query = serializers.CharField(
        help_text="All of q in the search language. Blank if nothing was understood or q is blank."
    )
    parts = UnderstoodPartSerializer(many=True, help_text="What was understood, in the order of the words.")
    inTexts = serializers.CharField(
        help_text="The query that searches texts for all the words instead. Blank if q is not a phrase of players."
    )

    class Meta:
        ref_name = "Understood"


class ListMetaSerializer(ReadSerializer):
    understood = UnderstoodSerializer(help_text="How q was understood.")

    class Meta:
        ref_name = "BoardListMeta"


@extend_schema_serializer(many=False)
class BoardPageSerializer(serializers.Serializer):
    """One page of boards."""

    optional_fields = ("meta",)

    boards = BoardSerializer(many=True, help_text="The boards of this page.")
    pagination = CursorPaginationSerializer(help_text="The position of this page in the list.")
    meta = ListMetaSerializer(help_text="With q: how it was understood.")
