"""From a USEBIO document to games of PBN: each table, each deal that no table played, and each ranking."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from bridge.contract import Contract
from bridge.errors import BridgeError
from bridge.formats.pbn.tables import NOTHING, with_section
from bridge.formats.pbn.tokens import write_card, write_tag, write_value
from bridge.formats.rankings import MAX_PLACES, read_rank
from bridge.formats.usebio.document import POINTS, Document, Node, Text
from bridge.seats import Seat, parse_seat

_SUITS = ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")
_NO_RANK = re.compile(r"[\s,]+|\A(?:-+|[\u2013\u2014]|void)\Z", re.IGNORECASE)
_NO_CARD = re.compile(r"[^A-Z0-9]+")
_PAIR_NUMBER = re.compile(r"(?=[A-Za-z-]*+[0-9])[A-Za-z0-9-]{1,8}")
_RELATIVE_RESULT = re.compile(r"=|[+-][0-9]{1,2}")

_ADJUSTED = re.compile(r"A(?!P\Z|LL ?PASS).*|.*%.*", re.IGNORECASE)
"""A60-40, A6040, A50, AVE+, ADJ or 60%, but not the contract of a passed-out board."""

_NO_CONTRACT = re.compile(r"|NP|NOT PLAYED", re.IGNORECASE)

_SCORINGS = {"MATCH_POINTS": "MP", "MP": "MP", "IMPS": "IMP", "CROSS_IMPS": "Cross-IMP", "BUTLER": "IMP;Butler-2"}
_SCORINGS_OF_TYPES = {"MP_PAIRS": "MP", "CROSS_IMP": "Cross-IMP", "BUTLER_PAIRS": "IMP;Butler-2"}
"""The scoring by EVENT_TYPE, where the methods say nothing, or only IMPS. Butler's datum is without the extremes."""


@dataclass(slots=True)
class Game:
    """The lines of a game, each with the line of the document that says it, and where its record begins there."""

    line: int
    lines: list[tuple[str, int]] = field(default_factory=list)

    def add(self, name: str, text: Text | None, change: Callable[[str], str] = str) -> None:
        """Add a tag, with the value changed so, unless the document says nothing of it."""
        if text and text.value:
            self.lines.append((write_tag(name, change(text.value)), text.line))


def is_played(table: Node) -> bool:
    """Tell whether a line is a board of a table: it has a contract or an adjusted score."""
    return not _NO_CONTRACT.fullmatch(table.text("CONTRACT")) or _adjusted_score(table) is not None


def _adjusted_score(table: Node) -> Text | None:
    """Return the director's score, which some programs write in the place of the score or of the contract."""
    for name in ("SCORE", "CONTRACT"):
        if _ADJUSTED.fullmatch(table.text(name)):
            return table.texts[name]
    return table.texts.get("ARTIFICIAL_SCORE")


class Deal(NamedTuple):
    """The hands of a board as PBN writes them, and who is vulnerable. Read once, however many boards have it."""

    hands: Text
    vulnerability: Text | None


class Deals:
    """The hands of a document. A hand set holds for what it stands in: the document, an event, a session …"""

    def __init__(self, document: Document) -> None:
        self._nodes = [*document.hand_boards, *(board for board in document.boards if board.hands)]
        self._of_scope: dict[tuple[int, str], list[Node]] = {}
        self._decided: dict[tuple[int, str], Deal | BridgeError] = {}
        self._played: set[int] = set()
        for board in document.hand_boards:
            hand_set = board.parent or board
            self._of_scope.setdefault((id(hand_set.parent), _number(board)), []).append(board)

    def of(self, board: Node) -> Deal | BridgeError | None:
        """Return the deal of a board, None, or the error `deals_differ` where there are several."""
        number = _number(board)
        if board.hands:
            return self._decide(number, [board])
        scope = board.parent
        while scope and (id(scope), number) not in self._of_scope:
            scope = scope.parent
        key = (id(scope), number)
        if key in self._of_scope and key not in self._decided:
            self._decided[key] = self._decide(number, self._of_scope[key])
        return self._decided.get(key)

    def _decide(self, number: str, boards: list[Node]) -> Deal | BridgeError:
        cards = _cards(boards[0])
        if any(_cards(board) != cards for board in boards[1:]):
            message = (
                f"The document has different deals for board {number[:20]}, and does not say which table played which."
            )
            return BridgeError("deals_differ", message)
        self._played |= {id(board) for board in boards}
        return deal_of(boards[0])

    def not_played(self) -> Iterator[Node]:
        """Return the boards with hands that no table had."""
        return (board for board in self._nodes if id(board) not in self._played)


def _number(board: Node) -> str:
    return board.text("BOARD_NUMBER").lstrip("0")


def _cards(board: Node) -> dict[str, str]:
    """Return the hands of a board as PBN writes them, by their seats' letters."""
    return {
        _seat(hand.text("DIRECTION")): ".".join(_NO_RANK.sub("", hand.text(suit)) for suit in _SUITS)
        for hand in board.hands
    }


def deal_of(board: Node) -> Deal:
    cards = _cards(board)
    hands = " ".join(cards[seat] if cards.get(seat, "").strip(".") else "-" for seat in Seat)
    return Deal(Text(f"N:{hands}", board.line), board.texts.get("VULNERABILITY"))


def _seat(text: str) -> str:
    """Return the letter of a seat that is written as "N" or "North"; another text as it is."""
    try:
        return parse_seat(text)
    except BridgeError:
        return text


def start_of(document: Document, board: Node, deal: Deal | None) -> Game:
    """Return the game of a deal alone: what all tables of the board begin with. The hands may be in another file."""
    game = Game(board.line)
    _add_event(game, document, board)
    game.add("Board", board.texts.get("BOARD_NUMBER"))
    game.add("Stage", _stage(document, board))
    game.add("Vulnerable", (deal and deal.vulnerability) or board.texts.get("VULNERABILITY"))
    game.add("Deal", deal and deal.hands)
    return game


def table_of(document: Document, start: Game, table: Node) -> Game:
    game = Game(table.line, [*start.lines])
    _add_seating(game, document, table)
    if adjusted := _adjusted_score(table):
        game.add("AdjustedScore", adjusted)
    else:
        _add_result(game, table)
    _add_points(game, table)
    return game


def places_of(document: Document) -> Iterable[list[Node]]:
    """Return the places of each list of participants that has any."""
    lists: dict[int, list[Node]] = defaultdict(list)
    for each in document.participants:
        if read_rank(each.text("PLACE")) is not None and _name_in_ranking(document, each):
            lists[id(each.parent)].append(each)
    return lists.values()


def ranking_of(document: Document, places: list[Node]) -> Game:
    about = places[0]
    game = Game(about.line)
    _add_event(game, document, about)
    game.add("Stage", _stage(document, about))
    scoring = _scoring(about).value
    unit = "TotalMP" if scoring == "MP" else "TotalIMP" if "IMP" in scoring else "TotalScore"
    game.lines.append((write_tag("TotalScoreTable", f"Rank;Team;Direction;NrBoards;{unit};Percentage"), about.line))
    game.lines += [(_row_of_ranking(document, each), each.line) for each in places[:MAX_PLACES]]
    return game


def _name_in_ranking(document: Document, participant: Node) -> str:
    """Return the name of a team, or the number of a pair as its tables have it, "" for anything else."""
    if participant.name == "TEAM":
        name = document.teams.get(participant.ids.get("TEAM_ID", ""), "")
        return "" if name in NOTHING else name
    section = participant.nearest_id("SECTION_ID") if id(participant.event) in document.together else ""
    number = participant.text("PAIR_NUMBER")
    return with_section(number, section) if _PAIR_NUMBER.fullmatch(number) else ""


def _row_of_ranking(document: Document, participant: Node) -> str:
    """Return the row of a TotalScoreTable. Some programs write the percentage in place of the points, too."""
    is_one_field = (participant.nearest("WINNER_TYPE") or Text("", 0)).value == "1"
    points, percentage = participant.text("TOTAL_SCORE"), participant.text("PERCENTAGE")
    values = (
        participant.text("PLACE"),
        _name_in_ranking(document, participant),
        "" if is_one_field else participant.text("DIRECTION"),
        participant.text("BOARDS_PLAYED"),
        "" if points == percentage else points,
        percentage,
    )
    return " ".join(f'"{write_value(value)}"' for value in values)


def _add_event(game: Game, document: Document, board: Node) -> None:
    """Say where the board was played. A hand set beside the only event belongs to it."""
    is_beside = len(document.events) == 1 and board.parent is not None and board.parent.name == "HANDSET"
    about = document.events[0] if is_beside else board
    game.add("Event", about.nearest("EVENT_DESCRIPTION"))
    game.add("Site", about.nearest("VENUE") or document.club_name)
    game.add("Date", about.nearest("DATE"))
    game.add("Scoring", _scoring(about))


def _scoring(about: Node) -> Text:
    method = about.nearest("BOARD_SCORING_METHOD") or about.nearest("SCORING_METHOD") or Text("", about.line)
    scoring = _SCORINGS.get(method.value.upper(), method.value)
    of_type = _SCORINGS_OF_TYPES.get(about.nearest_id("EVENT_TYPE").upper())
    return Text(of_type if of_type and scoring in ("", "IMP") else scoring, method.line)


def find_scored_together(document: Document) -> set[int]:
    """Return the events whose sections were scored as one, which only the points say: their top is that of all tables.

    Where it could be the top of a section too, in another unit, the sections are kept apart.
    """
    tables: dict[int, Counter[str]] = defaultdict(Counter)
    of_section: dict[int, int] = defaultdict(int)
    tops: dict[int, Counter[float]] = defaultdict(Counter)
    for board in document.boards:
        if board.nearest_id("SECTION_ID") and (event := board.event):
            played = list(filter(is_played, board.tables))
            tables[id(event)][_number(board)] += len(played)
            of_section[id(event)] = max(of_section[id(event)], len(played))
            tops[id(event)].update(filter(None, map(_top, played)))
    return {
        event
        for event, found in tops.items()
        if found
        and _is_top(found.most_common(1)[0][0], max(tables[event].values()))
        and not _is_top(found.most_common(1)[0][0], of_section[event])
    }


def _top(table: Node) -> float:
    """Return the matchpoints of both sides together, 0 where they are not given."""
    try:
        return float(table.text("NS_MATCH_POINTS")) + float(table.text("EW_MATCH_POINTS"))
    except ValueError:
        return 0


def _is_top(points: float, tables: int) -> bool:
    """Tell whether it is the top for this number of tables, when each lower score counts one of these units."""
    return any(points == unit * (tables - 1) for unit in (1, 2, 10, 20))


def _stage(document: Document, board: Node) -> Text | None:
    """Say in which part of the event the board was played. The only session and section need no mention."""
    match_round = board.nearest("ROUND_NUMBER")
    is_together = document.is_one_session or id(board.event) in document.together
    parts = {
        "Session": "" if document.is_one_session else board.nearest_id("SESSION_ID"),
        "Section": "" if is_together else board.nearest_id("SECTION_ID"),
        "Round": match_round.value if match_round else "",
    }
    stage = ", ".join(f"{name} {value}" for name, value in parts.items() if value)
    return Text(stage, board.line) if stage else None


def _add_seating(game: Game, document: Document, table: Node) -> None:
    """Say what tells tables apart, which have no number in USEBIO: their pairs, or the direction of the first team."""
    for name, team in (("HomeTeam", table.nearest("TEAM")), ("VisitTeam", table.nearest("OPPOSING_TEAM"))):
        game.add(name, team, lambda number: document.teams.get(number, number))
    section = table.nearest_id("SECTION_ID") if id(table.event) in document.together else ""
    pairs = table.nearest("NS_PAIR_NUMBER"), table.nearest("EW_PAIR_NUMBER")
    for name, pair in zip(("PairNS", "PairEW"), pairs, strict=True):
        game.add(name, pair, lambda number: with_section(number, section))
    if not any(pairs):
        game.add("Table", table.texts.get("DIRECTION"))


def _add_points(game: Game, table: Node) -> None:
    for name, tag in POINTS.items():
        if points := table.texts.get(f"NS_{name}"):
            others = table.text(f"EW_{name}")
            game.add(tag, Text(f"NS {points.value} EW {others}" if others else f"NS {points.value}", points.line))


def _add_result(game: Game, table: Node) -> None:
    contract = _contract(table.text("CONTRACT"), _seat(table.text("PLAYED_BY")))
    game.add("Contract", table.texts["CONTRACT"])
    if contract and contract.passed_out:
        return
    game.add("Declarer", table.texts.get("PLAYED_BY"), _seat)
    game.add("Result", table.texts.get("TRICKS"), lambda text: _tricks(text, contract))
    game.add("Score", table.texts.get("SCORE"), "NS {}".format)
    lead = write_card(_NO_CARD.sub("", table.text("LEAD").upper()))
    if lead and contract and contract.leader:
        line = table.texts["LEAD"].line
        game.lines += [(write_tag("Play", contract.leader), line), (lead, line)]


def _contract(text: str, declarer: str) -> Contract | None:
    try:
        return Contract.parse(text, parse_seat(declarer) if declarer else None)
    except BridgeError:
        return None


def _tricks(text: str, contract: Contract | None) -> str:
    """Return the tricks of declarer. Some programs write those above or below the contract."""
    if not _RELATIVE_RESULT.fullmatch(text) or contract is None or contract.tricks_needed is None:
        return text
    return str(contract.tricks_needed + int(text.replace("=", "0")))
