from typing import TYPE_CHECKING

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

    def visible_to(self, caller: Account | AnonymousUser) -> "BoardQuerySet":
        """Published ones to everybody, drafts to their owner and to staff."""
        if caller.is_staff:
            return self
        owned = Q(owner=caller) if caller.is_authenticated else Q()
        return self.filter(Q(published_at__isnull=False) | owned)

    def under_themes(self, themes: models.QuerySet[Theme]) -> "BoardQuerySet":
        """Those with at least one of the themes; a board with several of them comes once."""
        links = self.model.themes.through.objects.filter(board=models.OuterRef("pk"), theme__in=themes)
        return self.filter(models.Exists(links))

    def newest_first(self) -> "BoardQuerySet":
        return self.order_by(F("published_at").desc(), "id")

    def oldest_first(self) -> "BoardQuerySet":
        """`newest_first`, backwards: the same index read from its other end."""
        return self.order_by(F("published_at").asc(), "-id")

    def top_first(self) -> "BoardQuerySet":
        """By up minus down, then newest, then id: the terms of the index board_top."""
        return self.order_by((F("down_votes") - F("up_votes")).asc(), F("published_at").desc(), "id")

    def with_details(self) -> "BoardQuerySet":
        """All that a board is shown with, in a number of queries that does not grow."""
        themes = models.Prefetch("themes", queryset=Theme.objects.ordered_by_type())
        return self.select_related("deal", "auction_system").prefetch_related(themes)
