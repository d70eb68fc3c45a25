"""The score table of a PBN record: each of its rows is a table that played the board (PBN 2.1 §5).

Names of players are never read. Tables of other things, such as totals and double dummy, are passed over.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from bridge.contract import Contract
from bridge.errors import BridgeError, NotationError
from bridge.formats.pbn.inheritance import tags_of_board
from bridge.formats.pbn.tokens import SCORE_TABLE, Tag, Tags
from bridge.seats import parse_seat

NOT_PLAYED = "not_played"

_COLUMNS = {"Table": "Table", "Contract": "Contract", "Declarer": "Declarer", "Result": "Result"}
"""The columns that are read as they stand, and the tags of a record that say the same."""

_OF_TABLE = (
    *("Room", "Table", "PairNS", "PairEW", "North", "East", "South", "West", "AdjustedScore"),
    *("Contract", "Declarer", "Result", "Score", "ScoreMP", "ScoreIMP", "Auction", "Play"),
)
"""The tags of a record that are about one table."""

SIDES = ("NS", "EW")
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
    """Yield the rows with the tags of the board. One of them, the host, has all that the record says besides.

    It is the row that says what the record itself says of a table. A record that agrees with none is a table too.
    """
    own = {name: tags.by_name[name] for name in _OF_TABLE if tags.value(name)}
    played = [row for row in rows if not row.error]
    fitting = [row for row in played if _fits(row, tags)] if "Contract" in own else []
    if len({tuple(map(row.value, _PLACE)) for row in fitting}) == 1:
        host = fitting[0]
        host.by_name |= own
    elif fitting:
        host = played[0]
        _leave_out_cards(host, own)
    elif {"Contract", "Auction", "Play"} & own.keys() or not played:
        host = Tags(own)
        rows.insert(0, host)
    else:
        host = played[0]
    host.by_name = {name: tag for name, tag in tags.by_name.items() if name not in _OF_TABLE} | host.by_name
    host.comments, host.notices = tags.comments, tags.notices + host.notices
    section = {name: tag for name, tag in tags.by_name.items() if name == "Section"}
    shared = tags_of_board(tags.by_name) | section
    for row in rows:
        if row is not host:
            row.by_name = shared | row.by_name
        yield row


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

    def value(self, values: list[str], name: str) -> str:
        position = self.positions.get(name, len(values))
        is_sure = position < self.sure or len(values) == self.count
        return values[position] if position < len(values) and is_sure and values[position] not in _NOTHING else ""

    def fit(self, values: list[str]) -> bool:
        return self.sure <= len(values) if self.sure < self.count else len(values) == self.count


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
            yield _read_row(columns, values, line)


def _read_row(columns: _Columns, values: list[str], line: int) -> Tags:
    if not columns.fit(values):
        message = f"The row has {len(values)} values, and the ScoreTable {columns.count} columns."
        return Tags(error=NotationError("malformed_table", message, line))
    cells = {name: columns.value(values, name) for name in (*_COLUMNS, "Lead", "Score_NS", "Score_EW", "Section")}
    texts = {tag: cells[name] for name, tag in _COLUMNS.items()}
    adjustment = _adjustment(cells, [columns.value(values, f"Percentage_{side}") for side in SIDES])
    if adjustment:
        texts |= {"Contract": "", "Declarer": "", "Result": "", "AdjustedScore": adjustment}
    elif not texts["Contract"]:
        return Tags(error=NotationError(NOT_PLAYED, "The row has no contract: the board was not played there.", line))
    for side in SIDES:
        texts[f"Pair{side}"] = _pair(columns.value(values, f"PairId_{side}"), cells["Section"])
    if not adjustment:
        texts["Score"] = next((f"{side} {score}" for side in SIDES if (score := cells[f"Score_{side}"])), "")
    for name in ("MP", "IMP"):
        texts[f"Score{name}"] = _of_sides({side: columns.value(values, f"{name}_{side}") for side in SIDES})
    if cells["Section"] and not (texts["PairNS"] or texts["PairEW"]):
        texts["Table"] = f"{cells['Section']} {texts['Table']}".strip()
    row = Tags({name: Tag(name, text, line) for name, text in texts.items() if text})
    _add_lead(row, cells["Lead"], line)
    count = columns.value(values, "Multiplicity")
    if count not in ("", "1"):
        message = f"The row stands for {count[:10]} tables. It was kept as one."
        row.notices.append(NotationError("tables_left_out", message, line))
    return row


def _of_sides(points: Mapping[str, str]) -> str:
    """Write the points that are given as in "NS 12 EW 8"."""
    return " ".join(f"{side} {each}" for side, each in points.items() if each)


def _pair(number: str, section: str) -> str:
    """Return a pair's number with its section, "A3": the rows of all sections are compared with one another."""
    if not _PAIR.fullmatch(number):
        return ""
    return number if number.upper().startswith(section.upper()) or len(section) > 10 else f"{section}{number}"


def _adjustment(cells: dict[str, str], shares: list[str]) -> str:
    """Return the director's score of a row without a contract (Law 12C): "A60-40" also of "60%" and "40%"."""
    if _ADJUSTED.fullmatch(cells["Contract"]):
        return cells["Contract"]
    scores = [cells["Score_NS"], cells["Score_EW"]]
    if not any(scores):
        scores = shares
    elif not any(map(_ADJUSTED.fullmatch, scores)):
        return ""
    if cells["Contract"] or not any(scores):
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
