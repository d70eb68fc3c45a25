from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

SHORTEST_KEY = 32


@register(Tags.security, deploy=True)
def api_key(**kwargs: Any) -> list[CheckMessage]:
    found: list[CheckMessage] = []
    if not settings.API_KEY:
        found.append(Warning("API_KEY is blank: nobody can bring deals in.", id="deals.W001"))
    for name in ("API_KEY", "API_KEY_PREVIOUS"):
        key = getattr(settings, name)
        if key and len(key) < SHORTEST_KEY:
            found.append(Error(f"{name} is shorter than {SHORTEST_KEY} characters.", id="deals.E001"))
    return found
