"""Who reads a page: somebody who is signed in, or anybody. No other module looks at a session to make a page."""

from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponseRedirect

from config import paths
from config.api.views import PRIVATE
from config.values.own_paths import own_path


def lead_to_sign_in(request: HttpRequest) -> HttpResponseRedirect:
    """Send whoever is not signed in to the door, and then back here. After a post, to the page that has the form."""
    if not has_door():
        raise Http404
    is_read = request.method in ("GET", "HEAD")
    back = request.get_full_path() if is_read else path_of_referer(request)
    status = HTTPStatus.FOUND if is_read else HTTPStatus.SEE_OTHER
    response = HttpResponseRedirect(f"{paths.SIGN_IN}?{urlencode({'next': back})}", status=status)
    response["Cache-Control"] = PRIVATE
    return response


def path_of_referer(request: HttpRequest) -> str:
    """Return the path and query of the page of this site that a form was sent from, or "/"."""
    try:
        address = urlsplit(request.headers.get("Referer", ""))
    except ValueError:  # "http://[" is no address
        return "/"
    is_own = address.netloc in (request.get_host(), urlsplit(settings.PUBLIC_BASE_URL).netloc)
    return own_path(address._replace(scheme="", netloc="", fragment="").geturl(), "/") if is_own else "/"


def has_door() -> bool:
    """Tell whether members can sign in here."""
    return bool(settings.MEMBER_OIDC_CLIENT_ID or settings.DEVELOPMENT_SIGN_IN)


def has_session(request: HttpRequest) -> bool:
    """Tell whether the browser sends a session, good or not. Nothing else of a request may make a page its reader's.

    Under /api, where the guides are pages, no session is known: what is there is the same for everybody.
    """
    is_api = paths.is_under(request.path_info, paths.API)
    return not is_api and settings.SESSION_COOKIE_NAME in request.COOKIES


def reader_of(request: HttpRequest) -> Any:
    """Return the account that is signed in, or None. Without a session's cookie nothing is looked up."""
    user = getattr(request, "user", None) if has_session(request) else None
    return user if user is not None and user.is_authenticated else None


def frame_of(request: HttpRequest) -> dict[str, Any]:
    """Return what the frame of a page shows of its reader: base.html."""
    return {
        "reader": reader_of(request),
        "has_door": has_door(),
        "impersonation": getattr(request, "impersonation", None),
    }
