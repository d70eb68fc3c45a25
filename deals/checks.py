from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core import checks

MIN_KEY_LENGTH = 32


@checks.register(checks.Tags.security)
def refuse_short_keys(**kwargs: Any) -> list[checks.CheckMessage]:
    """Report each API key that is too short to be safe. It stops the start, as every wrong setting does."""
    return [
        checks.Error(
            f"{name} is shorter than {MIN_KEY_LENGTH} characters.",
            hint="Use a random key, such as the output of `openssl rand -hex 32`.",
            id="deals.E001",
        )
        for name in ("API_KEY", "API_KEY_PREVIOUS")
        if 0 < len(getattr(settings, name)) < MIN_KEY_LENGTH
    ]


@checks.register(checks.Tags.security, deploy=True)
def warn_of_blank_key(**kwargs: Any) -> Iterator[checks.CheckMessage]:
    """Warn before a deployment in which no program can send deals."""
    if not settings.API_KEY:
        yield checks.Warning(
            "API_KEY is blank: no program can send deals.",
            hint="Set API_KEY if programs are to use /api/deals.",
            id="deals.W001",
        )
