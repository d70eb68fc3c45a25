"""Authentication by JWT bearer tokens."""

from typing import Any, ClassVar, cast

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.request import Request
from rest_framework_simplejwt.authentication import JWTAuthentication

from accounts.models import Account
from accounts.tokens.verifier import AccountToken, get_verifier, names_provider, no_provider, read_unverified_header
from config.api.errors import ApiError, InvalidToken, NotAuthenticated
from config.api.negotiation import django_request_of
from config.edge.security.security_log import log_security
from config.values.redaction import clean_key_id


class AccountRequest(Request):
    """A request of a caller whom IsAuthenticated has accepted. For annotations only."""

    user: Account
    actor_id: str


class BearerAuthentication(JWTAuthentication):
    """Authentication by `Authorization: Bearer …`: what the interface calls authMiddleware.

    The account is made at its first request.

    Without the header, or with another scheme, the caller is anonymous. A bad bearer token is a 401 everywhere, on
    public routes too. `actor_id` (the token's sub) and `user_id` are set on the request.
    """

    refusals: ClassVar[tuple[type[ApiError], ...]] = (NotAuthenticated, InvalidToken)

    def authenticate(self, request: Request) -> tuple[Account, AccountToken] | None:
        try:
            authenticated = cast("tuple[Account, AccountToken] | None", super().authenticate(request))
        except InvalidToken as error:
            log_security("token_refused", kid=self.unverified_kid(request), reason=reason_of(error))
            raise
        if authenticated is not None:
            django_request = django_request_of(request)
            django_request.actor_id = django_request.user_id = authenticated[0].pk
        return authenticated

    def unverified_kid(self, request: Request) -> str | None:
        """Return the key that a refused token names, as it may be logged."""
        *_, raw = (self.get_header(request) or b"").split() or [b""]
        try:
            return clean_key_id(read_unverified_header(raw).get("kid"))
        except InvalidToken:
            return None

    def missing_credentials(self) -> ApiError:
        """Return the error for a request that needs a token and has none (config.api.views)."""
        return missing_token()

    def get_raw_token(self, header: bytes) -> bytes | None:
        scheme, _, rest = header.strip().partition(b" ")
        if scheme.lower() != b"bearer":
            return None
        token = rest.strip()
        if not token or b" " in token or b"," in token:
            raise InvalidToken("Send exactly one token: Authorization: Bearer <ACCESS_TOKEN>.")
        return token

    def get_validated_token(self, raw_token: bytes) -> AccountToken:
        return get_verifier().verify(raw_token)

    def get_user(self, validated_token: AccountToken) -> Account:
        account = Account.objects.get_or_create_from_claims(validated_token.payload)
        if account is None:
            raise InvalidToken("This token belongs to a program, and the program has no account here.")
        if not account.is_active:
            raise InvalidToken("This account is not active.")
        return account


def missing_token(detail: str | None = None) -> ApiError:
    """Return the error for a request that needs a token and has none: on a site without provider nobody has one."""
    return NotAuthenticated(detail) if names_provider() else no_provider()


def reason_of(error: ApiError) -> str:
    """Return PyJWT's name for what is wrong with a token, else our sentence. Neither quotes the token."""
    return type(error.__cause__).__name__ if error.__cause__ else str(error.detail)


class BearerScheme(OpenApiAuthenticationExtension):
    target_class = BearerAuthentication
    name = "actorBearer"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        description = "An access token of the identity provider, also while you impersonate somebody."
        return {"type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": description}
