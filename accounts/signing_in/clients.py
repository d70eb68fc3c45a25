"""The two clients of the identity provider: members sign in to the pages, and staff to the admin."""

from dataclasses import dataclass, field
from threading import BoundedSemaphore

from django.conf import settings

from accounts.models import Session
from accounts.models.sessions import MEMBER_BACKEND
from config import paths

MAX_CONCURRENT_VISITS = 2
"""The threads of a process that may wait for the provider at once, for each client."""


@dataclass(frozen=True, eq=False)
class OidcClient:
    """A client of the identity provider, and the kind of session that begins with it.

    `callback` is the path to which the provider leads back, `scope` and `acr_values` are sent to it.
    """

    kind: Session.Kind
    callback: str
    backend: str
    scope: str
    visits: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(MAX_CONCURRENT_VISITS))

    @property
    def is_admin(self) -> bool:
        return self.kind == Session.Kind.ADMIN

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
        return f"{self.kind}_next"

    @property
    def again_key(self) -> str:
        """Return the session key that marks that the provider was asked for a new login."""
        return f"{self.kind}_again"


MEMBERS = OidcClient(Session.Kind.MEMBER, f"{paths.SIGN_IN}/callback", MEMBER_BACKEND, "openid profile email")
ADMIN = OidcClient(
    Session.Kind.ADMIN, f"{paths.PROVIDER_LOGIN}/callback/", "accounts.backends.ProviderBackend", "openid"
)
