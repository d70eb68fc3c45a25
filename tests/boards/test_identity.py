"""A board's play and place are part of its identity."""

from dataclasses import replace

from boards.records import fingerprint_of
from tests import factories


def test_a_change_of_room_changes_the_fingerprint() -> None:
    record = factories.record(seed=1)
    assert len({fingerprint_of(replace(record, room=room), "system") for room in ("", "Open", "Closed")}) == 3


def test_the_opening_lead_and_the_play_change_the_fingerprint() -> None:
    record = factories.record(seed=1, calls="1NT Pass Pass Pass")
    plays = ((), ("HK",), ("HK", "HA"))
    records = (replace(record, opening_lead=play[0] if play else "", play=play) for play in plays)
    assert len({fingerprint_of(each, "system") for each in records}) == len(plays)
