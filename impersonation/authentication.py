"""The overlay: a member of staff's own token, looking through somebody else's eyes."""

from typing import Any
from uuid import UUID

from django.utils import timezone
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from accounts.authentication import BearerAuthentication, BearerScheme
from accounts.models import Account
from accounts.tokens import Claims
from config.api.errors import ImpersonationEnded, ImpersonationReadOnly, NotAuthenticated
from config.api.fields import CANONICAL_UUID
from impersonation.models import Impersonation

HEADER = "X-Impersonation-Id"


class ImpersonationAuthentication(BearerAuthentication):
    """With X-Impersonation-Id the caller is the subject, read-only, as long as the row lives.

    The row is asked at every request: one that has ended, expired, or lost its ground is a 401, never a silent
    fall-back to the actor. `actor_id` stays the token's. The recorder leaves the event, refusals included.
    """

    def authenticate(self, request: Request) -> tuple[Account, Claims] | None:
        inner: Any = request._request
        if not hasattr(inner, "authenticated"):
            inner.authenticated = self.identify(request)
        return inner.authenticated

    def identify(self, request: Request) -> tuple[Account, Claims] | None:
        """Return the caller and the claims of its token, with the subject as the caller under an impersonation."""
        found = super().authenticate(request)
        offered = request.headers.get(HEADER)
        if offered is None:
            return found
        if found is None:
            raise NotAuthenticated(f"{HEADER} needs the bearer token of the one who impersonates.")
        actor, claims = found
        return self.overlay(request, actor, offered), claims

    def overlay(self, request: Request, actor: Account, offered: str) -> Account:
        impersonation = self.of(actor, offered)
        if impersonation is None:
            raise ImpersonationEnded
        inner: Any = request._request
        inner.impersonation = impersonation
        if not impersonation.is_live(timezone.now()):
            raise ImpersonationEnded
        if request.method not in SAFE_METHODS:
            raise ImpersonationReadOnly
        inner.user_id = impersonation.subject_id
        return impersonation.subject

    @staticmethod
    def of(actor: Account, offered: str) -> Impersonation | None:
        if not CANONICAL_UUID.fullmatch(offered):
            return None
        return Impersonation.objects.with_people().filter(actor=actor, pk=UUID(offered)).first()


class ImpersonationScheme(BearerScheme):
    target_class = ImpersonationAuthentication
    name = "bearer"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        overlay = f"With {HEADER} as well, the caller looks through the eyes of the account it impersonates."
        return {**super().get_security_definition(auto_schema), "description": overlay}
