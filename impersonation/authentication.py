"""X-Impersonation-Id: a member of staff sends its own token and is answered as the impersonated account."""

from typing import Any
from uuid import UUID

from django.utils import timezone
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from accounts.authentication import BearerAuthentication, BearerScheme, missing_token
from accounts.models import Account
from accounts.tokens.verifier import AccountToken
from config.api.errors import ImpersonationEnded, ImpersonationReadOnly
from config.api.fields import CANONICAL_UUID
from config.api.negotiation import django_request_of
from config.values.request_id import CREDENTIALS
from impersonation.models import Impersonation

HEADER = "X-Impersonation-Id"


class ImpersonationAuthentication(BearerAuthentication):
    """With X-Impersonation-Id the caller is the impersonated subject, read-only, as long as the impersonation is valid.

    Every request asks the database. When the impersonation has ended or expired, or its actor or subject no longer
    allow it, the answer is a 401, never one to the actor itself, and it has ended for good. `actor_id` is always the
    token's account. `request.impersonation` is set before a refusal, so that ImpersonationMiddleware records that too.
    """

    refusals = (*BearerAuthentication.refusals, ImpersonationEnded)
    refusals_of_changes = (ImpersonationReadOnly,)
    request_headers = (HEADER,)
    response_headers = ("X-Impersonated-User-Id",)

    def authenticate(self, request: Request) -> tuple[Account, AccountToken] | None:
        """Identify the caller once a request: ImpersonationMiddleware and the view share the Django request."""
        django_request = django_request_of(request)
        if CREDENTIALS.isdisjoint(django_request.META):
            return None
        if not hasattr(django_request, "identified_caller"):
            django_request.identified_caller = self.identify(request)
        return django_request.identified_caller

    def identify(self, request: Request) -> tuple[Account, AccountToken] | None:
        """Return the caller, which is the subject under an impersonation, and the claims of the token."""
        authenticated = super().authenticate(request)
        impersonation_id = request.headers.get(HEADER)
        if impersonation_id is None:
            return authenticated
        if authenticated is None:
            raise missing_token(f"{HEADER} needs the bearer token of the account that impersonates.")
        actor, claims = authenticated
        return self.impersonate(request, actor, impersonation_id), claims

    def impersonate(self, request: Request, actor: Account, impersonation_id: str) -> Account:
        """Return the impersonated subject. Raise an error when the impersonation is not valid, or the method unsafe."""
        own = Impersonation.objects.with_people().filter(actor=actor)
        is_id = CANONICAL_UUID.fullmatch(impersonation_id)
        impersonation = own.filter(pk=UUID(impersonation_id)).first() if is_id else None
        if impersonation is None:
            raise ImpersonationEnded
        django_request = django_request_of(request)
        django_request.impersonation = impersonation
        now = timezone.now()
        if not impersonation.is_valid_at(now):
            impersonation.end(now)
            raise ImpersonationEnded
        if request.method not in SAFE_METHODS:
            raise ImpersonationReadOnly
        django_request.user_id = impersonation.subject_id
        return impersonation.subject


class ImpersonationScheme(BearerScheme):
    target_class = ImpersonationAuthentication
    name = "bearer"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        description = (
            f"An access token of the identity provider. With {HEADER} as well, the caller is the impersonated account,"
            " and may only read."
        )
        return {**super().get_security_definition(auto_schema), "description": description}
