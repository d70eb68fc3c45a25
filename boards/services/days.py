"""The hand of the day: chosen once for each day by votes and difficulty, and the same for everybody.

On Monday and Tuesday it is one for beginners, then one a step harder every two days, up to one for experts on Sunday.
Among those it is the board with the most votes that was not shown for a year. Where several have as many, chance
decides, the same in every process, so that the newest has no advantage. Where none is of that difficulty, any will do,
and where all were shown within the year, the one that was shown longest ago.
"""

from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from uuid import UUID

from django.db.models import F, Max, Q

from boards.models import Board, BoardOfTheDay
from boards.records import call_of
from bridge.auction import Auction
from bridge.board import TEXTS
from bridge.seats import Seat
from search.conditions import Between, Condition, OneOf, every
from search.facts import FACTS, Choice, number
from search.index.finding import IS_PUBLISHED
from search.index.top import find_top

PAUSE = timedelta(days=365)
"""How long a board is not chosen again."""

CANDIDATES = PAUSE.days + 50
"""The boards with the most votes that are looked at: so many that some of them were not shown for a year."""

WITH_AUCTION: tuple[Condition, ...] = (IS_PUBLISHED, Between(number("calls"), low=4), Between(number("level"), low=1))


def keep_board_of_the_day() -> bool:
    """Choose the board of today if there is none yet. Return whether one was chosen.

    Several workers may do it at once: the first choice stands. The worker asks about once a second.
    """
    today = datetime.now(UTC).date()
    if BoardOfTheDay.objects.filter(day=today).exists() or not (board_id := choose(today)):
        return False
    BoardOfTheDay.objects.bulk_create([BoardOfTheDay(day=today, board_id=board_id)], ignore_conflicts=True)
    return True


def choose(day: date) -> UUID | None:
    """Return the board of a day, or None when no published board has an auction that came to an end."""
    difficulty = TEXTS["difficulty"].choices[day.weekday() // 2]
    fact = FACTS["difficulty"]
    assert isinstance(fact, Choice)
    fitting = OneOf(fact, (difficulty,))
    return choose_among(day, every([*WITH_AUCTION, fitting])) or choose_among(day, every(WITH_AUCTION))


def choose_among(day: date, condition: Condition) -> UUID | None:
    """Return the board with the most votes that was not shown for a year, else the one shown longest ago."""
    ids = find_top(condition, 0, CANDIDATES).ids
    found = (
        Board.objects.published()
        .filter(pk__in=ids)
        .annotate(last_day=Max("days__day", filter=Q(days__day__lt=day)))
        .values_list("last_day", F("up_votes") - F("down_votes"), "pk", "dealer", "auction")
    )
    complete = [
        (last_day if last_day and last_day > day - PAUSE else date.min, -votes, chance(day, pk), pk)
        for last_day, votes, pk, dealer, calls in found
        if Auction.from_legal(Seat(dealer), tuple(map(call_of, calls))).complete
    ]
    return min(complete)[-1] if complete else None


def chance(day: date, pk: UUID) -> bytes:
    return sha256(f"{day} {pk}".encode()).digest()
