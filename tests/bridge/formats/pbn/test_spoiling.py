"""Sound records that were spoilt on purpose."""

from tests.bridge.formats.pbn.spoiling import spoil_records


def test_records_spoilt_in_twenty_ways_are_not_published_falsely_nor_lost() -> None:
    """spoiling.py counts them for 10,000 records too."""
    count = 420
    faults, ways = spoil_records(count)
    assert faults["false"] <= count * 0.002 and faults["untrue"] <= count * 0.0005, ways
    assert faults["lost"] <= count * 0.002 and not faults["neighbour"], ways
