"""The rankings that files give of events: stored as they are, and shown beside those that are counted from the boards.

A ranking comes and goes with published boards: it is stored by an import after which its account has some of the event,
and deleted with the last of them (boards.models.rankings). Only that of the first account whose tables are shown is
read (boards.events.owners). What it says of pairs that sat at none of the tables is left out.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

from boards.events.ranking import Stage
from boards.events.tables import fold_team, rank_owners
from boards.identity import slug_of, stage_key_of, whole_stage
from boards.models import Board, EventRanking
from bridge.formats.rankings import GivenPlace, GivenRanking
from config.database import fetch_rows

MAX_PLACES_OF_FILE = 50_000
MAX_EVENTS_OF_FILE = 1000
"""The places of all rankings of a file that are read, and their events. A season of a club has a few thousand places.
"""

MAX_OF_EVENT = 50
"""The rankings of an event that are kept: of so many sections and rounds."""


@dataclass
class FileRankings:
    """The rankings of a file by the slug of the event, and by the key of the stage. Of several the last one counts.

    `stored` counts those that were stored.
    """

    by_event: dict[str, dict[str, GivenRanking]] = field(default_factory=lambda: defaultdict(dict))
    places: int = 0
    stored: int = 0

    @property
    def count(self) -> int:
        return sum(map(len, self.by_event.values()))

    def add(self, ranking: GivenRanking) -> None:
        """Add a ranking of an event that has a name, until there are too many."""
        slug, stage = slug_of(ranking.event, ranking.date, ranking.site), stage_key_of(ranking.stage)
        self.places += len(ranking.places)
        is_too_much = slug not in self.by_event and len(self.by_event) >= MAX_EVENTS_OF_FILE
        if not slug or is_too_much or self.places > MAX_PLACES_OF_FILE:
            return
        of_event = self.by_event[slug]
        if stage in of_event or len(of_event) < MAX_OF_EVENT:
            of_event[stage] = ranking

    def store(self, owner_id: str) -> None:
        """Store the rankings in place of those that the account has of their events. Call inside a transaction.

        Only what concerns pairs and teams at the account's own published tables is stored: a ranking without any of
        them changes nothing.
        """
        tables = PublishedTables.read(owner_id, self.by_event.keys())
        rows = [
            EventRanking(event_id=slug, stage_key=stage, owner_id=owner_id, unit=ranking.unit, places=places)
            for slug in sorted(tables.lock())
            for stage, ranking in self.by_event[slug].items()
            if (places := tables.places_of(slug, ranking))
        ]
        EventRanking.objects.filter(event__in={row.event_id for row in rows}, owner=owner_id).delete()
        # Another import of the account may have stored the same a moment ago.
        EventRanking.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=("event", "stage_key", "owner"),
            update_fields=("unit", "places", "updated_at"),
        )
        self.stored = len(rows)


@dataclass
class PublishedTables:
    """The pairs and teams at an account's published tables, and one of these, by the slugs of their events."""

    boards: dict[str, UUID] = field(default_factory=dict)
    pairs: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    @classmethod
    def read(cls, owner_id: str, slugs: Collection[str]) -> "PublishedTables":
        """Return what is known of these events, by one query."""
        found = cls()
        tables = Board.objects.published().filter(owner=owner_id, published__event_deal__event__in=slugs).order_by()
        columns = "published__event_deal__event", "pk", "pair_ns", "pair_ew", "home_team", "visit_team"
        for slug, pk, *pairs in tables.values_list(*columns):
            found.boards.setdefault(slug, pk)
            found.pairs[slug] |= {fold_team(pair) for pair in pairs if pair}
        return found

    def lock(self) -> list[str]:
        """Keep a board of each event published until the commit. Return the events of which it still was."""
        locked = Board.objects.published().filter(pk__in=self.boards.values()).order_by("pk").select_for_update()
        kept = {*locked.values_list("pk", flat=True)}
        return [slug for slug, pk in self.boards.items() if pk in kept]

    def places_of(self, slug: str, ranking: GivenRanking) -> list[GivenPlace]:
        """Return the places of those who sat at the tables, one for each pair and side: the first."""
        places: dict[tuple[str, str], GivenPlace] = {}
        for place in ranking.places:
            if (name := fold_team(place.pair)) in self.pairs[slug]:
                places.setdefault((name, place.side), place)
        return [*places.values()]


class FileField(NamedTuple):
    """The pairs of a stage by the places that a file gives them, of a direction where it ranks the two apart.

    `stage` is None where the ranking is of the whole event.
    """

    stage: Stage | None
    unit: EventRanking.Unit
    side: str
    places: list[GivenPlace]

    @property
    def stage_name(self) -> str:
        return self.stage.name if self.stage else ""

    def is_shared(self, rank: int) -> bool:
        return sum(place.rank == rank for place in self.places) > 1

    def says(self, name: str) -> bool:
        """Tell whether the file gives a value of this name for any pair."""
        return any(getattr(place, name) is not None for place in self.places)

    def find(self, pair: str, side: str) -> GivenPlace | None:
        """Return the place of a pair. `side` is where it sat, "" where it sat on both, or where sides do not matter."""
        places = self.places if not (side and self.side) or self.side == side else ()
        return next((place for place in places if fold_team(place.pair) == fold_team(pair)), None)


GIVEN = "SELECT id, stage_key, owner_id FROM boards_eventranking WHERE event_id = %s ORDER BY updated_at, id"
"""The rankings of an event, the last one last."""


def read_file_rankings(slug: str, stages: Sequence[Stage]) -> list[FileField]:
    """Return the rankings that files give of an event with these stages.

    The rankings that are shown are found first, and only these are read: an account may have MAX_OF_EVENT.
    """
    by_key: dict[str, Stage] = {stage.key: stage for stage in stages}
    first_of: dict[Stage | None, str] = {stage: stage.owners[0] for stage in stages}
    first_of[None] = first_owner(stages)
    shown: dict[Stage | None, int] = {}
    for pk, stage_key, owner in fetch_rows(GIVEN, [slug]):
        stage = by_key.get(whole_stage(stage_key))
        if owner == first_of[stage]:
            shown[stage] = pk
    rankings = EventRanking.objects.in_bulk(shown.values())
    return [
        each
        for stage, pk in shown.items()
        if pk in rankings
        for each in fields_of(rankings[pk], stage, [stage] if stage else stages)
    ]


def first_owner(stages: Sequence[Stage]) -> str:
    """Return the first of the accounts that hold tables of these stages, "" without any."""
    tables = [table for stage in stages for table in stage.played]
    return next(iter(rank_owners(tables, stages[0].club if stages else ())), "")


def fields_of(ranking: EventRanking, stage: Stage | None, concerned: Iterable[Stage]) -> list[FileField]:
    by_side: dict[str, list[GivenPlace]] = defaultdict(list)
    for place in (GivenPlace(*values) for values in ranking.places):
        if any(each.seated(place.pair) for each in concerned):
            by_side[place.side].append(place)
    return [
        FileField(stage, EventRanking.Unit(ranking.unit), side, sorted(places, key=lambda place: place.rank))
        for side, places in sorted(by_side.items(), reverse=True)
    ]
