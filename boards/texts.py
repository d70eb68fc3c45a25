"""The texts of a board as pages and the admin show them, each with its label."""

from functools import cache
from typing import Any

from django.utils.text import capfirst

from boards.models import Board
from boards.models.names import table_of
from bridge.board import TEXTS, teams_of
from bridge.dates import in_words


def facts_of(board: Board) -> dict[str, str]:
    """Return what is known of where and how the board was played, by its labels."""
    teams = " – ".join(filter(None, teams_of(board)))
    texts = {name: shown_text(board, name) for name in TEXTS}
    texts |= {"title": "", "date": in_words(board.date), "home_team": teams, "visit_team": ""}
    texts |= {"pair_ns": table_of(board)[-1], "pair_ew": ""}
    return {fact_label(name): text for name, text in texts.items() if text}


def shown_text(board: Board, name: str) -> str:
    """Return a text of the board as a page shows it: a choice by its label."""
    column: Any = Board._meta.get_field(name)
    value = getattr(board, name)
    return dict(column.flatchoices).get(value, value)


@cache
def fact_label(name: str) -> str:
    column: Any = Board._meta.get_field(name)
    return {"home_team": "Teams", "pair_ns": "Pairs"}.get(name) or capfirst(column.verbose_name)
