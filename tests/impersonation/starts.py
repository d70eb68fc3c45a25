"""The request that starts an impersonation, of "zia" where a test names nobody else."""

from typing import Any

from rest_framework.test import APIClient

START = "/api/impersonation/start"
REASON = "to see what they see"


def start(client: APIClient, subject: str = "zia", *, headers: dict[str, str] | None = None, **values: Any) -> Any:
    return client.post(START, {"accountId": subject, "reason": REASON, **values}, headers=headers)
