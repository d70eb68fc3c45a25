from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db import models, transaction
from django.db.models import F, Q

from accounts.models import Account
from boards.models.rankings import leave_events
from deals.events.recording import record_boards
from deals.models import FeedEvent
from search.models import leave_numbers
from themes.models import Theme

if TYPE_CHECKING:
    from boards.models import Board, Collection


class BoardQuerySet(models.QuerySet["Board"]):
    def published(self) -> "BoardQuerySet":
        return self.filter(published_at__isnull=False)

    def drafts(self) -> "BoardQuerySet":
        return self.filter(published_at__isnull=True)

    def visible_to(self, caller: Account | AnonymousUser) -> "BoardQuerySet":
        """Return the boards the caller may see: published ones, their own drafts, and for staff every draft."""
        if caller.is_staff:
            return self
        if not caller.is_authenticated:
            return self.published()
        return self.filter(Q(published_at__isnull=False) | Q(owner=caller))

    def of_event(self, slug: str) -> "BoardQuerySet":
        """Return the published boards of an event in the order of their numbers, all tables of a deal together."""
        return self.published().filter(published__event_deal__event=slug).in_order_of_event()

    def in_order_of_event(self) -> "BoardQuerySet":
        """Order by stage and number, all tables of a deal together, the open room first. Drafts have none."""
        in_order = (f"published__event_deal__{name}" for name in ("stage_key", "board_number", "deal_id"))
        return self.order_by(*in_order, "-room", "table", "id")

    def delete(self) -> tuple[int, dict[str, int]]:
        """Delete the boards with their votes. The index finds none under their numbers any more.

        Rankings of events go with an account's last published board there.
        Lock them before their votes, as a vote does, so that none is added in between.
        """
        with transaction.atomic():
            locked = self.order_by("pk").select_for_update(of=("self",))
            rows = list(locked.values_list("number", "published_at", "pk", "deal_id", "published__event_deal__event"))
            leave_numbers([number for number, *_ in rows])
            published = [(pk, deal_id) for _, published_at, pk, deal_id, _ in rows if published_at]
            record_boards(FeedEvent.Type.BOARD_UNPUBLISHED, published)
            deleted = super().delete()
            leave_events({slug for *_, slug in rows if slug})
            return deleted

    delete.alters_data = True  # type: ignore[attr-defined]  # as that of Django's: no template may call it
    delete.queryset_only = True  # type: ignore[attr-defined]  # no manager has it

    def newest_first(self) -> "BoardQuerySet":
        return self.order_by("-number")

    def top_first(self) -> "BoardQuerySet":
        """Order by up minus down votes, then newest. The index board_voted has those with other votes than none."""
        return self.order_by((F("down_votes") - F("up_votes")).asc(), "-number")

    def liked(self) -> "BoardQuerySet":
        """Return the boards with more votes for them than against. The terms are those of the index board_voted."""
        voted = self.exclude(up_votes=F("down_votes"))
        return voted.alias(against=F("down_votes") - F("up_votes")).filter(against__lt=0)

    def own_votes(self, account: Account) -> dict[UUID, str]:
        """Return the account's votes on these boards, "up" or "down" by board id. Votes stand on a higher floor."""
        voted = self.filter(votes__account=account).order_by()
        return dict(voted.values_list("pk", "votes__value"))

    def with_details(self) -> "BoardQuerySet":
        """Fetch everything that a board is shown with, in a fixed number of queries. Themes lack their descriptions."""
        themes = models.Prefetch("themes", queryset=Theme.objects.ordered_by_type().defer("description"))
        return self.select_related("deal", "auction_system", "analysis").prefetch_related(themes)


class CollectionQuerySet(models.QuerySet["Collection"]):
    def public(self) -> "CollectionQuerySet":
        return self.filter(visibility="public")

    def readable_by(self, caller: Account | AnonymousUser) -> "CollectionQuerySet":
        """Return the collections that the caller may read: public ones, those by link, and the caller's own.

        Only public ones and the caller's own may be listed.
        """
        return self.filter(Q(visibility__in=("link", "public")) | Q(owner_id=caller.pk))

    def newest_first(self, moment: str) -> "CollectionQuerySet":
        """Order by a column: `published_at` for public ones, `created_at` for those of an owner."""
        return self.order_by(F(moment).desc(), "-id")

    def read_after(self, moment: str, value: datetime, pk: UUID, limit: int) -> "Sequence[Collection]":
        """Return so many of those that follow the one with this moment and id in `newest_first`."""
        earlier = Q(**{f"{moment}__lt": value}) | Q(**{moment: value, "id__lt": pk})
        return list(self.newest_first(moment).filter(**{f"{moment}__lte": value}).filter(earlier)[:limit])
