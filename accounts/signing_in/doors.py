"""The two doors to a session: members' to the pages, and staff's to the admin, which alone gives staff rights."""

from dataclasses import dataclass, field
from threading import BoundedSemaphore

from django.conf import settings

from accounts.models import Session
from config import paths

MAX_CONCURRENT_VISITS = 2
"""The threads of a process that may wait for the provider at once, for each door."""


@dataclass(frozen=True, eq=False)
class Door:
    """A client of the identity provider, and what a session that begins there is.

    `callback` is the path to which the provider leads back, `scope` and `acr_values` are what it is asked for.
    """

    name: Session.Door
    callback: str
    backend: str
    scope: str
    visits: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(MAX_CONCURRENT_VISITS))

    @property
    def is_admin(self) -> bool:
        return self.name == Session.Door.ADMIN

    @property
    def client_id(self) -> str:
        return settings.ADMIN_OIDC_CLIENT_ID if self.is_admin else settings.MEMBER_OIDC_CLIENT_ID

    @property
    def client_secret(self) -> str:
        return settings.ADMIN_OIDC_CLIENT_SECRET if self.is_admin else settings.MEMBER_OIDC_CLIENT_SECRET

    @property
    def acr_values(self) -> list[str]:
        return settings.ADMIN_OIDC_ACR if self.is_admin else []

    @property
    def amr_values(self) -> list[str]:
        return settings.ADMIN_OIDC_AMR if self.is_admin else []

    @property
    def next_key(self) -> str:
        """Return the key of the session under which the page is kept to which the sign-in leads back."""
        return f"{self.name}_next"

    @property
    def again_key(self) -> str:
        """Return the key of the session under which it is kept that the provider was asked for a new login."""
        return f"{self.name}_again"


MEMBER_BACKEND = "accounts.backends.MemberBackend"
MEMBERS = Door(Session.Door.MEMBER, f"{paths.SIGN_IN}/callback", MEMBER_BACKEND, "openid profile email")
ADMIN = Door(Session.Door.ADMIN, f"{paths.PROVIDER_LOGIN}/callback/", "accounts.backends.ProviderBackend", "openid")
