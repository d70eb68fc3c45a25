"""The provider ends sessions here (OpenID Connect Back-Channel Logout 1.0): no browser takes part.

A logout token names a login at the provider (`sid`), or a person (`sub`) whose logins all end.
"""

import hashlib
import time
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from http import HTTPStatus

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt

from accounts.authentication import reason_of
from accounts.models import Session
from accounts.signing_in.attempts import count_visit
from accounts.signing_in.clients import ADMIN, MEMBERS
from accounts.signing_in.logins import end_sessions
from accounts.tokens.claims import clean_text
from accounts.tokens.verifier import LEEWAY_SECONDS, Claims, ProviderToken, get_verifier, is_numeric_date
from config.api.errors import ApiError, InvalidToken
from config.edge.limits import counters
from config.edge.security.security_log import log_security

EVENT = "http://schemas.openid.net/event/backchannel-logout"
TYPE = "logout+jwt"
"""The `typ` of a logout token. §2.4 recommends it; here it is a must, so that no other token passes for one."""

MAX_AGE_SECONDS = 120
"""How far in the past or the future a token's time of issue (iat) may be."""

MAX_NAME_LENGTH = 255


@method_decorator(csrf_exempt, name="dispatch")
class BackChannelLogout(View):
    """POST /sign-in/back-channel-logout with `logout_token` → 200, or 400 for a token that is not good (§2.8)."""

    http_method_names = ("post",)

    def post(self, request: HttpRequest) -> HttpResponse:
        try:
            count_visit(request, "members.logout_token")  # before its signature is checked
            claims = verify(request.POST.get("logout_token", "").encode())
            token = f"logout_token:{hashlib.sha256(claims['jti'].encode()).hexdigest()}"
            if counters.is_used(token):
                raise InvalidToken("The logout token was used before.")
            end_sessions(named_by(claims), why="by the identity provider")
            counters.use_up(token, 2 * MAX_AGE_SECONDS)  # last: a provider repeats what was not done (§2.5)
        except ApiError as error:
            log_security("logout_token_refused", reason=reason_of(error))
            status = HTTPStatus.BAD_REQUEST if isinstance(error, InvalidToken) else error.status_code
            body = {"error": "invalid_request", "error_description": str(error.detail)}
            return JsonResponse(body, status=status, headers={"Cache-Control": "no-store", **error.headers})
        return HttpResponse(headers={"Cache-Control": "no-store"})


def named_by(claims: Claims) -> QuerySet[Session]:
    """Return the sessions that a logout token ends: of the clients that it is for, none that began after it.

    A session whose login the provider never named ends with its person.
    """
    before = datetime.fromtimestamp(claims["iat"] + LEEWAY_SECONDS, UTC)
    audience = claims["aud"] if isinstance(claims["aud"], list) else [claims["aud"]]
    kinds = [client.kind for client in (MEMBERS, ADMIN) if client.client_id in audience]
    sessions = Session.objects.filter(began_at__lte=before, kind__in=kinds)
    if "sub" in claims:
        sessions = sessions.filter(account_id=claims["sub"])
    if "sid" not in claims:
        return sessions
    condition = Q(provider_session=claims["sid"])
    return sessions.filter(condition | Q(provider_session="") if "sub" in claims else condition)


def verify(raw: bytes) -> Claims:
    """Return the claims of a good logout token (§2.6). Raise InvalidToken, and ServiceUnavailable without the keys."""
    ids = [client.client_id for client in (MEMBERS, ADMIN) if client.client_id]
    if not ids:
        raise InvalidToken("No identity provider is configured for sign-in.")
    tokens = get_verifier()
    *others, last = [replace(tokens, audience=client_id, token_type=TYPE) for client_id in ids]
    for verifier in others:
        with suppress(InvalidToken):
            return check_claims(ProviderToken(raw, verifier).payload)
    return check_claims(ProviderToken(raw, last).payload)


def check_claims(claims: Claims) -> Claims:
    """Return the claims if they are those of a logout token that was made just now. Raise InvalidToken."""
    if not is_logout(claims):
        raise InvalidToken("The token is not a logout token.")
    names = [claims[name] for name in ("sub", "sid") if name in claims]
    if not names or not all(map(is_name, names)):
        raise InvalidToken("The logout token names neither a person nor a login.")
    if not isinstance(claims.get("jti"), str) or not claims["jti"]:
        raise InvalidToken("The logout token has no id (jti).")
    if not is_numeric_date(claims.get("iat")) or abs(time.time() - claims["iat"]) > MAX_AGE_SECONDS:
        raise InvalidToken("The logout token was not made in the last two minutes.")
    return claims


def is_logout(claims: Claims) -> bool:
    """Tell whether the claims are of a logout, which has its event (§2.4) and no nonce, as an ID token would."""
    events = claims.get("events")
    return isinstance(events, dict) and isinstance(events.get(EVENT), dict) and "nonce" not in claims


def is_name(value: object) -> bool:
    """Tell whether a session could have been stored under a `sub` or `sid`. PostgreSQL takes no NUL in a question."""
    return isinstance(value, str) and value != "" and clean_text(value, MAX_NAME_LENGTH) == value
