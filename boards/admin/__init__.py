"""The boards in the admin: the list and the page of a board, its filters, changes of many boards, and uploads."""

from boards.admin.pages import BoardAdmin

__all__ = ["BoardAdmin"]
