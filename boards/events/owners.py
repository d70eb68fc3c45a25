"""Whose tables count where several accounts hold the same evening: the club's, then those of who published first.

Titles, the way of scoring, the ranking of a file and the spelling of an event follow the same order, which
boards.events.tables has. An erasure gives boards another owner and no other date, so a member keeps the place. Boards
of staff lose theirs, since the role goes with the person (decision 0062).
"""

from collections.abc import Collection, Iterable

from accounts.identifiers import SYSTEM
from accounts.models import Account
from boards.events.tables import DealTables, Table, without_copies
from boards.models import EventDeal
from config.database import reading_connection


def find_club(groups: Iterable[Iterable[Table]]) -> Collection[str]:
    """Return the club's accounts among those that meet in one of these groups of tables.

    It takes a statement where several accounts meet, and none elsewhere.
    """
    owners = [{table.owner_id for table in tables} for tables in groups]
    meeting = {owner for of_group in owners if len(of_group) > 1 for owner in of_group} - {SYSTEM}
    staff = Account.objects.of_club().using(reading_connection().alias).filter(pk__in=meeting) if meeting else None
    return {SYSTEM, *(staff.values_list("pk", flat=True) if staff is not None else ())}


def merge_owners(deals: Collection[tuple[EventDeal, list[Table]]]) -> list[tuple[EventDeal, DealTables]]:
    """Return the tables of each deal, each once."""
    club = find_club(tables for _, tables in deals)
    return [(deal, without_copies(tables, club)) for deal, tables in deals]
