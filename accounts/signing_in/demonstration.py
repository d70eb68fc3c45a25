"""Three members who sign in without a provider, on a machine where somebody tries the service out.

They exist where DEVELOPMENT_TOKENS is on and PUBLIC_BASE_URL is this machine, and for a browser on this machine alone.
"""

import time
from collections.abc import Mapping

from django.conf import settings
from django.http import HttpRequest

from config.edge.security.client_address import is_on_this_machine

MEMBERS = {
    "demo-anna": "Anna, who plays on Fridays",
    "demo-bo": "Bo, who teaches beginners",
    "demo-chris": "Chris, who looks after the club's boards",
}
"""The names of the demonstration members by their ids, which no provider gives."""


def is_open_to(request: HttpRequest) -> bool:
    """Tell whether this browser may sign in as a demonstration member."""
    return settings.DEVELOPMENT_SIGN_IN and is_on_this_machine(request.META)


def claims_of(name: str) -> Mapping[str, str | int]:
    """Return what a provider would say of a demonstration member who signs in now."""
    name_here = MEMBERS[name].partition(",")[0]
    return {"sub": name, "name": name_here, "locale": "en", "auth_time": int(time.time())}
