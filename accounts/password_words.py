"""The words that make no password of staff strong: those of this service and of the game."""

import re
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError

MIN_OTHER_CHARACTERS = 8
CONTEXT_WORDS = (
    *("admin", "staff", "support", "password", "login", "bridge", "board", "deal", "club", "player", "teacher"),
    *("spade", "heart", "diamond", "notrump", "trump", "dummy", "declarer", "contract", "auction", "slam"),
)


class ContextWordsValidator:
    """Refuse a password of which too little is left without the words of this service, such as bridge-club-2026.

    A long sentence may have them.
    """

    def validate(self, password: str, user: Any = None) -> None:
        host = (urlsplit(settings.PUBLIC_BASE_URL).hostname or "").split(".")
        words = sorted({*CONTEXT_WORDS, *filter(None, host)}, key=len, reverse=True)
        others = re.sub("|".join(map(re.escape, words)), "", password, flags=re.IGNORECASE)
        if len(others) < MIN_OTHER_CHARACTERS and others != password:
            raise ValidationError(self.get_help_text(), code="password_of_context_words")

    def get_help_text(self) -> str:
        return (
            f"Your password must have at least {MIN_OTHER_CHARACTERS} characters beside words such as “bridge”, “club”"
            " and the name of this site."
        )
