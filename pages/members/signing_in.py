"""Members sign in with the identity provider, sign in afresh where that is asked for, and sign out.

The account is the one whose id is the ID token's `sub`, made at its first sign-in as at a first token. It is a member's
session whatever the account's role: staff rights come with the admin's login alone.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import wraps
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth import BACKEND_SESSION_KEY, logout
from django.contrib.auth.signals import user_login_failed
from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase

from accounts.identifiers import is_account_id
from accounts.models import Account
from accounts.models.sessions import AUTHENTICATED
from accounts.signing_in.attempts import count_visit, slot
from accounts.signing_in.clients import ADMIN, MEMBERS
from accounts.signing_in.code_flow import MEMBERS as DEMONSTRATION_MEMBERS
from accounts.signing_in.code_flow import claims_of, fetch_claims, is_asked_for_here, is_open_to, lead_to_provider
from accounts.signing_in.logins import AGAIN, MAX_AGE_SECONDS, is_fresh, start_session
from accounts.tokens.jwks import FetchError
from config import paths
from config.api.errors import ApiError, PermissionRefused
from config.api.views import PRIVATE
from config.edge.reader import can_sign_in
from config.values.web_addresses import own_path
from pages.site.base import MemberPage, PageView, SeeOther, path_of_referer, path_with_query

UNWANTED = (paths.SIGN_IN, paths.SIGN_OUT, paths.SIGNED_OUT)
"""The pages that nobody wants to come back to."""

NOT_ACTIVE = "This account is switched off. If you think that is wrong, write to us."
NO_PERSON = "The identity provider sent an id that cannot be an account's."


class SignInView(PageView):
    """A page of members' signing in. There is none where they cannot. No answer is kept by anybody."""

    cache_control = PRIVATE
    noindex = True

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not can_sign_in():
            raise Http404
        return super().dispatch(request, *args, **kwargs)

    @property
    def target(self) -> str:
        """Return the page to lead to: one of this site's own, by default the one that had the link."""
        came_from = path_of_referer(self.request)
        default = "/" if paths.is_under(came_from.partition("?")[0], *UNWANTED) else came_from
        return own_path(self.request.GET.get("next", ""), default)


class SignInPage(SignInView):
    """GET /sign-in?next=/boards → 302 to the identity provider, or to `next` for whoever is signed in.

    With `again=yes` whoever is signed in is led there too, to prove once more who they are.

    Only a link of this site leads on at once. Whoever comes from elsewhere sees a page with that link, so that no other
    site signs anybody in. POST is for the demonstration members of a development machine.
    """

    is_anonymous = True

    def get(self, request: HttpRequest) -> HttpResponseBase:
        again = AGAIN in request.GET
        if self.reader is not None and not again:
            return HttpResponseRedirect(self.target)
        if MEMBERS.client_id and is_asked_for_here(request):
            with visit_provider(request):
                return lead_to_provider(request, MEMBERS, self.target, again=again)
        context = {
            "here": path_with_query(paths.SIGN_IN, {"next": self.target, AGAIN: "yes" if again else ""}),
            "has_provider": bool(MEMBERS.client_id),
            "members": DEMONSTRATION_MEMBERS if is_open_to(request) else {},
        }
        return self.render_page("members/sign_in.html", context)

    def post(self, request: HttpRequest) -> HttpResponseBase:
        name = request.POST.get("member", "")
        if not is_open_to(request) or name not in DEMONSTRATION_MEMBERS:
            raise PermissionRefused("Only demonstration members can sign in, on the machine where the service runs.")
        count_visit(request, "members.sign_in")
        sign_in(request, claims_of(name))
        return SeeOther(self.target)


class CallbackPage(SignInView):
    """GET /sign-in/callback → 302, signed in, to the page where the sign-in began. A refusal is a page."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        if not MEMBERS.client_id:
            raise Http404
        with visit_provider(request):
            claims = fetch_claims(request, MEMBERS)
        target = own_path(request.session.pop(MEMBERS.next_key, ""), default="/")
        sign_in(request, claims)
        return HttpResponseRedirect(target)


class SignOut(PageView):
    """POST /sign-out → 303 to /signed-out. The session ends here, not at the provider. GET → 302 to the front page.

    It is there where members cannot sign in, too: staff who are logged in to the admin have the same menu.
    """

    cache_control = PRIVATE

    def get(self, request: HttpRequest) -> HttpResponseBase:
        return HttpResponseRedirect("/")

    def post(self, request: HttpRequest) -> HttpResponseBase:
        logout(request)
        response = SeeOther(paths.SIGNED_OUT)
        response["Clear-Site-Data"] = '"cache"'
        return response


class SignedOutPage(PageView):
    """GET /signed-out → 200, with a link to the provider's own sign-out; 302 for whoever is signed in."""

    cache_control = PRIVATE
    noindex = True

    def get(self, request: HttpRequest) -> HttpResponseBase:
        if self.reader is not None:
            return HttpResponseRedirect("/")
        context = {"provider_sign_out": provider_sign_out(request)}
        return self.render_page("members/signed_out.html", context)


@contextmanager
def visit_provider(request: HttpRequest) -> Iterator[None]:
    """Take a step with the provider in the block, within the limits. Raise RateLimited or ServiceUnavailable."""
    count_visit(request, "members.sign_in")
    with slot(MEMBERS.visits, "Too many people are waiting for the identity provider. Try again."):
        yield


def sign_in(request: HttpRequest, claims: Mapping[str, Any]) -> None:
    """Begin a member's session for the person whom verified claims name. Raise PermissionRefused."""
    subject = claims["sub"]
    account = Account.objects.get_or_create_from_claims(claims) if is_account_id(subject) else None
    if account is None or not start_session(request, account, MEMBERS, claims):
        user_login_failed.send(sender=__name__, credentials={"username": str(subject)}, request=request)
        raise PermissionRefused(NO_PERSON if account is None else NOT_ACTIVE)


def provider_sign_out(request: HttpRequest) -> str:
    """Return the address of the provider's own sign-out (RP-Initiated Logout 1.0), "" where none is known."""
    if not MEMBERS.client_id:
        return ""
    from accounts.signing_in.provider_client import provider_client

    client = provider_client(MEMBERS)
    with suppress(FetchError, ApiError), visit_provider(request):
        metadata = client.load_server_metadata()
        if address := metadata.get("end_session_endpoint"):
            return f"{address}{'&' if '?' in address else '?'}{urlencode({'client_id': MEMBERS.client_id})}"
    return ""


def needs_fresh_sign_in(handler: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Answer with 403 and a page that leads to a new sign-in, and then back, where the last one was not just now.

    It is a page with a link, since browsers follow no redirect from a form to the provider (form-action 'self').
    """

    @wraps(handler)
    def answer(page: MemberPage, request: HttpRequest) -> HttpResponseBase:
        if is_fresh(request.session[AUTHENTICATED]):
            return handler(page, request)
        back = page_of_form(request)
        # The way of this session: none for a password.
        begin = {MEMBERS.backend: paths.SIGN_IN, ADMIN.backend: f"{paths.PROVIDER_LOGIN}/"}
        address = begin.get(request.session[BACKEND_SESSION_KEY])
        context = {
            "minutes": MAX_AGE_SECONDS // 60,
            "sign_in": path_with_query(address, {AGAIN: "yes", "next": back}) if address else "",
            "back": back,
        }
        return page.render_page("members/sign_in_again.html", context, status=HTTPStatus.FORBIDDEN)

    return answer


def page_of_form(request: HttpRequest) -> str:
    """Return the page to press on once more: the form's own, and for a download the one that had the link."""
    if request.method == "POST":
        return request.get_full_path()
    came_from = path_of_referer(request)
    return came_from if paths.is_under(came_from.partition("?")[0], paths.ACCOUNT) else paths.ACCOUNT
