"""Boards and collections in the admin: lists and pages, filters, changes of many boards, and uploads."""

from boards.admin.collections import CollectionAdmin
from boards.admin.pages import BoardAdmin

__all__ = ["BoardAdmin", "CollectionAdmin"]
