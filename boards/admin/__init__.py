"""Boards, collections and rankings in the admin: lists and pages, filters, changes of many boards, and uploads."""

from boards.admin.collections import CollectionAdmin
from boards.admin.pages import BoardAdmin
from boards.admin.rankings import EventRankingAdmin

__all__ = ["BoardAdmin", "CollectionAdmin", "EventRankingAdmin"]
