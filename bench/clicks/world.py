"""Fill the empty database of DATABASE_URL for the tasks, and write last night's file.

bench.clicks runs it: `python -m bench.clicks.world FILE`.
"""

import io
import sys
from pathlib import Path

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import Account  # noqa: E402
from boards.files.importing import import_boards  # noqa: E402
from deals.bridge.pbn.writer import HEADER, write_pbn  # noqa: E402
from forms.models import Submission  # noqa: E402
from impersonation.models import Impersonation  # noqa: E402
from tests import factories  # noqa: E402

PASSWORD = "correct horse battery"
EVENING = 24
DRAFTS = 3
MEMBERS = 200


def main(file: Path) -> None:
    call_command("load_reference_data", verbosity=0)
    call_command("load_demonstration", verbosity=0)
    make_accounts()
    import_boards(file=pbn("Club night", "2026.11.19", EVENING, seed=1), publish=True)
    import_boards(file=pbn("Next lesson", "2026.11.27", DRAFTS, seed=100))
    file.write_bytes(pbn("Last night", "2026.11.21", EVENING, seed=200).read())
    for number in range(3):
        message = f"Is there a course for beginners this winter? I ask for {number + 1} persons."
        factory = {
            "name": f"Visitor {number}",
            "email": f"visitor{number}@example.org",
            "subject": "A course",
        }
        Submission.objects.create(form="contact", data={**factory, "message": message})


def make_accounts() -> None:
    """Store an admin who logs in, members, and an impersonation to look up."""
    boss = factories.account("boss", role=Account.Role.ADMIN, display_name="Barbara Boss")
    boss.set_password(PASSWORD)
    boss.save()
    for number in range(MEMBERS):
        factories.account(f"member-{number:03}", display_name=f"Member {number}")
    mia = factories.account("mia", display_name="Mia Member", email="mia@example.org")
    factories.account("erik", display_name="Erik Erased", email="erik@example.org")
    factories.account("carla", display_name="Carla Colleague", email="carla@example.org")
    sam = factories.account("sam", role=Account.Role.SUPPORT, display_name="Sam Support")
    impersonation = factories.impersonation(sam, mia, ended_at=timezone.now())
    Impersonation.objects.filter(pk=impersonation.pk).update(reason="She cannot see her drafts.")


def pbn(event: str, date: str, boards: int, *, seed: int) -> io.BytesIO:
    """Return a file with that many random boards of an evening."""
    calls = "1NT Pass 3NT Pass Pass Pass"
    records = (
        factories.record(seed + number, number, calls, tricks=9, event=event, date=date, site="Club house")
        for number in range(1, boards + 1)
    )
    return io.BytesIO("".join([HEADER, *map(write_pbn, records)]).encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
