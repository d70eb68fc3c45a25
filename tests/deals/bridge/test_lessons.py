"""What people read of the commentaries of teachers and dealing programs."""

from deals.bridge.lessons import read_commentary

MACHINES = "086BE702A41C93D5F0E1B2A37788\nShape 1534 4333 3325 5422\nHCP N:12 E:8 S:11 W:9\nLosers: 7.5 8 7 8"


def test_lines_of_dealing_programs_are_no_commentary() -> None:
    assert read_commentary(MACHINES) == ""
    assert read_commentary(f"{MACHINES}\nOpen 1!s.\n\nWhy?\nHCP 12") == "Open 1♠.\n\nWhy?"
    text = "Shape 5422 is best.\nHCP in the long suit\nFACE\n12 HCP\nLosers"
    assert read_commentary(text) == text
