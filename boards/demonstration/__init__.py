"""Forty boards to look at before there are any others: what boards/data/demonstration.pbn is made of.

`python -m boards.demonstration` writes that file anew.
"""

from .compose import THEMES, demonstration_boards, write_demonstration

__all__ = ["THEMES", "demonstration_boards", "write_demonstration"]
