"""The pages of bench.pages, in the checkout of the working directory. Prints one line of JSON.

For each page: milliseconds of this process and of PostgreSQL for one request, and the bytes of the answer. Only what
every checkout has is used here, so that an older one can be measured too.
"""

import json
import time
from pathlib import Path

import django

django.setup()

from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402

from boards.models import Board  # noqa: E402

REPETITIONS = 40
BOARD = Board.objects.filter(event="The evening").order_by("board_number", "pk")[0]
SLUG = BOARD.event_slug
ID = BOARD.pk
PAGES = {
    "home": "/",
    "boards": "/boards",
    "boards of the evening": f"/boards?event={SLUG}",
    "themes": "/themes",
    "a theme": "/themes/stayman",
    "hand records": "/boards/print",
    "a board": f"/boards/{ID}",
    "a step of the auction": f"/boards/{ID}?step=3",
    "a step of the play": f"/boards/{ID}?step=30",
    "a step with costs": f"/boards/{ID}?step=30&costs=shown",
    "an evening": f"/events/{SLUG}",
    "results of an evening": f"/events/{SLUG}/results",
    "practice, a hand": f"/practice/{ID}?seat=south&step=0",
    "practice, revealed": f"/practice/{ID}?step=end",
    "an embed": f"/boards/{ID}/embed",
    "a step of an embed": f"/boards/{ID}/embed?step=30",
    "a picture, warm": f"/boards/{ID}.png",
    "the board of the day": "/today",
}
"""The addresses by the names of the pages."""


def main() -> None:
    client = Client(raise_request_exception=False, headers={"Host": "127.0.0.1"})
    client.post(f"/boards/{ID}/costs", secure=True)
    measured = {}
    for name, path in PAGES.items():
        answer = client.get(path, secure=True)
        if answer.status_code == 200:
            measured[name] = measure(client, path, len(answer.content))
    print(json.dumps(measured))  # noqa: T201


def measure(client: Client, path: str, size: int) -> list[float]:
    """Return the milliseconds of this process and of its database session for a request, and the bytes."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        usage = Path(f"/proc/{cursor.fetchone()[0]}/schedstat")
    for _ in range(3):
        client.get(path, secure=True)
    database, started = nanoseconds(usage), time.process_time()
    for _ in range(REPETITIONS):
        client.get(path, secure=True)
    ours = time.process_time() - started
    return [1000 * ours / REPETITIONS, (nanoseconds(usage) - database) / 1e6 / REPETITIONS, size]


def nanoseconds(usage: Path) -> int:
    return int(usage.read_text(encoding="ascii").split()[0])


main()
