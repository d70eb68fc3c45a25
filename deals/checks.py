from typing import Any

from django.conf import settings
from django.core import checks

SHORTEST_KEY = 32


@checks.register(checks.Tags.security, deploy=True)
def api_key(**kwargs: Any) -> list[checks.CheckMessage]:
    found: list[checks.CheckMessage] = []
    if not settings.API_KEY:
        found.append(checks.Warning("API_KEY is blank: nobody can bring deals in.", id="deals.W001"))
    for name in ("API_KEY", "API_KEY_PREVIOUS"):
        key = getattr(settings, name)
        if key and len(key) < SHORTEST_KEY:
            found.append(checks.Error(f"{name} is shorter than {SHORTEST_KEY} characters.", id="deals.E001"))
    return found
