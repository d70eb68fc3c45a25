"""Logging in to the admin with the identity provider, which brings its second factor.

The account is the one whose id is the ID token's `sub`, as with bearer tokens. It must be there and be staff: a login
makes no account and gives no role.
"""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.signals import user_login_failed
from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.identifiers import is_account_id
from accounts.models import Account
from accounts.signing_in.attempts import count_visit, remember_device, slot
from accounts.signing_in.clients import ADMIN
from accounts.signing_in.code_flow import fetch_claims, is_asked_for_here, lead_to_provider
from accounts.signing_in.logins import AGAIN, start_session
from accounts.signing_in.passwords import NO_LOGIN
from config import paths
from config.admin.site import refusal_page
from config.api.errors import ApiError, PermissionRefused
from config.values.web_addresses import own_path

BUSY = "Others are waiting for the identity provider just now."


@never_cache
@require_GET
def begin(request: HttpRequest) -> HttpResponseBase:
    """Send the browser to the identity provider, from the admin's own page of logging in alone."""
    return visit(request, redirect_to_provider)


@never_cache
@require_GET
def finish(request: HttpRequest) -> HttpResponseBase:
    """Take the provider's answer, exchange its code for an ID token, and log the account in."""
    return visit(request, log_in)


def visit(request: HttpRequest, step: Callable[[HttpRequest], HttpResponseBase]) -> HttpResponseBase:
    """Take a step with the provider, within the limits. Answer each refusal as a page of the admin."""
    if not ADMIN.client_id:
        raise Http404
    try:
        count_visit(request, "admin.provider")
        with slot(ADMIN.visits, BUSY):
            return step(request)
    except ApiError as error:
        return refusal_page(request, error, title=NO_LOGIN)


def redirect_to_provider(request: HttpRequest) -> HttpResponseBase:
    target = request.GET.get(REDIRECT_FIELD_NAME, "")
    if not is_asked_for_here(request):
        query = f"?{urlencode({REDIRECT_FIELD_NAME: target})}" if target else ""
        return HttpResponseRedirect(f"{paths.ADMIN}/login/{query}")
    return lead_to_provider(request, ADMIN, target, again=AGAIN in request.GET)


def log_in(request: HttpRequest) -> HttpResponseBase:
    claims = fetch_claims(request, ADMIN)
    target = request.session.pop(ADMIN.next_key, "")
    account = sign_in_staff(request, claims)
    is_own = paths.is_under(own_path(target, "").partition("?")[0], paths.ADMIN, paths.ACCOUNT)
    response = HttpResponseRedirect(target if is_own else f"{paths.ADMIN}/")
    remember_device(request, response, account)
    return response


def sign_in_staff(request: HttpRequest, claims: Mapping[str, Any]) -> Account:
    """Sign the active member of staff in whom verified claims name. Raise PermissionRefused when there is none."""
    subject = claims["sub"]
    account = Account.objects.filter(pk=subject).first() if is_account_id(subject) else None
    if account is None or not account.is_staff or not start_session(request, account, ADMIN, claims):
        credentials = {"username": str(subject)}
        user_login_failed.send(sender=__name__, credentials=credentials, request=request)
        raise PermissionRefused(f"The account {subject} is no active member of staff. Ask an admin to give it a role.")
    return account
