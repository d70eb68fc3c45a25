"""Logging in to the admin with the identity provider, which brings its second factor.

The account is the one whose id is the ID token's `sub`, as with bearer tokens. It must be there and be staff: a login
makes no account and gives no role.
"""

import logging
from threading import BoundedSemaphore
from typing import Any

from django.conf import settings
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth import login as start_session
from django.contrib.auth.signals import user_login_failed
from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.identifiers import is_account_id
from accounts.models import Account
from accounts.tokens.fetching import FetchError
from accounts.tokens.verifier import LEEWAY_SECONDS
from config import paths
from config.admin.attempts import count_provider_visit, remember_device
from config.admin.login import NO_LOGIN, limit_concurrency
from config.admin.site import refusal_page
from config.api.errors import ApiError, BadRequest, PermissionRefused, ServiceUnavailable

BACKEND = "accounts.backends.ProviderBackend"
NEXT = "admin_provider_next"
# The threads of a process that may wait for the provider at once.
MAX_CONCURRENT_VISITS = 2
_visits = BoundedSemaphore(MAX_CONCURRENT_VISITS)
BUSY = "Others are waiting for the identity provider just now."

logger = logging.getLogger(__name__)


@never_cache
@require_GET
def begin(request: HttpRequest) -> HttpResponseBase:
    """Send the browser to the identity provider, with state, nonce and PKCE challenge."""
    return visit(request, redirect_to_provider)


@never_cache
@require_GET
def finish(request: HttpRequest) -> HttpResponseBase:
    """Take the provider's answer, exchange its code for an ID token, and log the account in."""
    return visit(request, log_in)


def visit(request: HttpRequest, step: Any) -> HttpResponseBase:
    """Take a step with the provider, within the limits. Answer each refusal as a page of the admin."""
    if not settings.ADMIN_OIDC_CLIENT_ID:
        raise Http404
    try:
        count_provider_visit(request)
        return limit_concurrency(_visits, request, step, title=NO_LOGIN, busy=BUSY)
    except ApiError as error:
        return refusal_page(request, error, title=NO_LOGIN)


def redirect_to_provider(request: HttpRequest) -> HttpResponseBase:
    from accounts.provider_client import provider_client

    request.session[NEXT] = request.GET.get(REDIRECT_FIELD_NAME, "")
    callback = f"{settings.PUBLIC_BASE_URL}{paths.PROVIDER_LOGIN}/callback/"
    try:
        return provider_client().authorize_redirect(request, callback)
    except FetchError as error:
        raise unreachable(error) from error


def log_in(request: HttpRequest) -> HttpResponseBase:
    account = find_staff(request, fetch_claims(request)["sub"])
    target = request.session.pop(NEXT, "")
    start_session(request, account, backend=BACKEND)
    is_own = url_has_allowed_host_and_scheme(target, None) and paths.is_under(target, paths.ADMIN)
    response = HttpResponseRedirect(target if is_own else f"{paths.ADMIN}/")
    remember_device(request, response, account)
    return response


def fetch_claims(request: HttpRequest) -> dict[str, Any]:
    """Exchange the code in the callback's address. Return the claims of the ID token, which Authlib has verified.

    Raise BadRequest for an answer that this browser did not ask for, PermissionRefused when the provider refuses or
    its ID token is not good, and ServiceUnavailable when it does not answer.
    """
    from authlib.common.errors import AuthlibBaseError
    from authlib.integrations.base_client.errors import MismatchingStateError
    from joserfc.errors import JoseError
    from requests import RequestException

    from accounts.provider_client import provider_client

    if request.GET.get("iss", settings.JWT_ISSUER) != settings.JWT_ISSUER:  # RFC 9207
        raise BadRequest("This answer is of another identity provider.")
    expected = {"iss": settings.JWT_ISSUER, "aud": settings.ADMIN_OIDC_CLIENT_ID}
    options = {name: {"essential": True, "value": value} for name, value in expected.items()}
    try:
        token = provider_client().authorize_access_token(
            request, claims_options=options, leeway=LEEWAY_SECONDS
        )
        return token["userinfo"]
    except MismatchingStateError as error:
        raise BadRequest(
            "This sign-in has expired, or it began in another window. Go back and begin again."
        ) from error
    except (FetchError, RequestException) as error:
        raise unreachable(error) from error
    except (AuthlibBaseError, JoseError, KeyError, ValueError, TypeError) as error:
        logger.warning("The provider's answer is refused: %s", type(error).__name__)
        raise PermissionRefused("The identity provider did not sign you in.") from error


def find_staff(request: HttpRequest, subject: object) -> Account:
    """Return the active member of staff with this id. Raise PermissionRefused when there is none."""
    account = Account.objects.filter(pk=subject).first() if is_account_id(subject) else None
    if account is None or not account.is_active or not account.is_staff:
        credentials = {"username": str(subject)}
        user_login_failed.send(sender=__name__, credentials=credentials, request=request)
        raise PermissionRefused(
            f"The account {subject} is no active member of staff. Ask an admin to give it a role."
        )
    return account


def unreachable(error: Exception) -> ServiceUnavailable:
    logger.warning("The provider does not answer: %s", error)
    return ServiceUnavailable("The identity provider does not answer.", headers={"Retry-After": "5"})
