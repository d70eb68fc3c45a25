"""Boards, collections, events and rankings in the admin: lists, pages, filters, changes of many boards, and uploads."""

from boards.admin.collections import CollectionAdmin
from boards.admin.events import EventAdmin
from boards.admin.pages import BoardAdmin
from boards.admin.rankings import EventRankingAdmin

__all__ = ["BoardAdmin", "CollectionAdmin", "EventAdmin", "EventRankingAdmin"]
