"""What an import would do, without doing it: nothing is stored or locked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

from boards.files.importing import batches
from boards.models import Board
from boards.records import check_storable, fingerprint_of
from deals.bridge.board import BoardRecord
from deals.bridge.errors import RecordError
from deals.bridge.files import read_boards
from deals.models import Deal


@dataclass
class Forecast:
    """Of the file so far: its distinct deals and boards, and whether each would be new."""

    failed: list[RecordError] = field(default_factory=list)
    deals: dict[str, bool] = field(default_factory=dict)
    boards: dict[str, bool] = field(default_factory=dict)


def forecast_import(*, file: BinaryIO, owner_id: str) -> Iterator[Forecast]:
    """Yields the growing forecast after each batch, and once at the end."""
    forecast = Forecast()
    for records in batches(read_boards(file, check_storable), forecast.failed):
        _look_up(records, owner_id, forecast)
        yield forecast
    yield forecast


def _look_up(records: Sequence[BoardRecord], owner_id: str, forecast: Forecast) -> None:
    cards = {record.deal.cards for record in records} - forecast.deals.keys()
    known = set(Deal.objects.filter(cards__in=cards).values_list("cards", flat=True))
    forecast.deals |= {deal: deal not in known for deal in cards}
    prints = {fingerprint_of(record, owner_id) for record in records} - forecast.boards.keys()
    known = set(Board.objects.filter(fingerprint__in=prints).values_list("fingerprint", flat=True))
    forecast.boards |= {board: board not in known for board in prints}
