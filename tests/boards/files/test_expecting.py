"""How many numbers a long file gets: enough, so that its boards are listed in its order, and not many more."""

from io import BytesIO
from itertools import islice
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZipFile

from boards.files.reports import MIN_EXPECTED, expect_boards
from bridge.formats.files import read_boards
from bridge.formats.outcomes import ReadBoard
from tests.bridge.factories import layout

DEALS = [layout(seed).cards for seed in range(2_000)]
BARE = "".join(f"{deal}\n" for deal in DEALS).encode()
PBN = "".join(f'[Board "{number}"]\n[Deal "{deal}"]\n\n' for number, deal in enumerate(DEALS, 1)).encode()


def packed(data: bytes) -> bytes:
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        archive.writestr("evening.pbn", data)
    return file.getvalue()


def expected(file: BinaryIO) -> int:
    outcomes = (outcome for outcome in read_boards(file) if isinstance(outcome, ReadBoard))
    first = list(islice(outcomes, 500))
    count = expect_boards(file, len(first), first[-1])
    assert len(first) + sum(1 for _ in outcomes) == len(DEALS)  # the file is read on where it was
    return count


def test_the_first_boards_of_a_file_tell_how_many_it_has() -> None:
    for name, data, most in (("bare", BARE, 1.2), ("PBN", PBN, 1.2), ("ZIP", packed(BARE), 3), ("ZIP", packed(PBN), 6)):
        assert len(DEALS) <= expected(BytesIO(data)) <= most * len(DEALS), name


def test_a_file_that_cannot_be_read_twice_gets_some() -> None:
    class Stream(BytesIO):
        def seekable(self) -> bool:
            return False

    assert expected(Stream(BARE)) == MIN_EXPECTED
