"""`python -m bench.fill 10000`: publish that many boards of random deals in the database of DATABASE_URL.

Unlike the measurements, this keeps what it makes.
"""

import io
import sys

import django

django.setup()

from boards.files.importing import import_boards  # noqa: E402
from deals.bridge.pbn.writer import write_pbn  # noqa: E402
from tests import factories  # noqa: E402
from themes.models import Theme  # noqa: E402

AUCTIONS = (
    "1NT Pass 3NT Pass Pass Pass",
    "1S X 2S 3H 4S X Pass Pass Pass",
    "Pass 1H Pass 2H Pass 4H Pass Pass Pass",
)


def main(boards: int) -> None:
    themes = list(Theme.objects.all()[:2])
    for start in range(0, boards, 1000):
        records = (
            factories.record(
                seed, number=seed % 32 + 1, calls=AUCTIONS[seed % 3], tricks=seed % 14, title=f"Board {seed}"
            )
            for seed in range(start, min(start + 1000, boards))
        )
        file = io.BytesIO("".join(map(write_pbn, records)).encode())
        report = import_boards(file=file, themes=themes, publish=True)
        print(start, report.boards)  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]))
