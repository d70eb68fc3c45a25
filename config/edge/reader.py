"""Who reads a page: a signed-in member, or anybody. No other module looks at a session to make a page."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest


def can_sign_in() -> bool:
    return bool(settings.MEMBER_OIDC_CLIENT_ID or settings.DEVELOPMENT_SIGN_IN)


def has_session(request: HttpRequest) -> bool:
    """Tell whether the browser sends a session, good or not. Nothing else of a request may make a page its reader's.

    Under /api, where the guides are pages, ReadableRequest has taken it away: what is there is the same for everybody.
    """
    return settings.SESSION_COOKIE_NAME in request.COOKIES


def reader_of(request: HttpRequest) -> Any:
    """Return the account that is signed in, or None. Without a session's cookie nothing is looked up."""
    user = getattr(request, "user", None) if has_session(request) else None
    return user if user is not None and user.is_authenticated else None


def frame_of(request: HttpRequest) -> dict[str, Any]:
    """Return what the frame of a page shows of its reader: base.html."""
    return {
        "reader": reader_of(request),
        "can_sign_in": can_sign_in(),
        "impersonation": getattr(request, "impersonation", None),
    }
