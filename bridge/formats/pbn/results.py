"""Read the results and the session of a PBN game. A value that is not read as it is written is a notice.

The Score confirms contract, declarer, vulnerability and result. Each row of a score table is a table that played the
board (PBN 2.1 §5); names of players and double dummy are skipped. BridgeComposer also writes event, date and site in
its title lines.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from bridge.contract import Contract
from bridge.errors import BridgeError, NotationError
from bridge.formats.dates import MAX_DATE_LENGTH, read_date
from bridge.formats.pbn.games import tags_of_board
from bridge.formats.pbn.tables import Row, columns_of, pair_of, rows_of
from bridge.formats.pbn.tokens import SCORE_TABLE, Tag, Tags, parse_board_number, read_value, write_card
from bridge.formats.raw_records import RawRecord, count_lines, decode_text
from bridge.scores import score
from bridge.seats import parse_seat
from bridge.texts import MAX_LINE_LENGTH
from bridge.vulnerability import Vulnerability

_RESULT = re.compile(r"\^? ?(?:(NS|EW) ?)?([0-9]{1,2})(?: (?:NS|EW) ?[0-9]{1,2})?", re.IGNORECASE)
_SCORE = re.compile(r"(?:(NS|EW) ?)?([+-]?) ?([0-9]{0,4}0)(?: (?:NS|EW) ?[+-]? ?[0-9]{1,5})?", re.IGNORECASE)
_MAX_LENGTH = 40
_OTHER_SCORING = re.compile("rubber|chicago", re.IGNORECASE)


def read_tricks(tags: Tags, contract: Contract | None) -> int | None:
    """Return declarer's tricks from "9", "^9", "NS 9" or "EW 4 NS 9" (PBN 2.1 §3.4.15)."""
    return read_value(tags, "Result", lambda value: _parse_result(value, contract))


def _parse_result(value: str, contract: Contract | None) -> int | None:
    match = _RESULT.fullmatch(" ".join(value.split()))
    if match is None or int(match[2]) > 13:
        raise BridgeError("impossible_result", f"{value[:20]!r} is not a number of tricks, 0 to 13.")
    side, tricks = match[1], int(match[2])
    if contract and contract.passed_out and not tricks:
        return None
    is_theirs = side and contract and contract.declarer and contract.declarer.side != side.upper()
    return 13 - tricks if is_theirs else tricks


@dataclass(frozen=True, slots=True)
class Score:
    """The points that a record gives for its result. `side` is whose they are, "" where the file does not say."""

    text: str
    side: str
    points: int

    def fits(self, contract: Contract, vulnerability: Vulnerability, tricks: int | None) -> bool:
        """Tell whether the contract has this score; without `tricks`, whether it can have it.

        Points of nobody are North-South's or, as the standard has it, declarer's.
        """
        if tricks is None and not contract.passed_out:
            return bool(self.fitting_tricks(contract, vulnerability))
        points = score(contract, vulnerability, tricks)
        if self.side:
            return points == (self.points if self.side == "NS" else -self.points)
        declarers = -points if contract.declarer and contract.declarer.side == "EW" else points
        return self.points in (points, declarers)

    def fitting_tricks(self, contract: Contract, vulnerability: Vulnerability) -> list[int]:
        """Return the numbers of declarer's tricks that have this score."""
        return [tricks for tricks in range(14) if self.fits(contract, vulnerability, tricks)]


def read_score(tags: Tags) -> Score | None:
    """Return the Score, as in "NS 420" or "+420"; None for what Law 77 does not give, such as IMPs or rubber bridge."""
    value = tags.value("Score")
    score = _parse_score(value) if 0 < len(value) <= _MAX_LENGTH else None
    return None if score is None or _OTHER_SCORING.match(tags.value("Scoring")) else score


@lru_cache(maxsize=1024)  # The boards of a file have few scores.
def _parse_score(value: str) -> Score | None:
    match = _SCORE.fullmatch(" ".join(value.replace("\u2212", "-").split()))
    return Score(match[0], (match[1] or "").upper(), int(match[2] + match[3])) if match else None


NOT_PLAYED = "not_played"

_COLUMNS = ("Table", "Contract", "Declarer", "Result")
"""The columns that are read as they stand. Tags of a record with these names say the same."""

_OF_TABLE = (
    *("Room", "Table", "PairNS", "PairEW", "North", "East", "South", "West", "AdjustedScore"),
    *("Contract", "Declarer", "Result", "Score", "ScoreMP", "ScoreIMP", "Auction", "Play"),
)
"""The tags of a record that are about one table."""

_PLACE = ("Table", "PairNS", "PairEW")
_ADJUSTED = re.compile(r"A(?!P\Z|LL ?PASS).{0,19}|.{0,19}%.{0,19}", re.IGNORECASE)
_SHARE = re.compile(r"A?([0-9]{1,3}(?:\.[0-9]{1,2})?)%?", re.IGNORECASE)


def tables_of(tags: Tags) -> Iterable[Tags]:
    """Return the tables of a record with a score table, each with its own results; else the record."""
    header = tags.by_name.get(SCORE_TABLE)
    if header is None or tags.error or "Contract" not in columns_of(header):  # that is a table of matches or totals
        return (tags,)
    rows = list(map(_read_row, rows_of(header)))
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


def _read_row(row: Row) -> Tags:
    line = row.line
    if not row.fits:
        message = f"The row has {len(row.values)} values, but the ScoreTable has {row.columns} columns."
        return Tags(error=NotationError("malformed_table", message, line))
    adjustment = _adjustment(row)
    if not adjustment and not row.value("Contract"):
        return Tags(error=NotationError(NOT_PLAYED, "The row has no contract: the board was not played there.", line))
    texts = _place(row) | {f"Score{name}": " ".join(_points_of_sides(row, name)) for name in ("MP", "IMP")}
    if adjustment:
        texts["AdjustedScore"] = adjustment
    else:
        texts |= {name: row.value(name) for name in ("Contract", "Declarer", "Result")}
        texts["Score"] = next(_points_of_sides(row, "Score"), "")
    tags = Tags({name: Tag(name, text, line) for name, text in texts.items() if text})
    _add_lead(tags, row.value("Lead"), line)
    count = row.value("Multiplicity")
    if count not in ("", "1"):
        message = f"The row represents {count[:10]} tables. It was kept as one."
        tags.notices.append(NotationError("tables_left_out", message, line))
    return tags


def _place(row: Row) -> dict[str, str]:
    """Return the tags that say which table it is: its pairs, and its number, with the section where it has no pairs."""
    table, section = row.value("Table"), row.value("Section")
    north_south, east_west = (pair_of(number, section) for number in row.of_sides("PairId"))
    if section and not (north_south or east_west):
        table = f"{section} {table}".strip()
    return {"Table": table, "PairNS": north_south, "PairEW": east_west}


def _points_of_sides(row: Row, name: str) -> Iterator[str]:
    """Yield the points that a row gives, as in "NS 12" and "EW 8"."""
    for side, points in zip(("NS", "EW"), row.of_sides(name), strict=True):
        if points:
            yield f"{side} {points}"


def _adjustment(row: Row) -> str:
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
    """Add the opening lead as a play of one card. What is not a card is left for the reader of plays to report."""
    try:
        contract = Contract.parse(row.value("Contract"), parse_seat(row.value("Declarer")))
    except BridgeError:
        return
    if lead and contract.leader:
        row.by_name["Play"] = Tag("Play", contract.leader, line, [write_card(lead)])


_TITLE = re.compile(rb"(?:\A|(?<=[\r\n]))%HRTitle(Event|Date|Site)(?![A-Za-z])[ \t]*+([^\r\n]*+)")
_UNKNOWN = " ?.0-/"
"""What dates without a date are made of: "????.??.??", "0"."""

_NO_NAME = re.compile(
    r"""[A-Z]:[\\/].+ | \\\\\w[^\\]*+\\.+ | /[^/]+/.+  # a path
    | \{?[0-9A-F]{8}-(?:[0-9A-F]{4}-){3}[0-9A-F]{12}\}? | (?=[A-F]*+[0-9])[0-9A-F]{16,} | [0-9]{6,}""",
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(slots=True)
class Session:
    """What a file's games so far leave to the next: the titles, the order of its dates, and what was said of events."""

    strict: bool
    titles: dict[str, Tag] = field(default_factory=dict)
    month_first: bool | None = None
    said: str = ""
    sound: tuple[str, str] = ("", "")
    """The last event and date that are read as they stand, since most games of a file have the same."""

    def read_titles(self, game: RawRecord) -> None:
        """Keep the titles of %HRTitleEvent, %HRTitleDate and %HRTitleSite for this game and those after it."""
        if b"%HRTitle" not in game.data:
            return
        number, counted = game.line, 0
        for line in _TITLE.finditer(game.data):
            name, title = line[1].decode(), decode_text(line[2]).strip().removeprefix('"').removesuffix('"').strip()
            number, counted = number + count_lines(game.data[counted : line.start()]), line.start()
            is_kept = len(title) <= MAX_LINE_LENGTH and title != "0" and not (name == "Event" and is_no_name(title))
            self.titles[name] = Tag(name, title if is_kept else "", number)

    def read_values(self, tags: Tags, line: int) -> None:
        """Read event, date and board number of a game that begins in this line, and fill what is blank from titles."""
        event, written, number = tags.value("Event"), tags.value("Date"), tags.value("Board")
        if (event, written) != self.sound or self.titles:
            self.read_session(event, tags, line)
            if not tags.notices and (tags.value("Event"), tags.value("Date")) == (event, written):
                self.sound = event, written
        if number and not parse_board_number(number):
            self.note("board_number_unread", f"No board number can be read in {number[:20]!r}.", "Board", tags, line)

    def read_session(self, event: str, tags: Tags, line: int) -> None:
        if is_no_name(event[: MAX_LINE_LENGTH + 1]):
            self.drop_event(event, tags, line)
        for name, title in self.titles.items():
            if title.value and not tags.value(name).strip(_UNKNOWN):
                tags.by_name[name] = Tag(name, title.value, title.line)
        if written := tags.value("Date"):
            self.read_date(written, tags, line)

    def drop_event(self, event: str, tags: Tags, line: int) -> None:
        """Leave out an event's name that is none. It is said once for all games that have it one after the other."""
        if self.strict or event != self.said:
            message = "The event's name is the path of a file or an identifier. It was left out."
            self.note("text_dropped", message, "Event", tags, line)
        self.said = event
        del tags.by_name["Event"]

    def read_date(self, written: str, tags: Tags, line: int) -> None:
        read = read_date(written[: MAX_DATE_LENGTH + 1], self.month_first)
        if self.month_first is None:
            self.month_first = read.month_first
        if read.text:
            tags.by_name["Date"].value = read.text
        if read.is_guess:
            self.note("date_guessed", f"The date {written[:20]!r} was read as {read.text}.", "Date", tags, line)
        elif not read.text and written.strip(_UNKNOWN):
            message = f"The date {written[:20]!r} cannot be read. It was kept as a text. Write it as 2026.03.09."
            self.note("date_unread", message, "Date", tags, line)

    def note(self, code: str, message: str, name: str, tags: Tags, line: int) -> None:
        tags.notices.append(NotationError(code, message, tags.by_name[name].line or line, name))


@lru_cache(maxsize=1024)
def is_no_name(event: str) -> bool:
    """Tell whether an event's name is the path of a file or an identifier. A date without dots may be a name."""
    return _NO_NAME.fullmatch(event) is not None and not read_date(event).text
