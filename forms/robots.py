"""Telling robots from people, without a riddle for people.

A robot fills in a field nobody sees, or sends a page sooner than anybody types. It gets the answer a person gets, and
what it sent is kept apart: a person who was taken for one can still be found.
"""

import time
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.core import signing

TRAP = "url"
"""The field nobody sees. It is in no schema; a JSON body may have it all the same."""

STAMP = "opened"
SHORTEST = timedelta(seconds=3)
LONGEST = timedelta(days=1)

signer = signing.Signer(salt="forms.opened")


def without_trap(body: Any) -> tuple[Any, bool]:
    """The body as a person would have sent it, and whether the trap was filled in."""
    if not isinstance(body, Mapping) or TRAP not in body:
        return body, False
    return {name: value for name, value in body.items() if name != TRAP}, bool(body[TRAP])


def stamp(form: str, *, age: timedelta = timedelta(0)) -> str:
    """When a page was opened, signed, for that form only. `age` makes it as if it had been opened before."""
    return signer.sign(f"{form}:{time.time() - age.total_seconds():.3f}")


def age_of(stamped: str, form: str) -> timedelta | None:
    """How long ago the page was opened; None for a stamp that is missing, forged, too old or another form's."""
    try:
        name, opened = signer.unsign(stamped).split(":")
    except signing.BadSignature:
        return None
    age = timedelta(seconds=time.time() - float(opened))
    return age if name == form and age <= LONGEST else None
