from typing import Any

from django.conf import settings
from django.core import checks

MIN_KEY_LENGTH = 32


@checks.register(checks.Tags.security, deploy=True)
def check_api_keys(**kwargs: Any) -> list[checks.CheckMessage]:
    messages: list[checks.CheckMessage] = []
    if not settings.API_KEY:
        messages.append(
            checks.Warning(
                "API_KEY is blank: nobody can bring deals in.",
                hint="Set API_KEY if services are to use /api/deals.",
                id="deals.W001",
            )
        )
    for name in ("API_KEY", "API_KEY_PREVIOUS"):
        key = getattr(settings, name)
        if key and len(key) < MIN_KEY_LENGTH:
            messages.append(
                checks.Error(
                    f"{name} is shorter than {MIN_KEY_LENGTH} characters.",
                    hint="Use a random key, such as the output of `openssl rand -hex 32`.",
                    id="deals.E001",
                )
            )
    return messages
