"""A request with an authorization header, whatever it may be."""

from typing import Any

from rest_framework.test import APIClient


def who(header: str, path: str = "/api/accounts/me") -> Any:
    return APIClient(raise_request_exception=False).get(path, headers={"authorization": header})
