from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.apps import apps
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import F, Q

from accounts.models import Account
from themes.models import Theme

if TYPE_CHECKING:
    from boards.models import Board


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

    def in_any_list(self, facets: Collection[str]) -> "BoardQuerySet":
        """Return the published boards that stand in at least one of these lists (boards.catalogue.facets)."""
        lists = apps.get_model("boards", "BoardFacet").objects.filter(facet__in=facets)
        here = lists.filter(board_id=models.OuterRef("pk"), published_at=models.OuterRef("published_at"))
        return self.filter(models.Exists(here))

    def with_any_theme(self, **conditions: Any) -> "BoardQuerySet":
        """Return the boards that have at least one theme of which this is true."""
        themes = Theme.objects.filter(**conditions, boards=models.OuterRef("pk"))
        return self.filter(models.Exists(themes))

    def newest_first(self) -> "BoardQuerySet":
        return self.order_by(F("published_at").desc(), "-id")

    def oldest_first(self) -> "BoardQuerySet":
        """Order as `newest_first` reversed, so that the same index serves both."""
        return self.order_by(F("published_at").asc(), "id")

    def top_first(self) -> "BoardQuerySet":
        """Order by up minus down votes, then newest, then id. The terms are those of the index board_top."""
        return self.order_by((F("down_votes") - F("up_votes")).asc(), F("published_at").desc(), "id")

    def published_before(self, moment: datetime, board_id: UUID) -> "BoardQuerySet":
        """Return the boards that follow a place in the order of `newest_first`. An index is read from there."""
        return self.filter(Q(published_at__lt=moment) | Q(pk__lt=board_id), published_at__lte=moment)

    def newest_created_first(self) -> "BoardQuerySet":
        """Order drafts, which have no date of publication, by when they were stored."""
        return self.order_by("-created_at", "-id")

    def created_before(self, moment: datetime, board_id: UUID) -> "BoardQuerySet":
        """Return the boards that follow a place in the order of `newest_created_first`."""
        return self.filter(Q(created_at__lt=moment) | Q(pk__lt=board_id), created_at__lte=moment)

    def top_created_first(self) -> "BoardQuerySet":
        return self.order_by((F("down_votes") - F("up_votes")).asc(), "-created_at", "id")

    def own_votes(self, account: Account) -> dict[UUID, str]:
        """Return the account's votes on these boards, "up" or "down" by board id. Votes stand on a higher floor."""
        voted = self.filter(votes__account=account).order_by()
        return dict(voted.values_list("pk", "votes__value"))

    def with_details(self) -> "BoardQuerySet":
        """Fetch everything that a board is shown with, in a fixed number of queries. Themes lack their descriptions."""
        themes = models.Prefetch("themes", queryset=Theme.objects.ordered_by_type().defer("description"))
        return self.select_related("deal", "auction_system").prefetch_related(themes)
