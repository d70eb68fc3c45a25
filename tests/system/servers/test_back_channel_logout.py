"""A real provider ends the sessions here of somebody who signs out there, in every process of the service."""

import re
from collections.abc import Iterator

import pytest

from tests.installed import npm_packages, require
from tests.system.deployment import database, gunicorn, of
from tests.system.provider.browser import Browser
from tests.system.provider.openid_provider import HERE, OpenIdProvider, private_jwk

SECRET = "a secret of the members' client 0123456789"
CALLBACK = "/sign-in/callback"


class Device(Browser):
    """A browser that follows the links of this site's own pages."""

    def __init__(self, service: str, issuer: str) -> None:
        super().__init__()
        self.service, self.issuer = service, issuer
        self.opener.addheaders = [("Referer", f"{service}/")]

    def sign_in_as(self, person: str) -> None:
        callback = self.fill_in(f"{self.service}/sign-in?next=/boards", person, self.service + CALLBACK)
        assert self.open(callback) == ("", f"{self.service}/boards")

    def sign_out_at_provider(self) -> None:
        page, _ = self.open(f"{self.issuer}/session/end")
        (xsrf,) = re.findall(r'name="xsrf" value="([^"]+)"', page)
        _, target = self.open(f"{self.issuer}/session/end/confirm", {"xsrf": xsrf, "logout": "yes"})
        assert target.endswith("/session/end/success")

    def is_signed_in(self, service: str) -> bool:
        _, target = self.open(f"{service}/account/devices")
        return not target


@pytest.fixture
def openid() -> Iterator[OpenIdProvider]:
    provider = OpenIdProvider(require(lambda: npm_packages(HERE)), {})
    provider.start([private_jwk("first", "RS256")])
    yield provider
    provider.stop()


@pytest.fixture
def services(openid: OpenIdProvider) -> Iterator[tuple[str, str]]:
    """Start two services on one database, and tell the provider of the first, to which its logout tokens go."""
    more = {"JWT_ISSUER": openid.issuer, "MEMBER_OIDC_CLIENT_ID": "members", "MEMBER_OIDC_CLIENT_SECRET": SECRET}
    with database() as url:
        environment = of(url, openid.discovery, **more)
        with gunicorn(environment) as one, gunicorn(environment) as two:
            first, second = (f"http://127.0.0.1:{port}" for port in (one, two))
            client = {
                "client_id": "members",
                "client_secret": SECRET,
                "redirect_uris": [first + CALLBACK],
                "backchannel_logout_uri": f"{first}/sign-in/back-channel-logout",
                "backchannel_logout_session_required": True,
            }
            with openid.stopped():
                openid.more_clients = [client]
            yield first, second


def test_signing_out_at_the_provider_ends_that_login_in_every_process(
    openid: OpenIdProvider, services: tuple[str, str]
) -> None:
    phone, laptop, other = (Device(services[0], openid.issuer) for _ in range(3))
    for device, person in ((phone, "mia"), (laptop, "mia"), (other, "zoe")):
        device.sign_in_as(person)
        assert [device.is_signed_in(service) for service in services] == [True, True]
    phone.sign_out_at_provider()
    for device, stays in ((phone, False), (laptop, True), (other, True)):
        assert [device.is_signed_in(service) for service in services] == [stays, stays]
    phone.sign_in_as("mia")
    assert phone.is_signed_in(services[1])
