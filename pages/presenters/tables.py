"""The table at which a reader looks at an evening: `?table=3`, `?room=Open&table=3` or `?pair=7`."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.http import QueryDict

from boards.events.tables import Table, number_in
from boards.models import Board
from bridge.board import ROOMS
from config.api.fields import ChoiceField
from config.api.serializers import QuerySerializer, model_string

SIDES = ("NS", "EW")


class TableQuery(QuerySerializer):
    room = ChoiceField(choices=ROOMS, required=False, allow_blank=True)
    table = model_string(Board, "table", required=False)
    pair = model_string(Board, "pair_ns", required=False)
    side = ChoiceField(choices=SIDES, required=False, allow_blank=True)


class TableChoice(NamedTuple):
    """A table, by its room and number, or a pair, by its number. Without any of them it is not a table.

    Where the lines of North-South and East-West have the same numbers, `side` tells two pairs apart. Without it the
    pair is looked for in North-South first.
    """

    room: str = ""
    table: str = ""
    pair: str = ""
    side: str = ""

    @classmethod
    def parse(cls, query: QueryDict) -> "TableChoice":
        """Return what an address chooses. Raise ValidationError."""
        return cls.of(TableQuery.parse(query))

    @classmethod
    def of(cls, given: dict[str, Any]) -> "TableChoice":
        """Return what the parameters of a TableQuery choose."""
        pair = given.get("pair_ns", "")
        return cls(given.get("room", ""), given.get("table", ""), pair, given.get("side", "") if pair else "")

    @property
    def parameters(self) -> dict[str, str]:
        return {name: value for name, value in self._asdict().items() if value}

    @property
    def name(self) -> str:
        """Name the table, as in "Open room, table 3" and "Pair 7 EW"."""
        room = f"{self.room} room" if self.room else ""
        table = f"table {self.table}" if self.table else ""
        pair = " ".join(filter(None, ("pair", self.pair, self.side))) if self.pair else ""
        name = ", ".join(filter(None, (room, table, pair)))
        return name[:1].upper() + name[1:]

    def find(self, tables: Iterable[Table]) -> Table | None:
        """Return the table of a deal that is chosen, None where it did not play the deal, and where none is chosen."""
        wanted = [table for table in tables if self.is_at(table)] if any(self) else []
        return min(wanted, key=lambda table: bool(self.pair) and table.pair_ns != self.pair, default=None)

    def alternatives(self, deals: Sequence[Sequence[Table]]) -> list["TableChoice"]:
        """Return what is meant by a choice that finds two tables of a deal: both rooms, or the pairs of both lines."""
        if all(sum(map(self.is_at, tables)) < 2 for tables in deals):
            return []
        closer = [self._replace(side=side) for side in SIDES] if self.pair and not self.side else []
        if self.table and not self.room:
            closer += [self._replace(room=room) for room in ROOMS]
        return [each for each in closer if any(map(each.find, deals))]

    def is_at(self, table: Table) -> bool:
        pairs = {"NS": (table.pair_ns,), "EW": (table.pair_ew,)}.get(self.side, (table.pair_ns, table.pair_ew))
        is_place = self.room in ("", table.room) and self.table in ("", table.table)
        return is_place and self.pair in ("", *pairs)


def choices_of(deals: Sequence[Sequence[Table]], choice: TableChoice) -> list[TableChoice]:
    """Return the pairs that played some deals, in their order, or the tables.

    They are the tables where no pair has a number, and for a choice of a table.
    """
    pairs = pairs_of(deals)
    places = {TableChoice(each.room, each.table) for tables in deals for each in tables if each.room or each.table}
    is_table = bool(choice.room or choice.table)
    return sorted((places or pairs) if is_table else (pairs or places), key=choice_order)


def pairs_of(deals: Sequence[Sequence[Table]]) -> set[TableChoice]:
    """Return the pairs that played some deals, with their sides where both lines have the same numbers."""
    lines = [({each.pair_ns for each in tables} - {""}, {each.pair_ew for each in tables} - {""}) for tables in deals]
    has_two_lines = any(north_south & east_west for north_south, east_west in lines)
    return {
        TableChoice(pair=pair, side=side if has_two_lines else "")
        for line in lines
        for side, numbers in zip(SIDES, line, strict=True)
        for pair in numbers
    }


def choice_order(choice: TableChoice) -> tuple[object, ...]:
    number = choice.pair or choice.table
    return choice.side == "EW", choice.room == "Closed", number_in(number), number
