"""A board's opening lead and play are part of its identity now. Give the boards that have them their new fingerprint."""

import json
from hashlib import sha256

from django.db import migrations

CHUNK = 1_000


def columns(board):
    """Return what counted before."""
    calls = (
        None
        if board.auction is None
        else [call if isinstance(call, str) else call[0] for call in board.auction]
    )
    declared = (board.contract or None, board.declarer or None, board.tricks)
    return board.deal.cards, board.owner_id, board.dealer, board.vulnerability, calls, *declared


def fingerprint(*parts):
    return sha256(json.dumps(parts).encode()).hexdigest()


def count_play(apps, schema_editor):
    """Leave duplicates alone: theirs was never the hash of what they show (boards.personal_data)."""
    Board = apps.get_model("boards", "Board")
    boards = Board.objects.exclude(opening_lead="").select_related("deal").order_by("pk")
    boards = boards.only(
        *("fingerprint", "owner", "dealer", "vulnerability", "auction", "contract", "declarer", "tricks"),
        *("opening_lead", "play", "deal__cards"),
    )
    last = None
    while chunk := list(boards.filter(pk__gt=last)[:CHUNK] if last else boards[:CHUNK]):
        last = chunk[-1].pk
        changed = []
        for board in chunk:
            before = columns(board)
            if board.fingerprint == fingerprint(*before):
                board.fingerprint = fingerprint(*before, board.opening_lead, board.play or [], "", "", "", "")
                changed.append(board)
        Board.objects.bulk_update(changed, ["fingerprint"])


class Migration(migrations.Migration):
    dependencies = [("boards", "0006_rooms_and_teams")]

    operations = [migrations.RunPython(count_play, migrations.RunPython.noop, elidable=True)]
