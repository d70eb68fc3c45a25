"""The pages of bench.pages, in the checkout of the working directory, measured as standard input names them.

The first line printed is the list of their names. Then each name that comes is answered by a line: milliseconds of this
process and of PostgreSQL for one request, and the bytes of the answer. Besides the pages for strangers there are those
of a member, those that are kept, which enter where gunicorn does, and what signing in adds to a page, each alone.
"""

import gc
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client, RequestFactory  # noqa: E402

from accounts.models import Account  # noqa: E402
from accounts.signing_in.doors import MEMBER_BACKEND  # noqa: E402
from accounts.signing_in.sessions import SEEN, SessionStore  # noqa: E402
from boards.drawing.votes import draw_ballot  # noqa: E402
from boards.models import Board  # noqa: E402
from boards.pages.ballots import ballot_of  # noqa: E402
from config.edge.serving.public_reads import PublicReads  # noqa: E402
from config.edge.serving.wsgi import Handler  # noqa: E402

REPETITIONS = 3
BOARD = Board.objects.filter(event="The evening", table="1").order_by("board_number")[0]
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
    "events": "/events",
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


MEMBERS_PAGES = ("home", "boards", "a theme", "a board", "events", "an evening", "the board of the day")


def main() -> None:
    things = things_to_ask()
    usage = usage_of_database()
    gc.collect()
    gc.freeze()  # as config/gunicorn.conf.py does
    print(json.dumps(list(things)), flush=True)  # noqa: T201
    for line in sys.stdin:
        print(json.dumps(measure(things[line.strip()], usage)), flush=True)  # noqa: T201


def things_to_ask() -> dict[str, Callable[[], bytes]]:
    """Return what is measured by its name, each asked once already."""
    client = Client(raise_request_exception=False, headers={"Host": "127.0.0.1"})
    client.post(f"/boards/{ID}/costs", secure=True)
    things = {name: reading(client, path) for name, path in PAGES.items() if exists(client, path)}
    things |= {f"{name}, kept": kept(PAGES[name]) for name in MEMBERS_PAGES}
    things |= things_of_member()
    for ask in things.values():
        ask()
    return things


def exists(client: Client, path: str) -> bool:
    return client.get(path, secure=True).status_code == 200


def reading(client: Client, path: str) -> Callable[[], bytes]:
    """Return a function that asks Django for a page."""
    return lambda: client.get(path, secure=True).content


def kept(path: str) -> Callable[[], bytes]:
    """Return a function that asks for a page as gunicorn does, so that it is kept from the second time on."""
    application = PublicReads(Handler())

    def ask() -> bytes:
        environ = RequestFactory(headers={"Host": "127.0.0.1"}).get(path, secure=True).environ
        body = application({**environ, "HTTP_COOKIE": ""}, lambda *head: None)
        content = b"".join(body)
        if hasattr(body, "close"):
            body.close()
        return content

    return ask


def things_of_member() -> dict[str, Callable[[], bytes]]:
    """Return pages as a member gets them, and what signing in adds to them, each alone."""
    account, _ = Account.objects.get_or_create(pk="bench-member")
    client = Client(raise_request_exception=False, headers={"Host": "127.0.0.1"})
    client.force_login(account, backend=MEMBER_BACKEND)
    key = client.cookies[settings.SESSION_COOKIE_NAME].value
    boards = list(Board.objects.filter(published_at__isnull=False)[:12])

    def touch() -> bytes:
        session = SessionStore(key)
        session.load()
        session[SEEN] = 0
        session.touch()
        return b""

    def look_up() -> bytes:
        SessionStore(key).load()
        Account.objects.get(pk=account.pk)
        return b""

    def vote() -> bytes:
        request: Any = RequestFactory().get("/")
        request.user, request.COOKIES = account, {settings.SESSION_COOKIE_NAME: key}
        ballot = ballot_of(request, [board.pk for board in boards])
        assert ballot
        return "".join(draw_ballot(board, ballot) for board in boards).encode()

    return {f"{name}, a member": reading(client, PAGES[name]) for name in MEMBERS_PAGES} | {
        "look-up of a session": look_up,
        "the same with its touch": touch,
        "a ballot of twelve boards": vote,
    }


def usage_of_database() -> Path:
    """Return the file that says how long this process's database session has run."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return Path(f"/proc/{cursor.fetchone()[0]}/schedstat")


def measure(ask: Callable[[], bytes], usage: Path) -> list[float]:
    """Return the milliseconds of this process and of its database session for a request, and the bytes.

    They are those of the cheapest of a few: what else the machine does makes a request dearer, and none cheaper.
    """
    size, figures = len(ask()), []
    for _ in range(REPETITIONS):
        before, started = nanoseconds(usage), time.process_time()
        ask()
        own = 1000 * (time.process_time() - started)
        figures.append((own, (nanoseconds(usage) - before) / 1e6))
    return [*min(figures, key=sum), size]


def nanoseconds(usage: Path) -> int:
    return int(usage.read_text(encoding="ascii").split()[0])


main()
