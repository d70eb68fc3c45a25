"""Logging in to the admin: with a password, or with the identity provider, which brings its second factor.

Logins and changes of a password are limited before one is hashed, which takes half a second of a core. The limits hold
only for these pages: during an attack on an account's password, its tokens and the API keep working.

With the provider the account is the one whose id is the ID token's `sub`, as with bearer tokens. It must be there and
be staff: a login makes no account and gives no role.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from http import HTTPStatus
from threading import BoundedSemaphore
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth import REDIRECT_FIELD_NAME, authenticate
from django.contrib.auth.signals import user_login_failed
from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_GET

from accounts.identifiers import is_account_id
from accounts.models import Account
from accounts.signing_in.attempts import count_login, count_password_change, count_visit, remember_device, slot
from accounts.signing_in.clients import ADMIN
from accounts.signing_in.code_flow import fetch_claims, is_asked_for_here, lead_to_provider
from accounts.signing_in.logins import AGAIN, start_session
from config import paths
from config.admin.site import SAFE_METHODS, refusal_page
from config.api.errors import ApiError, PermissionRefused, RateLimited, ServiceUnavailable
from config.values.web_addresses import own_path

MAX_CONCURRENT_HASHES = 2
_hashing = BoundedSemaphore(MAX_CONCURRENT_HASHES)
# Strangers who keep the others busy cannot keep a known device waiting.
_hashing_for_known_devices = BoundedSemaphore(1)
NO_LOGIN = "You cannot log in now"
NO_CHANGE = "You cannot change your password now"
NO_PASSWORDS = "Passwords are switched off here. Sign in with the identity provider."
WRONG = (
    "The id, password or one-time code is wrong. Id and password may be case-sensitive. A code works only once: wait"
    " for the next one."
)
HASHING = "The service is busy checking other passwords."


class LoginForm(AdminAuthenticationForm):
    """Django's form, with the one-time code in the same step, so that no answer says which of them is wrong."""

    one_time_code = forms.CharField(
        label="One-time code", widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if settings.ADMIN_ONE_TIME_CODES:
            self.error_messages = {**self.error_messages, "invalid_login": WRONG}
        else:
            del self.fields["one_time_code"]

    @sensitive_variables()
    def clean(self) -> dict[str, Any]:
        """Ask the backends for the account of all three. A form that lacks one asks nobody, and hashes nothing."""
        if not settings.ADMIN_ONE_TIME_CODES:
            return super().clean()
        names = {"username": "username", "password": "password", "one_time_code": "one_time_password"}
        typed = {argument: self.cleaned_data.get(name) for name, argument in names.items()}
        if all(typed.values()):
            self.user_cache = authenticate(self.request, **typed)
            if self.user_cache is None:
                raise self.get_invalid_login_error()
            self.confirm_login_allowed(self.user_cache)
        return self.cleaned_data


# Django's site reads this when it shows the page. It is not set on our class, which is loaded before the accounts.
admin.site.login_form = LoginForm


@never_cache
def login(request: HttpRequest) -> HttpResponseBase:
    """Count each attempt before Django's login hashes a password. Remember the device of one that succeeds."""
    if request.method in SAFE_METHODS:
        return show_login(request)
    if not settings.ADMIN_PASSWORDS:
        return refusal_page(request, PermissionRefused(NO_PASSWORDS), title=NO_LOGIN)
    try:
        is_known = count_login(request, request.POST.get("username", ""))
        with slot(_hashing_for_known_devices if is_known else _hashing, HASHING):
            response = show_login(request)
    except (RateLimited, ServiceUnavailable) as error:
        return refusal_page(request, error, title=NO_LOGIN)
    if response.status_code == HTTPStatus.FOUND and request.user.is_authenticated:
        remember_device(request, response, request.user)
    return response


def show_login(request: HttpRequest) -> HttpResponseBase:
    """Answer by Django's login, whose page shows the ways that the settings allow."""
    target = request.GET.get(REDIRECT_FIELD_NAME, "")
    query = f"?{urlencode({REDIRECT_FIELD_NAME: target})}" if target else ""
    return admin.site.login(
        request,
        {
            "has_passwords": settings.ADMIN_PASSWORDS,
            "provider_login": f"{paths.PROVIDER_LOGIN}/{query}" if settings.ADMIN_OIDC_CLIENT_ID else "",
        },
    )


@never_cache
def password_change(request: HttpRequest) -> HttpResponseBase:
    """Limit changes of a password like logins: the form asks for the old one, which can be guessed at here too."""
    if not settings.ADMIN_PASSWORDS:
        return refusal_page(request, PermissionRefused(NO_PASSWORDS), title=NO_CHANGE)
    view = admin.site.admin_view(admin.site.password_change, cacheable=True)
    if request.method != "POST":
        return view(request)
    try:
        count_password_change(request)
        with slot(_hashing, HASHING):
            return view(request)
    except (RateLimited, ServiceUnavailable) as error:
        return refusal_page(request, error, title=NO_CHANGE)


def logout(request: HttpRequest) -> HttpResponseBase:
    """Answer by Django's log out, and have the browser forget the pages that it keeps."""
    response = admin.site.logout(request)
    if request.method == "POST":
        response["Clear-Site-Data"] = '"cache"'
    return response


BUSY = "Too many people are waiting for the identity provider."


def step_with_provider(step: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Make a view of a step with the provider, within the limits. It answers each refusal as a page of the admin."""

    @never_cache
    @require_GET
    @wraps(step)
    def view(request: HttpRequest) -> HttpResponseBase:
        if not ADMIN.client_id:
            raise Http404
        try:
            count_visit(request, "admin.provider")
            with slot(ADMIN.visits, BUSY):
                return step(request)
        except ApiError as error:
            return refusal_page(request, error, title=NO_LOGIN)

    return view


@step_with_provider
def begin(request: HttpRequest) -> HttpResponseBase:
    """Send the browser to the identity provider, from the admin's own page of logging in alone."""
    target = request.GET.get(REDIRECT_FIELD_NAME, "")
    if not is_asked_for_here(request):
        query = f"?{urlencode({REDIRECT_FIELD_NAME: target})}" if target else ""
        return HttpResponseRedirect(f"{paths.ADMIN}/login/{query}")
    return lead_to_provider(request, ADMIN, target, again=AGAIN in request.GET)


@step_with_provider
def finish(request: HttpRequest) -> HttpResponseBase:
    """Take the provider's answer, exchange its code for an ID token, and log the account in."""
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
        raise PermissionRefused(f"{subject} is not an active staff account. Ask an admin to give it a role.")
    return account
