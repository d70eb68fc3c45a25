"""The two ways in with a real provider, as a browser takes them: members' and the admin's."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from accounts.models import Account, Session
from tests.system.provider.browser import REDIRECT_URI, Browser

HOST = "http://testserver"
FROM_OUR_PAGE = {"sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate"}
SECRET = "a secret of a client of both kinds 0123456789"
CLIENTS = {"basic": SECRET, "es256": SECRET, "public": ""}
"""The clients of each kind of session, and their secrets."""


@dataclass(frozen=True)
class WayIn:
    name: str
    begin: str
    callback: str

    def clients(self) -> list[dict[str, Any]]:
        """Return the metadata of this way's clients at the provider: of each way to say who they are, and one
        whose codes end after a second (server.mjs).
        """
        address = {"redirect_uris": [HOST + self.callback]}
        basic = {
            "token_endpoint_auth_method": "client_secret_basic",
            "client_secret": SECRET,
            "backchannel_logout_uri": "https://boards.example/sign-in/back-channel-logout",
            "backchannel_logout_session_required": True,
            **address,
        }
        return [
            {"client_id": f"{self.name}-basic", **basic},
            {"client_id": f"{self.name}-hurried", **basic},
            {"client_id": f"{self.name}-es256", "id_token_signed_response_alg": "ES256", **basic},
            {"client_id": f"{self.name}-public", "token_endpoint_auth_method": "none", **address},
        ]

    def to_provider(self, client: Client, query: str = "") -> str:
        """Begin to sign in. Return the provider's address to which the browser is sent."""
        answer = client.get(self.begin + query, headers=FROM_OUR_PAGE)
        assert answer.status_code == 302, answer.content.decode()
        return answer["Location"]

    def answer_of_provider(self, address: str, account: str) -> str:
        """Sign in at the provider's pages. Return the address to which it leads back, without the host."""
        return Browser().fill_in(address, account, HOST + self.callback).removeprefix(HOST)

    def begin_and_answer(self, client: Client, account: str) -> str:
        return self.answer_of_provider(self.to_provider(client), account)

    def sign_in(self, client: Client, account: str, query: str = "") -> Any:
        """Sign in at the provider's pages. Return the service's answer to the callback."""
        return client.get(self.answer_of_provider(self.to_provider(client, query), account))


MEMBERS = WayIn("member", "/sign-in", "/sign-in/callback")
ADMIN = WayIn("admin", "/admin/login/provider/", "/admin/login/provider/callback/")
BOTH = pytest.mark.parametrize("way", [MEMBERS, ADMIN], ids=lambda way: way.name)

LOGINS = {
    "alice": {"acr": "urn:club:two-factors", "amr": ["pwd", "otp"]},
    "bob": {"acr": "urn:club:password", "amr": ["pwd"]},
}
"""What the provider says of a person's login. Of everybody else's it says nothing."""

STRANGER = {"client_id": "stranger", "client_secret": SECRET, "redirect_uris": [REDIRECT_URI]}
"""A client of another service at the same provider."""


def query_of(address: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


def signed_in_as(client: Client) -> str | None:
    return client.session.get("_auth_user_id")


def nobody_is_signed_in() -> bool:
    return not Session.objects.filter(account__isnull=False).exists()


def accounts() -> set[str]:
    return set(Account.objects.values_list("pk", flat=True))
