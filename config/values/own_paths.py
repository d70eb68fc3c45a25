"""Where a form or a sign-in leads back to: a page of this site, whatever an address says."""

from django.utils.http import url_has_allowed_host_and_scheme

MAX_LENGTH = 1000


def own_path(target: str, default: str) -> str:
    """Return the target if it is a path of this site, with its query, else the default."""
    is_own = target.startswith("/") and len(target) <= MAX_LENGTH and url_has_allowed_host_and_scheme(target, None)
    return target if is_own and target.isprintable() else default
