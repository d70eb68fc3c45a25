"""The rankings that files give of events: stored as they are, and shown beside those that are counted from the boards.

A ranking is shown once boards of its event are published, and only that of the account whose tables are shown. What it
says of pairs that sat at none of these tables is left out.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from boards.events.matches import fold_team
from boards.events.ranking import Stage
from boards.events.reading import store_events
from boards.identity import slug_of, stage_key_of, whole_stage
from boards.models import Board, EventRanking, PublishedBoard
from bridge.formats.rankings import GivenPlace, GivenRanking

MAX_PLACES_OF_FILE = 50_000
MAX_EVENTS_OF_FILE = 1000
"""The places of all rankings of a file that are read, and their events. A season of a club has a few thousand places.
"""

MAX_OF_EVENT = 50
"""The rankings of an event that are kept: of so many sections and rounds."""


@dataclass
class FileRankings:
    """The rankings of a file by the slug of the event, and by the key of the stage. Of several the last one counts."""

    by_event: dict[str, dict[str, GivenRanking]] = field(default_factory=lambda: defaultdict(dict))
    places: int = 0

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

    def store(self, owner_id: str, *, keep_published: bool) -> None:
        """Store the rankings in place of those that the account has of their events. Call inside a transaction.

        Only what concerns pairs and teams at the account's own tables is stored: a ranking without any of them changes
        nothing. With `keep_published` the rankings of events of which it has published boards stay as they are.
        """
        names = {each.event for rankings in self.by_event.values() for each in rankings.values()}
        tables = OwnTables.read(owner_id, self.by_event.keys(), names)
        kept = tables.published if keep_published else set()
        rows = [
            EventRanking(event_id=slug, stage_key=stage, owner_id=owner_id, unit=ranking.unit, places=places)
            for slug in sorted(self.by_event.keys() - kept)
            for stage, ranking in self.by_event[slug].items()
            if (places := tables.places_of(slug, ranking))
        ]
        slugs = {row.event_id for row in rows}
        store_events([tables.boards[slug] for slug in slugs])
        EventRanking.objects.filter(event__in=slugs, owner=owner_id).delete()
        # Another import of the account may have stored the same a moment ago.
        EventRanking.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=("event", "stage_key", "owner"),
            update_fields=("unit", "places", "updated_at"),
        )


@dataclass
class OwnTables:
    """The pairs and teams at the tables of an account, by the slugs of their events, and the events it published.

    `boards` have the names of the events, and are not stored.
    """

    boards: dict[str, Board] = field(default_factory=dict)
    pairs: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    published: set[str] = field(default_factory=set)

    @classmethod
    def read(cls, owner_id: str, slugs: Collection[str], names: Collection[str]) -> "OwnTables":
        """Return what is known of these events, by two queries. Drafts are found where they spell the names so."""
        found = cls()
        of_owner = Board.objects.filter(owner=owner_id).order_by()
        published = PublishedBoard.objects.filter(event_slug__in=slugs).values("board")
        columns = "event", "date", "site", "published_at", "pair_ns", "pair_ew", "home_team", "visit_team"
        tables = of_owner.filter(event__in=names, published_at=None), of_owner.filter(pk__in=published)
        for event, date, site, published_at, *pairs in chain(*(rows.values_list(*columns) for rows in tables)):
            board = Board(event=event, date=date, site=site)
            found.boards.setdefault(slug := board.event_slug, board)
            found.pairs[slug] |= {fold_team(pair) for pair in pairs if pair}
            found.published |= {slug} if published_at else set()
        return found

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


def read_file_rankings(slug: str, stages: Sequence[Stage]) -> list[FileField]:
    """Return the rankings that files give of an event with these stages, by one query."""
    fields: dict[Stage | None, list[FileField]] = {}
    for ranking in EventRanking.objects.filter(event=slug).order_by("updated_at", "pk"):
        stage = next((each for each in stages if each.key == whole_stage(ranking.stage_key)), None)
        concerned = [stage] if stage else stages
        if str(ranking.owner_id) == owner_of(concerned):
            fields[stage] = fields_of(ranking, stage, concerned)
    return [field for of_stage in fields.values() for field in of_stage]


def owner_of(stages: Iterable[Stage]) -> str:
    """Return the account that holds most of the tables that are shown."""
    owners = Counter(table.owner_id for stage in stages for deal in stage.deals for table in deal.tables)
    return max(owners, key=lambda owner: (owners[owner], owner), default="")


def fields_of(ranking: EventRanking, stage: Stage | None, concerned: Iterable[Stage]) -> list[FileField]:
    by_side: dict[str, list[GivenPlace]] = defaultdict(list)
    for place in (GivenPlace(*values) for values in ranking.places):
        if any(each.seated(place.pair) for each in concerned):
            by_side[place.side].append(place)
    return [
        FileField(stage, EventRanking.Unit(ranking.unit), side, sorted(places, key=lambda place: place.rank))
        for side, places in sorted(by_side.items(), reverse=True)
    ]
