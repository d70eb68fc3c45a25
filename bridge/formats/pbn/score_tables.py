"""The score table of a PBN record: each of its rows is a table that played the board (PBN 2.1 §5).

Names of players are never read. Tables of other things, such as totals and double dummy, are passed over.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bridge.contract import Contract
from bridge.errors import BridgeError, NotationError
from bridge.formats.pbn.inheritance import tags_of_board
from bridge.formats.pbn.tokens import SCORE_TABLE, Tag, Tags
from bridge.seats import parse_seat

NOT_PLAYED = "not_played"

_COLUMNS = ("Table", "Contract", "Declarer", "Result")
"""The columns that are read as they stand. Tags of a record with these names say the same."""

_OF_TABLE = (
    *("Room", "Table", "PairNS", "PairEW", "North", "East", "South", "West", "AdjustedScore"),
    *("Contract", "Declarer", "Result", "Score", "ScoreMP", "ScoreIMP", "Auction", "Play"),
)
"""The tags of a record that are about one table."""

_SIDES = ("NS", "EW")
_PLACE = ("Table", "PairNS", "PairEW")
_NAMES = ("Names", "Players", "PlayerNames", "Roster")
"""Beginnings of columns whose values may have blanks in them, without quotes."""

_VALUE = re.compile(r'"((?:[^"\\]|\\.)*+)"?|([^\s"]++)')
_NOTHING = ("", "-", "*", "?")
_PAIR = re.compile(r"[A-Za-z]?[0-9]{1,5}[A-Za-z]?")
_ADJUSTED = re.compile(r"A(?!P\Z|LL ?PASS).{0,19}|.{0,19}%.{0,19}", re.IGNORECASE)
_SHARE = re.compile(r"A?([0-9]{1,3}(?:\.[0-9]{1,2})?)%?", re.IGNORECASE)
_SUIT_LAST = re.compile(r"(10|[2-9TJQKA])([SHDC])")


def tables_of(tags: Tags) -> Iterable[Tags]:
    """Return the tables of a record that has a score table, each with what it says of the board; else the record."""
    header = tags.by_name.get(SCORE_TABLE)
    rows = list(_read_rows(header)) if header and not tags.error else []
    return _with_board(tags, rows) if rows else (tags,)


def _with_board(tags: Tags, rows: list[Tags]) -> Iterator[Tags]:
    """Yield the rows with the tags of the board. One of them, the host, has all that the record says besides."""
    host = _find_host(tags, rows)
    host.by_name = {name: tag for name, tag in tags.by_name.items() if name not in _OF_TABLE} | host.by_name
    host.comments, host.notices = tags.comments, tags.notices + host.notices
    section = {name: tag for name, tag in tags.by_name.items() if name == "Section"}
    shared = tags_of_board(tags.by_name) | section
    for row in rows:
        if row is not host:
            row.by_name = shared | row.by_name
        yield row


def _find_host(tags: Tags, rows: list[Tags]) -> Tags:
    """Return the row that says what the record itself says of a table, with all of that.

    A record that agrees with none is put among the rows. The first row will do where several agree, or where the
    record says nothing of a table.
    """
    own = {name: tags.by_name[name] for name in _OF_TABLE if tags.value(name)}
    played = [row for row in rows if not row.error]
    fitting = [row for row in played if _fits(row, tags)] if "Contract" in own else []
    if len({tuple(map(row.value, _PLACE)) for row in fitting}) == 1:
        fitting[0].by_name |= own
        return fitting[0]
    if fitting:
        _leave_out_cards(played[0], own)
    elif {"Contract", "Auction", "Play"} & own.keys() or not played:
        rows.insert(0, Tags(own))
        return rows[0]
    return played[0]


def _fits(row: Tags, tags: Tags) -> bool:
    """Tell whether a row may be the table of which the record itself speaks."""
    own = {name: value for name in _COLUMNS if (value := tags.value(name))}
    return all(_plain(name, row.value(name)) in ("", _plain(name, value)) for name, value in own.items())


def _plain(name: str, value: str) -> str:
    """Return a value as it is compared: "3N" is "3NT"."""
    try:
        return Contract.parse(value, None).text if name == "Contract" else value.upper()
    except BridgeError:
        return value


def _leave_out_cards(host: Tags, own: dict[str, Tag]) -> None:
    """Say that auction and play are left out where several tables had the contract and result of the record."""
    for name in ("Auction", "Play"):
        if tag := own.get(name):
            message = f"Several tables of the ScoreTable fit this {name}. The {name.lower()} was left out."
            host.notices.append(NotationError(f"{name.lower()}_dropped", message, tag.line, name))


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of a score table. From the `sure`th on, values with blanks may stand before a value."""

    positions: dict[str, int]
    count: int
    sure: int


@dataclass(frozen=True, slots=True)
class _Row:
    """The values of a row, by the names of their columns."""

    columns: _Columns
    values: list[str]

    @property
    def fits(self) -> bool:
        """Tell whether there are as many values as columns, or at least those that are sure."""
        columns, length = self.columns, len(self.values)
        return columns.sure <= length if columns.sure < columns.count else length == columns.count

    def value(self, name: str) -> str:
        columns, values = self.columns, self.values
        position = columns.positions.get(name, len(values))
        is_sure = position < columns.sure or len(values) == columns.count
        return values[position] if position < len(values) and is_sure and values[position] not in _NOTHING else ""

    def of_sides(self, name: str) -> tuple[str, str]:
        """Return the values of North-South and East-West in the two columns of a name, as in MP_NS and MP_EW."""
        return self.value(f"{name}_NS"), self.value(f"{name}_EW")


def _read_rows(header: Tag) -> Iterator[Tags]:
    """Yield the rows of a table of results, each as tags; none for one of matches or totals."""
    names = [name.partition("\\")[0].strip() for name in header.value.split(";")]
    if "Contract" not in names:
        return
    sure = next((position for position, name in enumerate(names) if name.startswith(_NAMES)), len(names))
    columns = _Columns({name: position for position, name in enumerate(names)}, len(names), sure)
    for line, text in enumerate("".join(header.body).split("\n"), start=header.line):
        values = [(string or word).strip() for string, word in _VALUE.findall(text)]
        if values:
            yield _read_row(_Row(columns, values), line)


def _read_row(row: _Row, line: int) -> Tags:
    if not row.fits:
        message = f"The row has {len(row.values)} values, and the ScoreTable {row.columns.count} columns."
        return Tags(error=NotationError("malformed_table", message, line))
    adjustment = _adjustment(row)
    if not adjustment and not row.value("Contract"):
        return Tags(error=NotationError(NOT_PLAYED, "The row has no contract: the board was not played there.", line))
    texts = _place(row) | (_result(row) if not adjustment else {"AdjustedScore": adjustment})
    for name in ("MP", "IMP"):
        texts[f"Score{name}"] = " ".join(_points_of_sides(row, name))
    tags = Tags({name: Tag(name, text, line) for name, text in texts.items() if text})
    _add_lead(tags, row.value("Lead"), line)
    count = row.value("Multiplicity")
    if count not in ("", "1"):
        message = f"The row stands for {count[:10]} tables. It was kept as one."
        tags.notices.append(NotationError("tables_left_out", message, line))
    return tags


def _place(row: _Row) -> dict[str, str]:
    """Return the tags that say which table it is: its pairs, and its number, with the section where it has no pairs."""
    table, section = row.value("Table"), row.value("Section")
    north_south, east_west = (_pair(number, section) for number in row.of_sides("PairId"))
    if section and not (north_south or east_west):
        table = f"{section} {table}".strip()
    return {"Table": table, "PairNS": north_south, "PairEW": east_west}


def _result(row: _Row) -> dict[str, str]:
    """Return the tags of what was played, with the score of the first side that has one."""
    score = next(_points_of_sides(row, "Score"), "")
    return {"Score": score} | {name: row.value(name) for name in ("Contract", "Declarer", "Result")}


def _points_of_sides(row: _Row, name: str) -> Iterator[str]:
    """Yield the points that a row gives, as in "NS 12" and "EW 8"."""
    for side, points in zip(_SIDES, row.of_sides(name), strict=True):
        if points:
            yield f"{side} {points}"


def _pair(number: str, section: str) -> str:
    """Return a pair's number with its section, "A3": the rows of all sections are compared with one another."""
    if not _PAIR.fullmatch(number):
        return ""
    return number if number.upper().startswith(section.upper()) or len(section) > 10 else f"{section}{number}"


def _adjustment(row: _Row) -> str:
    """Return the director's score of a row without a contract (Law 12C): "A60-40" also of "60%" and "40%"."""
    contract, scores = row.value("Contract"), row.of_sides("Score")
    if _ADJUSTED.fullmatch(contract):
        return contract
    if not any(scores):
        scores = row.of_sides("Percentage")
    elif not any(map(_ADJUSTED.fullmatch, scores)):
        return ""
    if contract or not any(scores):
        return ""
    both = [_SHARE.fullmatch(score) for score in scores]
    if both[0] and both[1]:
        return f"A{both[0][1]}-{both[1][1]}"
    return "/".join(dict.fromkeys(filter(None, scores)))


def _add_lead(row: Tags, lead: str, line: int) -> None:
    """Add the opening lead as a play of one card. What is no card is left for the reader of plays to report."""
    try:
        contract = Contract.parse(row.value("Contract"), parse_seat(row.value("Declarer")))
    except BridgeError:
        return
    card = lead.upper()[:8]
    if suit_last := _SUIT_LAST.fullmatch(card):
        card = suit_last[2] + suit_last[1]
    if card and contract.leader:
        row.by_name["Play"] = Tag("Play", contract.leader, line, [card.replace("10", "T")])
