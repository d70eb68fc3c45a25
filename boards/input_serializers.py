"""Serializers of what services send to publish or change a board of a deal. They validate it into a BoardRecord."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.fields import AccountIdField, AuctionSystemField
from accounts.identifiers import SYSTEM
from boards.models import MAX_BOARD_NUMBER, SEAT_CHOICES, VULNERABILITY_CHOICES, Board
from boards.records import check_storable, record_of
from boards.validators import validate_pbn_line
from bridge.auction import MAX_CALLS, Auction, Call, parse_call
from bridge.board import TEXTS, BoardRecord, complete_record
from bridge.cards import parse_card
from bridge.contract import Contract
from bridge.errors import BridgeError
from bridge.layout import Layout
from bridge.seats import Seat
from bridge.texts import MAX_EXPLANATION_LENGTH
from bridge.vulnerability import Vulnerability, board_dealer, board_vulnerability
from config.api import fields
from config.api.serializers import StrictSerializer, WholeSerializer, model_string, wire_name
from deals.serializers import as_field_error
from themes.models import Theme

ERROR_FIELDS = {
    "dealer_contradicts_auction": "dealer",
    "contract_contradicts_auction": "contract",
    "unknown_declarer": "contract",
    "illegal_lead": "openingLead",
    "lead_contradicts_play": "openingLead",
    "lead_without_contract": "openingLead",
    "illegal_play": "play",
    "malformed_play": "play",
    "play_without_contract": "play",
    "impossible_result": "result",
    "result_contradicts_play": "result",
    "result_without_contract": "result",
}
"""The field that each error of the bridge core is reported under. An error that is not listed concerns the auction."""

TO_RECORD: dict[str, Callable[[Any], Any]] = {
    "dealer": Seat,
    "vulnerability": Vulnerability,
    "opening_lead": lambda card: card or "",
    "play": lambda cards: tuple(cards or ()),
}
"""How the value of a field becomes that of a record, where they differ."""


def text_field(column: str) -> tuple[str, serializers.Field]:
    """Return the name on the wire and the field of a text that PBN writes in one line."""
    described: Any = Board._meta.get_field(column)
    if not described.choices:
        return wire_name(column), model_string(Board, column, required=False, validators=[validate_pbn_line])
    options: dict[str, Any] = {"help_text": described.help_text, "source": column if "_" in column else None}
    return wire_name(column), fields.ChoiceField(described.choices, required=False, allow_blank=True, **options)


class CardField(fields.StringField):
    """A card such as HK. "h10" is read as HT."""

    def to_internal_value(self, data: Any) -> str:
        card = super().to_internal_value(data)
        try:
            return card and parse_card(card)
        except BridgeError as error:
            raise serializers.ValidationError([as_field_error(error)]) from error


class NewCallSerializer(WholeSerializer):
    """A call of the auction."""

    call = fields.StringField(
        max_length=8, help_text="1C … 7NT, Pass, X or XX. Lower case and short forms such as P are read too."
    )
    alert = fields.BooleanField(required=False, default=False, help_text="Whether the call was alerted.")
    explanation = fields.StringField(
        required=False,
        allow_blank=True,
        default="",
        max_length=MAX_EXPLANATION_LENGTH,
        help_text="What the call means, in one line. A PBN file cuts it at the end of its longest line.",
    )

    def validate_call(self, value: str) -> str:
        try:
            return parse_call(value)
        except BridgeError as error:
            raise serializers.ValidationError([as_field_error(error)]) from error


class NewAuctionSerializer(WholeSerializer):
    """The calls in order, starting with the dealer."""

    calls = NewCallSerializer(
        many=True, max_length=MAX_CALLS, help_text="The calls in order, starting with the dealer."
    )  # type: ignore[call-arg]  # many=True takes more


class NewContractSerializer(WholeSerializer):
    """A contract, or that the board was passed out."""

    text = fields.StringField(max_length=10, help_text="Such as 4SX, or Pass.")
    declarer = fields.ChoiceField(
        choices=SEAT_CHOICES,
        required=False,
        allow_null=True,
        help_text="The seat that plays the contract. Not needed with an auction.",
    )

    def validate(self, attrs: dict[str, Any]) -> Contract:
        declarer = Seat(attrs["declarer"]) if attrs.get("declarer") else None
        try:
            return Contract.parse(attrs["text"], declarer)
        except BridgeError as error:
            raise serializers.ValidationError({"text": [as_field_error(error)]}) from error


class NewResultSerializer(WholeSerializer):
    """The result. The score follows from it."""

    tricks = fields.IntegerField(
        min_value=0,
        max_value=13,
        allow_null=True,
        help_text="The tricks that declarer won, or null when the board was passed out.",
    )


@extend_schema_field(serializers.CharField())
class ThemeField(fields.NamedField):
    """A theme, given by its id or by an identifier that only one theme has."""

    default_error_messages = {
        "does_not_exist": "No theme has this id or identifier.",
        "ambiguous": "Several themes have this identifier. Give the id instead.",
    }

    def find(self, name: str) -> Theme:
        try:
            return Theme.objects.get_by_id_or_identifier(name)
        except Theme.DoesNotExist:
            self.fail("does_not_exist")
        except Theme.MultipleObjectsReturned:
            self.fail("ambiguous")


class NewBoardSerializer(StrictSerializer):
    """A board to publish.

    A dealer or vulnerability that is not sent is the one that the board number implies (Law 2).
    """

    boardNumber = fields.IntegerField(
        source="board_number",
        required=False,
        allow_null=True,
        min_value=1,
        max_value=MAX_BOARD_NUMBER,
        help_text="The number on the board, from 1, or null when there is none.",
    )
    dealer = fields.ChoiceField(
        choices=SEAT_CHOICES,
        required=False,
        help_text="The seat that calls first. Default: by the board number (Law 2).",
    )
    vulnerability = fields.ChoiceField(
        choices=VULNERABILITY_CHOICES,
        required=False,
        help_text="Which sides are vulnerable. Default: by the board number (Law 2).",
    )
    auction = NewAuctionSerializer(
        required=False, allow_null=True, help_text="The auction, or null when it is not known."
    )
    contract = NewContractSerializer(
        required=False,
        allow_null=True,
        help_text="The contract, or null. Without it, the auction decides.",
    )
    openingLead = CardField(
        source="opening_lead",
        required=False,
        allow_null=True,
        allow_blank=True,
        max_length=3,
        help_text="The first card played, such as HK, or null when it is not known.",
    )
    play = fields.ListField(
        child=CardField(max_length=3),
        required=False,
        allow_null=True,
        max_length=52,
        help_text="The cards in the order they were played, or null when they are not known.",
    )
    result = NewResultSerializer(required=False, allow_null=True, help_text="The result, or null when it is not known.")
    commentary = model_string(Board, "commentary", required=False)
    dealCommentary = model_string(Board, "deal_commentary", required=False)
    auctionSystem = AuctionSystemField(
        source="auction_system",
        required=False,
        allow_null=True,
        help_text="The bidding system of the auction, or null when it is not known.",
    )
    themes = fields.ListField(
        child=ThemeField(),
        required=False,
        max_length=50,
        help_text="What the board teaches: ids of themes, or identifiers that only one theme has.",
    )
    userId = AccountIdField(source="owner_id", required=False, help_text="The owner's account id. Default: system.")

    def get_fields(self) -> dict[str, serializers.Field]:
        """Return the declared fields and those of the texts (bridge.board.TEXTS)."""
        return {**super().get_fields(), **dict(map(text_field, TEXTS))}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return arguments of publish_board or change_board: `record`, `owner_id`, `auction_system` and `themes`.

        What is not sent is what the board has; `themes` is None then. For a new board the context must have `layout`.
        """
        board = self.instance
        arguments = {
            "owner_id": attrs.pop("owner_id", board.owner_id if board else SYSTEM),
            "auction_system": attrs.pop("auction_system", board.auction_system if board else None),
            "themes": attrs.pop("themes", None if board else ()),
        }
        try:
            record = complete_record(self.build_record(attrs))
            # A rule that is younger than a board must not keep it from being changed or unpublished.
            if (fault := fault_of(record)) and not (board and str(fault) == str(fault_of(record_of(board)))):
                raise fault
        except BridgeError as error:
            field = ERROR_FIELDS.get(error.code, "auction")
            raise serializers.ValidationError({field: [as_field_error(error)]}) from error
        return {"record": record, **arguments}

    def build_record(self, attrs: dict[str, Any]) -> BoardRecord:
        """Return the board's record, or for a new board a record of the deal alone, with the sent changes."""
        before = record_of(self.instance) if self.instance else self.new_record(attrs)
        changes = {
            name: TO_RECORD[name](value) if name in TO_RECORD else value
            for name, value in attrs.items()
            if name not in ("auction", "result")
        }
        if "auction" in attrs:
            changes["auction"] = None
            if sent := attrs["auction"]:
                calls = tuple(Call(**call) for call in sent["calls"])
                changes["auction"] = Auction(changes.get("dealer", before.dealer), calls)
            changes.setdefault("contract", None)
        if "result" in attrs:
            changes["tricks"] = (attrs["result"] or {}).get("tricks")
        if "play" in changes:
            changes.setdefault("opening_lead", "")
        return replace(before, **changes)

    def new_record(self, attrs: dict[str, Any]) -> BoardRecord:
        """Return a record of the deal alone. Refuse one whose dealer or vulnerability is neither sent nor implied."""
        number = attrs.get("board_number")
        missing = [name for name in ("dealer", "vulnerability") if name not in attrs]
        if number is None and missing:
            message = "Give this field, or a boardNumber that implies it."
            required = serializers.ErrorDetail(message, code="required")
            raise serializers.ValidationError({name: [required] for name in missing})
        layout: Layout = self.context["layout"]
        return BoardRecord(layout, board_dealer(number or 1), board_vulnerability(number or 1))


class BoardChangesSerializer(NewBoardSerializer):
    """Changes to a board. What is not sent stays."""

    published = fields.BooleanField(
        required=False, help_text="true publishes a draft; false makes a draft of a published board."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return arguments of change_board. `published` is None when it is not sent."""
        published = attrs.pop("published", None)
        return {**super().validate(attrs), "published": published}


def fault_of(record: BoardRecord) -> BridgeError | None:
    """Return why the record cannot be stored, or None when it can."""
    try:
        check_storable(record)
    except BridgeError as error:
        return error
    return None
