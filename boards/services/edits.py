"""What the owner may change of a board: its values, how they differ, and their words."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any, NamedTuple
from uuid import UUID

from accounts.models import AuctionSystem
from boards.input_serializers import BoardChangesSerializer
from boards.models import Board, PublicationReview
from boards.records import record_of
from bridge.auction import Call
from bridge.board import BoardRecord
from bridge.formats.typed import write_calls, write_cards
from bridge.names import SEAT_NAMES, SUIT_SYMBOLS, format_call, format_ranks
from bridge.texts import clean_lines, to_one_line
from config.api.serializers import wire_name
from themes.models import Theme

OF_DEAL = {"deal_title": to_one_line, "deal_commentary": clean_lines}
"""What all tables of a deal say."""

CLEAN = {"title": to_one_line, "commentary": clean_lines, **OF_DEAL}
"""What a form makes of texts. Programs may have stored others."""

DERIVED = {"contract": "auction", "opening_lead": "play"}
"""What follows from another value that is new, unless it is given with it."""

LABELS = {
    "title": "Title",
    "difficulty": "Difficulty",
    "commentary": "Commentary",
    "deal_title": "Title of the deal, at all its tables",
    "deal_commentary": "About the deal, at all its tables",
    "auction_system": "Auction system",
    "themes": "Themes",
    "auction": "Auction",
    "contract": "Contract",
    "opening_lead": "Opening lead",
    "play": "Play",
    "result": "Tricks that declarer won",
}
"""What people call the values."""


def values_of(record: BoardRecord, system_id: str | None, theme_ids: Iterable[UUID]) -> dict[str, Any]:
    contract = record.contract
    declarer = contract.declarer.value if contract and contract.declarer else None
    return {
        "title": record.title,
        "difficulty": record.difficulty,
        "commentary": record.commentary,
        "deal_title": record.deal_title,
        "deal_commentary": record.deal_commentary,
        "auction_system": system_id,
        "themes": sorted(map(str, theme_ids)),
        "auction": record.auction and {"calls": [asdict(call) for call in record.auction.calls]},
        "contract": contract and {"text": contract.text, "declarer": declarer},
        "opening_lead": record.opening_lead,
        "play": list(record.play),
        "result": {"tricks": record.tricks},
    }


def editable_values(board: Board) -> dict[str, Any]:
    return values_of(record_of(board), board.auction_system_id, (theme.pk for theme in board.themes.all()))


def differs(name: str, stored: Any, value: Any) -> bool:
    """Tell whether a form says something else. Of a text it gives back what it shows: without tabs and outer spaces."""
    if clean := CLEAN.get(name):
        return clean(stored) != clean(value)
    if name == "themes":
        return sorted(stored) != sorted(map(str, value))
    return (stored or None) != (value or None)


def differences(stored: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the values that are new, and with them those from which they would else be derived."""
    new = {name for name, value in values.items() if differs(name, stored[name], value)}
    return {name: value for name, value in values.items() if name in new or DERIVED.get(name) in new}


def add_to(waiting: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a change that waits with later ones. What is derived from a later value is derived anew."""
    return {name: value for name, value in waiting.items() if DERIVED.get(name) not in changes} | dict(changes)


def to_wire(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Name a change as the API does, and as it is stored while it waits."""
    return {wire_name(name): value for name, value in changes.items()}


def changes_of(review: PublicationReview | None) -> dict[str, Any]:
    """Return what a review is to change, {} for that of a draft."""
    names = {wire_name(name): name for name in LABELS}
    return {names.get(name, name): value for name, value in ((review and review.changes) or {}).items()}


def check_changes(board: Board, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments of change_board. Raise REST framework's ValidationError by the rules of the API."""
    serializer = BoardChangesSerializer(board, data=to_wire(changes), partial=True)
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data


_SYMBOLS = str.maketrans("".join(SUIT_SYMBOLS), "".join(SUIT_SYMBOLS.values()))


class Difference(NamedTuple):
    """What a change makes of a value, in words and in the notation of players. The texts may have several lines."""

    label: str
    before: str
    after: str


def describe_changes(board: Board, changes: Mapping[str, Any]) -> list[Difference]:
    stored = editable_values(board)
    return [
        Difference(label, write(name, stored[name]), write(name, changes[name]))
        for name, label in LABELS.items()
        if name in changes and differs(name, stored[name], changes[name])
    ]


def write(name: str, value: Any) -> str:
    """Return a value in the words of its readers, "" for none."""
    if not value:
        return ""
    if name == "themes":
        return ", ".join(sorted(map(str, Theme.objects.filter(pk__in=value))))
    if name == "auction_system":
        return str(AuctionSystem.objects.filter(pk=value).first() or value)
    return NOTATIONS[name](value) if name in NOTATIONS else str(value)


def write_auction(value: Mapping[str, Any]) -> str:
    calls = [Call(**call) for call in value["calls"]]
    notes = [f"{format_call(call.call)}: {call.explanation}" for call in calls if call.explanation]
    return "\n".join([with_symbols(write_calls(calls)), *notes])


def write_contract(value: Mapping[str, Any]) -> str:
    by = f" by {SEAT_NAMES[value['declarer']]}" if value["declarer"] else ""
    return with_symbols(value["text"]) + by


def with_symbols(notation: str) -> str:
    """Write suits as symbols. No other capital letter of a call, a contract or a card is that of a suit."""
    return notation.translate(_SYMBOLS)


NOTATIONS: dict[str, Callable[[Any], str]] = {
    "auction": write_auction,
    "contract": write_contract,
    "opening_lead": lambda card: with_symbols(format_ranks(card)),
    "play": lambda cards: with_symbols(format_ranks(write_cards(cards))),
    "result": lambda value: "" if value["tricks"] is None else str(value["tricks"]),
}
"""How the values are written that are not texts."""
