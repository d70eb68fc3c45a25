"""The path prefixes of the service, and what may stand in a path. Settings, URLconfs, request checks and links use
them.
"""

from django.urls.converters import UUIDConverter

API = "/api"
DEALS = f"{API}/deals"
COLLECTIONS = f"{API}/collections"
FORMS = f"{API}/forms"
FORM_PAGES = "/forms"
ADMIN = "/admin"
PROVIDER_LOGIN = f"{ADMIN}/login/provider"
SIGN_IN, SIGN_OUT, SIGNED_OUT = "/sign-in", "/sign-out", "/signed-out"
BACK_CHANNEL_LOGOUT = f"{SIGN_IN}/back-channel-logout"
ACCOUNT = "/account"
"""The pages of whoever is signed in."""

IMPERSONATION = "/impersonation"
"""Where staff begin and stop to look at the site as a member."""

BOARD_UPLOAD = f"{ADMIN}/boards/board/upload/"
MEMBER_UPLOAD = f"{ACCOUNT}/boards/upload"
STATIC = "/static"
LIVEZ, READYZ, METRICS = "/livez", "/readyz", "/metrics"
OPERATOR = (LIVEZ, READYZ, METRICS)
"""What monitors request."""

OEMBED = "/oembed"
CLUB = "/club"
"""The files that the settings of the club make."""

IMPRINT, MANIFEST = "/imprint", "/manifest.webmanifest"
LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "::1")


def as_route(path: str) -> str:
    """Return a path as a URLconf writes it, without the slash that all begin with."""
    return path.removeprefix("/")


def is_under(path: str, *roots: str) -> bool:
    """Tell whether a path is one of the roots or below it. "/api/dealsx" is not under "/api/deals"."""
    return path.startswith(roots) and any(path == root or path.startswith(f"{root}/") for root in roots)


class AnyCaseUuidConverter(UUIDConverter):
    """`<any_uuid:pk>` in a route: a uuid in either case (RFC 9562 §4). The service itself writes lower case.

    Django's own `uuid` knows lower case alone, and overriding it ends with Django 6.
    """

    regex = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
