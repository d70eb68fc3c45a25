"""Corrections: tables of a file that are stored already with something else, and what becomes of the stored ones.

In one event the same board and pair is the same table, or where no pairs are given the same room, table and teams. A
board that nobody played, of which an event has one, is the same too. Empty texts of a stored board are filled from a
record of the same board.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from itertools import product, starmap
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

from boards.identity import fold, slug_of, stage_key_of
from boards.models import Board
from boards.models.names import table_of
from boards.records import columns_of, decode_call, encode_call, record_of
from bridge.auction import Call
from bridge.board import OF_TABLE, TEXTS, BoardRecord
from bridge.dates import known_parts
from bridge.formats.outcomes import ReadBoard

FILLED = (
    *("board_number", "commentary", "deal_commentary", "auction_system_id", "system_text"),
    *(name for name, text in TEXTS.items() if not text.identifying),
)
"""The columns that a further record fills where they are empty. What is there already stays."""


def fill_texts(board: Board, other: Board) -> list[str]:
    """Fill the empty texts and explanations of a board from another with the same fingerprint.

    Return the names of the columns that were changed, without "_id".
    """
    changed = [name for name in FILLED if not getattr(board, name) and getattr(other, name)]
    if board.auction_system_id and "system_text" in changed:
        changed.remove("system_text")
    for name in changed:
        setattr(board, name, getattr(other, name))
    auction = fill_explanations(board.auction, other.auction)
    if auction != board.auction:
        board.auction = auction
        changed.append("auction")
    return [name.removesuffix("_id") for name in changed]


def fill_explanations(calls: list[Any] | None, others: list[Any] | None) -> list[Any] | None:
    """Return stored calls with the explanations that only the others have. Both are the same calls."""
    if not calls or not others:
        return calls
    return [fill_call(call, other) for call, other in zip(calls, others, strict=True)]


def fill_call(stored: Any, other: Any) -> Any:
    call, further = decode_call(stored), decode_call(other)
    if call["explanation"] or not further["explanation"]:
        return stored
    return encode_call(Call(call["call"], call["alert"] or further["alert"], further["explanation"]))


MAX_STORED = 20_000
"""Stored tables that the tables of a batch are held against. An event with more of them under the same numbers is no
evening of a club, and nothing is corrected there."""

MAX_ALONE = 10
"""Tables of an evening that a file may correct though it has none of the others as they are stored."""

MAX_SAID = 80
"""Characters of a value, such as a play, that a correction names."""

LOSSES = frozenset({"contract_dropped", "result_dropped", "file_cut"})
"""What may be said of a record that then knows less than the file meant."""

OUTCOME = ("layout", "contract", "tricks", "adjustment")
DETAILS = ("auction", "play", "opening_lead", *OF_TABLE)
"""The columns that stay where the same outcome comes again without them."""

EVENING = ("event", "date", "site")
"""The texts whose letters and blanks tell no evenings apart. Those of a stored board stay as they are."""

read_evening = attrgetter(*EVENING)

PAIRS = ("pair_ns", "pair_ew")
read_place = attrgetter(*(name for name in OF_TABLE if name not in PAIRS))
COLUMNS = (
    *("fingerprint", *EVENING, "stage", "board_number", "deal__cards", "contract", "adjustment"),
    *OF_TABLE,
)


class Evening(NamedTuple):
    """A stage of an event, and whether its day is known. Without a day two evenings look like one."""

    slug: str
    stage_key: str
    is_dated: bool


class EventTable(NamedTuple):
    """A table of a numbered board of an event, stored or in a file."""

    pk: UUID
    fingerprint: str
    evening: Evening
    number: int
    cards: str
    is_played: bool
    place: str
    pair_ns: str
    pair_ew: str


def event_table(stored: Any, cards: str) -> EventTable | None:
    """Return the table of a board or of a named row of COLUMNS, or None for one without an event or a number."""
    if not (stored.event and stored.board_number):
        return None
    slug, is_dated = slug_of(stored.event, stored.date, stored.site), len(known_parts(stored.date)) == 3
    place = read_place(stored)
    return EventTable(
        pk=stored.pk,
        fingerprint=stored.fingerprint,
        evening=Evening(slug, stage_key_of(stored.stage), is_dated),
        number=stored.board_number,
        cards=cards,
        is_played=bool(stored.contract or stored.adjustment),
        place="/".join(map(fold, place)) if any(place) else "",
        pair_ns=stored.pair_ns,
        pair_ew=stored.pair_ew,
    )


def read_stored(owner_id: str, boards: Iterable[Board]) -> list[EventTable]:
    """Return the owner's stored tables of the same events and numbers as these boards."""
    wanted = [board for board in boards if board.event and board.board_number]
    if not wanted:
        return []
    of_owner = Board.objects.filter(owner=owner_id).order_by()
    spellings = set(map(read_evening, wanted))
    slugs = set(starmap(slug_of, spellings))
    # The same evening in other letters: most of its deals are the same, and nothing finds drafts by their slug.
    of_deals = of_owner.filter(deal__cards__in={board.deal.cards for board in wanted})
    stored = of_deals.values_list(*EVENING).distinct()[: MAX_STORED + 1]
    spellings |= {spelling for spelling in stored if slug_of(*spelling) in slugs}
    events, dates, _ = map(set, zip(*spellings, strict=True))
    numbers = {board.board_number for board in wanted}
    rows = of_owner.filter(event__in=events, date__in=dates, board_number__in=numbers)
    found: list[Any] = list(rows.values_list("pk", *COLUMNS, named=True)[: MAX_STORED + 1])
    if len(found) > MAX_STORED:
        return []
    return [table for row in found if (table := event_table(row, row.deal__cards))]


WAYS = range(5)


def names_of(table: EventTable) -> tuple[str, ...]:
    """Return what two records of a table may have in common, the surest first: a name for each of WAYS.

    Nothing, as in "", tells no tables apart.
    """
    north_south, east_west = table.pair_ns, table.pair_ew
    pairs = " ".join(sorted((north_south, east_west))) if north_south and east_west else ""
    place = "" if north_south or east_west else table.place
    # A board that nobody played. Without a day, lessons of one name would take one another's place.
    is_deal_alone = table.evening.is_dated and not (table.is_played or table.place or north_south or east_west)
    return north_south, east_west, pairs, place, "the deal alone" if is_deal_alone else ""


class Corrections:
    """Finds which stored tables the tables of a file correct, batch by batch."""

    def __init__(self, owner_id: str) -> None:
        self.owner_id = owner_id
        self._same_hands: dict[tuple[Evening, int], bool] = {}
        """Whether the hands of a board, as far as the file is read, are those that are stored."""

    def find(self, boards: Collection[Board], is_of_file: Callable[[EventTable], bool]) -> dict[str, EventTable]:
        """Return the owner's stored tables that these boards of a file correct, by the fingerprints of the boards.

        Stored tables that the file has brought itself are left out, and so are boards that are stored as they are.
        """
        stored = [table for table in read_stored(self.owner_id, boards) if not is_of_file(table)]
        found = self._match(boards, stored)
        known = {*Board.objects.filter(fingerprint__in=found).values_list("fingerprint", flat=True)} if found else ()
        fingerprints = [board.fingerprint for board in boards]
        return {new: found[new] for new in fingerprints if new in found and new not in known}

    def _match(self, boards: Iterable[Board], stored: Iterable[EventTable]) -> dict[str, EventTable]:
        """Match boards of a file with the stored tables that they correct.

        A stored table that the file has as it is, is not corrected. One is, when it is the only one left at its place,
        and so is the file's. It must not be the table of another session or section: hands move only in an evening
        whose other hands are stored, and many tables only where as many are the same.
        """
        tables = {table.fingerprint: table for board in boards if (table := event_table(board, board.deal.cards))}
        left = {table.fingerprint: table for table in stored}
        steady = self._find_steady(tables.values(), left.values())
        hands = {(table.evening, table.number, table.cards) for table in left.values()}
        same = tables.keys() & left.keys()
        matches = Counter(tables[fingerprint].evening for fingerprint in same)

        def may_correct(new: EventTable, old: EventTable) -> bool:
            is_new = (new.evening, new.number, new.cards) not in hands
            return new.cards == old.cards or (new.evening in steady and is_new)

        for fingerprint in same:
            del tables[fingerprint], left[fingerprint]
        found = pair_surest_first(tables, left, may_correct)
        numbers = Counter(old.evening for old in found.values())
        others = {evening for evening, number in numbers.items() if number > max(MAX_ALONE, matches[evening])}
        return {new: old for new, old in found.items() if old.evening not in others}

    def _find_steady(self, new: Iterable[EventTable], stored: Iterable[EventTable]) -> set[Evening]:
        """Return the evenings whose hands may have been corrected: most of their boards have the hands that are stored.

        Otherwise it is another session of the same name and day, or of a name without a day.
        """
        cards: dict[tuple[Evening, int], tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))
        for index, tables in enumerate((new, stored)):
            for table in tables:
                cards[table.evening, table.number][index].add(table.cards)
        self._same_hands |= {board: bool(ours & theirs) for board, (ours, theirs) in cards.items() if ours and theirs}
        balance: dict[Evening, int] = defaultdict(int)
        for (evening, _), is_same in self._same_hands.items():
            balance[evening] += 1 if is_same else -1
        return {evening for evening, number in balance.items() if number > 0 and evening.is_dated}


def pair_surest_first(
    new: Mapping[str, EventTable],
    stored: Mapping[str, EventTable],
    may_correct: Callable[[EventTable, EventTable], bool],
) -> dict[str, EventTable]:
    """Pair tables by each of WAYS, first those of the same hands. A pair is out of the ways that follow.

    Return the stored tables by the fingerprints of the new ones.
    """
    new, stored = dict(new), dict(stored)
    found: dict[str, EventTable] = {}
    for way, with_hands in product(WAYS, (True, False)):
        for ours, theirs in pair_up(new.values(), stored.values(), way, with_hands=with_hands):
            if may_correct(ours, theirs):
                found[ours.fingerprint] = theirs
                del new[ours.fingerprint], stored[theirs.fingerprint]
    return found


def pair_up(
    new: Iterable[EventTable], stored: Iterable[EventTable], way: int, *, with_hands: bool
) -> list[tuple[EventTable, EventTable]]:
    """Return a new table and a stored one wherever each is the only one of its board, or its hands, called so."""
    found: dict[tuple[Hashable, ...], tuple[list[EventTable], list[EventTable]]] = defaultdict(lambda: ([], []))
    for index, tables in enumerate((new, stored)):
        for table in tables:
            if name := names_of(table)[way]:
                hands = table.cards if with_hands else ""
                found[table.evening, table.number, name, hands][index].append(table)
    return [(ours[0], theirs[0]) for ours, theirs in found.values() if len(ours) == len(theirs) == 1]


def says_less(new: ReadBoard, old: EventTable) -> bool:
    """Tell whether a record knows less of a table than what is stored: it was not played, or something was dropped."""
    content = new.content
    is_unplayed = not (content.contract or content.adjustment)
    return (is_unplayed and old.is_played) or not LOSSES.isdisjoint(warning.code for warning in new.warnings)


def correct(board: Board, new: Board) -> tuple[str, str]:
    """Make a stored board what another says of the same table, but for what only the stored one has. Not saved.

    Its texts stay where the other has none, and so do auction, play and lead where contract, result and hands are the
    same. Return what was, and what is now, in words: ("", "") where only the stored one says more.
    """
    before, record = record_of(board), record_of(new)
    is_same = all(getattr(before, name) == getattr(record, name) for name in OUTCOME)
    kept = {*FILLED, *(DETAILS if is_same else ())}
    for name, value in columns_of(record).items():
        if name not in EVENING and (value or name not in kept):
            setattr(board, name, value)
    board.deal, board.fingerprint = new.deal, new.fingerprint
    if new.auction_system or new.system_text:
        board.auction_system, board.system_text = new.auction_system, new.system_text
    return describe_difference(before, record_of(board))


def describe_difference(old: BoardRecord, new: BoardRecord) -> tuple[str, str]:
    """Say in what two records of a table differ: ("result 9 tricks", "result 10 tricks")."""
    before, after = describe(old), describe(new)
    different = [name for name in before if before[name] != after[name]]
    old_said, new_said = (
        ", ".join(f"{name} {values[name][:MAX_SAID] or 'not given'}" for name in different)
        for values in (before, after)
    )
    return old_said, new_said


def describe(record: BoardRecord) -> Mapping[str, str]:
    """Return what a correction may change, by its name for people."""
    return {
        "hands": record.layout.cards,
        "dealer": record.dealer.full_name,
        "vulnerability": record.vulnerability.value,
        "table": ", ".join(filter(None, table_of(record))),
        "contract": str(record.contract or ""),
        "result": "" if record.tricks is None else f"{record.tricks} tricks",
        "adjusted score": record.adjustment,
        "lead": record.opening_lead,
        "auction": " ".join(call.call for call in record.auction.calls) if record.auction else "",
        "play": " ".join(record.play),
    }
