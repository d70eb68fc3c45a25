"""Checks of what members may do with boards of their own, for `manage.py check` and before the service starts."""

from typing import Any

from django.conf import settings
from django.core.checks import Error, register

from boards.services.reviews import Publishing


@register
def check_member_settings(**kwargs: Any) -> list[Error]:
    problems = []
    if settings.MEMBER_PUBLISHING not in set(Publishing):
        sentence = f"MEMBER_PUBLISHING={settings.MEMBER_PUBLISHING} is not one of {', '.join(Publishing)}."
        hint = "Write off, review (staff publish what members request) or open (members publish at once)."
        problems.append(Error(sentence, hint=hint, id="boards.E001"))
    if settings.MEMBER_BOARDS < 0:
        sentence = "MEMBER_BOARDS is negative: write how many boards an account may own, 0 for none."
        problems.append(Error(sentence, id="boards.E002"))
    return problems
