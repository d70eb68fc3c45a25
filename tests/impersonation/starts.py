"""The request that starts an impersonation, of "zia" where a test names nobody else, and how one is shown."""

from typing import Any

from rest_framework.test import APIClient

from impersonation.models import Impersonation

START = "/api/impersonation/start"
REASON = "to see what they see"


def start(client: APIClient, subject: str = "zia", *, headers: dict[str, str] | None = None, **values: Any) -> Any:
    return client.post(START, {"accountId": subject, "reason": REASON, **values}, headers=headers)


def shown(row: Impersonation) -> dict[str, str]:
    """Return an impersonation as the API shows it."""
    started, expires = (f"{moment:%Y-%m-%dT%H:%M:%S.%f}Z" for moment in (row.started_at, row.expires_at))
    people = {"actorId": row.actor_id, "accountId": row.subject_id}
    return {"impersonationId": str(row.pk), **people, "startedAt": started, "expiresAt": expires}
