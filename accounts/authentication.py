"""JWT bearer tokens: who a request comes from."""

from typing import Any, cast

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.request import Request
from rest_framework_simplejwt.authentication import JWTAuthentication

from accounts.models import Account
from accounts.tokens import Claims, verifier
from config.api.errors import InvalidToken


class AccountRequest(Request):
    """What DRF's request is where IsAuthenticated let the caller in; for annotations only."""

    user: Account
    actor_id: str


class BearerAuthentication(JWTAuthentication):
    """`Authorization: Bearer …` → the account, made at its first request.

    Without the header, or with another scheme, the caller is anonymous; a bearer token that is not good is a 401
    everywhere, on public routes too. Sets `actor_id` (the token's sub) and `user_id` on the request.
    """

    def authenticate(self, request: Request) -> tuple[Account, Claims] | None:
        found = cast("tuple[Account, Claims] | None", super().authenticate(request))
        if found is not None:
            inner: Any = request._request
            inner.actor_id = inner.user_id = found[0].pk
        return found

    def get_raw_token(self, header: bytes) -> bytes | None:
        scheme, _, rest = header.strip().partition(b" ")
        if scheme.lower() != b"bearer":
            return None
        token = rest.strip()
        if not token or b" " in token or b"," in token:
            raise InvalidToken("Send exactly one token: Authorization: Bearer <ACCESS_TOKEN>.")
        return token

    def get_validated_token(self, raw_token: bytes) -> Claims:
        return verifier().verify(raw_token)

    def get_user(self, validated_token: Claims) -> Account:
        account = Account.objects.of_claims(validated_token)
        if not account.is_active:
            raise InvalidToken("This account is not active.")
        return account


class BearerScheme(OpenApiAuthenticationExtension):
    target_class = BearerAuthentication
    name = "actorBearer"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}
