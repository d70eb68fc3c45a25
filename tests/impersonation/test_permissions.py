"""Who may impersonate whom, as one table of callers and subjects, and a stop that another process sees."""

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from rest_framework.test import APIClient

from accounts.identifiers import SYSTEM
from accounts.models import Account
from impersonation.models import Impersonation, ImpersonationEvent
from tests import factories
from tests.conftest import token_of
from tests.impersonation.starts import start
from tests.undone import undone

pytestmark = pytest.mark.django_db

CALLERS = ("anonymous", "member", "support", "admin", "inactive support", "inactive admin")
REFUSED = (401, 403, 403, 403, 401, 401)
ALLOWED = (401, 403, 201, 201, 401, 401)

# Subject → the status that each caller gets, in the order of CALLERS.
STARTS: dict[str, tuple[int, ...]] = {
    "self": REFUSED, "member": ALLOWED, "organisation": ALLOWED, "support": REFUSED, "admin": REFUSED,
    "inactive member": REFUSED, "system": REFUSED, "nobody": (401, 403, 400, 400, 401, 401),
}  # fmt: skip


def caller_of(name: str) -> Account | None:
    if name == "anonymous":
        return None
    role = name.rpartition(" ")[-1]
    return factories.account("the-caller", role=role, is_active="inactive" not in name)


def subject_id(name: str) -> str:
    if name == SYSTEM:
        Account.objects.filter(pk=SYSTEM).update(is_active=True)
    if name in (SYSTEM, "nobody", "self"):
        return {"self": "the-caller"}.get(name, name)
    role = name if name in Account.Role.values else "member"
    values: dict[str, Any] = {"role": role, "is_active": "inactive" not in name}
    if name == "organisation":
        values |= {"is_organisation": True, "organisation_name": "A club"}
    return factories.account("the-subject", **values).pk


def test_each_caller_may_impersonate_the_subjects_of_the_table(
    anonymous: APIClient, client_of: Callable[[Account], APIClient], subtests: pytest.Subtests
) -> None:
    for caller in CALLERS:
        for subject in sorted(STARTS):
            with subtests.test(repr((caller, subject))), undone():
                account = caller_of(caller)
                client = client_of(account) if account else anonymous
                expected = STARTS[subject][CALLERS.index(caller)]
                assert start(client, subject_id(subject)).status_code == expected
                started = int(expected == 201)
                assert Impersonation.objects.count() == ImpersonationEvent.objects.count() == started


OTHER_WORKER = """
import json, sys
from pathlib import Path
import django
from django.conf import settings
django.setup()
from django.db import connection
from rest_framework.test import APIClient
database, key, token, impersonation = sys.argv[1:]
connection.settings_dict["NAME"] = database
settings.DEVELOPMENT_KEY_FILE = Path(key)
client = APIClient(headers={"authorization": f"Bearer {token}", "x-impersonation-id": impersonation})
for _ in sys.stdin:
    print(json.dumps(client.get("/api/accounts/me").json()), flush=True)
"""


@pytest.mark.django_db(transaction=True)
def test_a_stop_takes_effect_on_the_next_request_in_another_process(client_of: Callable[[Account], APIClient]) -> None:
    actor = factories.account("actor", role="support")
    running = factories.impersonation(actor, factories.account("subject"))
    arguments = [connection.settings_dict["NAME"], settings.DEVELOPMENT_KEY_FILE, token_of(actor), running.pk]
    with subprocess.Popen(
        [sys.executable, "-c", OTHER_WORKER, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=settings.BASE_DIR,
    ) as other:
        assert ask(other)["id"] == "subject"
        client_of(actor).post("/api/impersonation/stop", {"impersonationId": str(running.pk)})
        assert ask(other)["code"] == "impersonation_ended"


def ask(process: "subprocess.Popen[str]") -> dict[str, Any]:
    """Send one request from the other process, and return its answer."""
    assert process.stdin and process.stdout
    process.stdin.write("\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())
