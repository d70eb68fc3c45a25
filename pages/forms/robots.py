"""Tell robots from people on the pages of forms, without asking people to solve anything.

A robot fills in a field that nobody sees (a honeypot, or trap), or sends a page sooner than anybody can type. It gets
the answer that a person gets. What it sent is stored apart, so that staff still find a person who was taken for one.
"""

import time
from datetime import timedelta

from django.core import signing

HONEYPOT = "url"
"""Name of the field of a page that nobody sees. A JSON body with it is refused, like one with any unknown field."""

PAGE_TOKEN = "opened"  # noqa: S105  (the name of a field)
"""Name of the hidden field that says, signed, when the page was opened."""

MIN_AGE = timedelta(seconds=3)
MAX_AGE = timedelta(days=1)

signer = signing.Signer(salt="forms.opened")


def make_page_token(form: str, *, age: timedelta = timedelta(0)) -> str:
    """Sign the moment at which a page of this form was opened: now, or so long ago."""
    return signer.sign(f"{form}:{time.time() - age.total_seconds():.3f}")


def read_page_age(token: str, form: str) -> timedelta | None:
    """Return how long ago the page was opened, or None when the token is missing, forged, too old or another form's."""
    try:
        name, opened_at = signer.unsign(token).split(":")
    except signing.BadSignature:
        return None
    age = timedelta(seconds=time.time() - float(opened_at))
    return age if name == form and age <= MAX_AGE else None
